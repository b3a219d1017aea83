"""Fronts, codecs and event types together, as a tunnel between two machines uses them."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from liven.types.codec import Codec, CodecError
from liven.types.declare import TermBuilder, declaration_of
from liven.types.declare.annotation.shapes import InterfaceUse
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.registry import Formalisms
from liven.types.fronts import Fronts
from liven.types.fronts.fronts import Takers
from liven.types.terms.endpoint_types import Events
from liven.types.terms.interfaces import REPLY

Load = Callable[[str], ModuleType]


class Waiting:
    """A reply that has not arrived yet."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self._make = make
        self.value: Any = None
        self.error = ""

    def settle(self, answer: dict[str, Any]) -> None:
        if "error" in answer:
            self.error = answer["error"]
        else:
            self.value = self._make(answer["value"])


class Tunnel:
    """Carries events as bytes: each side writes with its own types and reads with its own."""

    def __init__(self, near: Events, far: Events, takers: Takers) -> None:
        self._near = {name: Codec(type_) for name, type_ in near}
        self._far = {name: Codec(type_) for name, type_ in far}
        self._takers = takers
        self._waiting: dict[int, Waiting] = {}
        self.bytes = 0

    def post(self, name: str) -> Callable[[Any], None]:
        return lambda neutral: self._takers[name](self._over(name, neutral))

    def ask(self, name: str) -> Callable[[Any, Callable[[Any], Any]], Waiting]:
        def call(neutral: Any, make: Callable[[Any], Any]) -> Waiting:
            number = len(self._waiting) + 1
            reply = self._waiting[number] = Waiting(make)
            arrived = self._over(name, neutral | {"call": number})
            try:
                answer = {"value": self._takers[name](arrived)}
            except LookupError as problem:
                answer = {"error": str(problem)}
            back = self._far[name + REPLY].encode({"answer": answer, "call": arrived["call"]})
            self.bytes += len(back)
            told = self._near[name + REPLY].decode(back)
            self._waiting[told["call"]].settle(told["answer"])
            return reply

        return call

    def _over(self, name: str, neutral: Any) -> Any:
        data = self._near[name].encode(neutral)
        self.bytes += len(data)
        return self._far[name].decode(data)


class Wall:
    """A server of the second author's, with that author's classes."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.notes: list[Any] = []

    def change(self, change: Any) -> None:
        if type(change) is self.module.Pin:
            self.notes.append(change.note)
        else:
            del self.notes[change.place]

    def find(self, text: str, most: int) -> Any:
        return tuple(note for note in self.notes if text in note.text)[:most]

    def borders(self) -> Any:
        raise LookupError("no borders yet")


@pytest.fixture
def tunnelled(load: Load) -> tuple[ModuleType, Any, Wall, Tunnel]:
    wall, stranger = load("wall"), load("stranger")
    terms, fronts = TermBuilder(Formalisms(builtin_formalisms())), Fronts()
    near, far = (terms.interface(InterfaceUse(cls)) for cls in (wall.Wall, stranger.Surface))
    server = Wall(stranger)
    tunnel = Tunnel(near, far, fronts.back(stranger.Surface)(server))
    return wall, fronts.front(wall.Wall)(tunnel.post, tunnel.ask), server, tunnel


def test_an_event_crosses_as_bytes_and_arrives_as_the_servers_class(
    tunnelled: tuple[ModuleType, Any, Wall, Tunnel],
) -> None:
    wall, front, server, tunnel = tunnelled
    note = wall.Note("hello", wall.Point(1.0, 2.0), wall.Colour.GREEN, ["x"], likes=7)
    front.change(wall.Pin(note))
    [leaf] = server.notes
    assert type(leaf) is server.module.Leaf
    assert (leaf.text, leaf.at.x, leaf.colour, leaf.likes) == ("hello", 1.0, server.module.Paint.GREEN, 7)
    assert tunnel.bytes > 40


def test_an_answer_crosses_back_and_arrives_as_the_callers_class(
    tunnelled: tuple[ModuleType, Any, Wall, Tunnel],
) -> None:
    wall, front, _, _ = tunnelled
    note = wall.Note("hello", wall.Point(1.0), wall.Colour.RED, [], replies=())
    front.change(wall.Pin(note))
    reply = front.find("hell")
    assert reply.value == [note]
    assert front.find("nothing").value == []


def test_an_error_crosses_back_as_words(tunnelled: tuple[ModuleType, Any, Wall, Tunnel]) -> None:
    _, front, _, _ = tunnelled
    reply = front.borders()
    assert reply.value is None
    assert reply.error == "no borders yet"


def test_calls_are_told_apart_by_their_numbers(tunnelled: tuple[ModuleType, Any, Wall, Tunnel]) -> None:
    wall, front, _, tunnel = tunnelled
    front.change(wall.Pin(wall.Note("a", wall.Point(0.0), wall.Colour.RED, [])))
    first, second = front.find("a"), front.find("b")
    assert (len(first.value), len(second.value)) == (1, 0)
    assert len(tunnel._waiting) == 2


def test_every_declared_event_has_a_codec(load: Load) -> None:
    terms = TermBuilder(Formalisms(builtin_formalisms()))
    for name, interfaces in (("wall", ("Wall", "Looker")), ("stranger", ("Surface", "Watcher"))):
        module = load(name)
        for interface in interfaces:
            use = declaration_of(getattr(module, interface)).use(())
            for _, type_ in terms.interface(use):
                Codec(type_)


def test_bytes_of_another_event_are_refused_with_the_path(load: Load) -> None:
    terms = TermBuilder(Formalisms(builtin_formalisms()))
    events = dict(terms.interface(InterfaceUse(load("wall").Wall)))
    data = Codec(events["change"]).encode({"change": {"Unpin": {"place": 1}}})
    with pytest.raises(CodecError, match="find"):
        Codec(events["find"]).decode(data, "find")
