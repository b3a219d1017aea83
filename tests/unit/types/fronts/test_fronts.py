"""Fronts and backs between the declarations of two authors who never met."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Generic, Protocol, TypeVar
from uuid import UUID

import pytest

from liven.types.codec import Codecs
from liven.types.declare import EndpointRef, Exports, Int32, Ref, TermBuilder, interface, object_type, value
from liven.types.declare.annotation.reader import Reader
from liven.types.formalism.registry import Formalisms
from liven.types.fronts import Fronts, References, ValueMismatchError

Load = Callable[[str], ModuleType]
M = TypeVar("M")
SOMEBODY = UUID(int=7)


@pytest.fixture
def wall(load: Load) -> ModuleType:
    return load("wall")


@pytest.fixture
def stranger(load: Load) -> ModuleType:
    return load("stranger")


def note(module: ModuleType, **more: Any) -> Any:
    """Return a note with every kind of field, as that author declares it."""
    given = {
        "text": "hello",
        "at": module.Point(1.0, 2.0),
        "colour": module.Colour.GREEN,
        "tags": ["a", "b"],
        "author": SOMEBODY,
        "likes": 3,
    }
    return module.Note(**(given | more))


@dataclass
class Recorder:
    """A server of every interface of these tests that keeps the values it receives."""

    seen: list[Any] = field(default_factory=list)

    def change(self, change: Any) -> None:
        self.seen.append(change)

    def find(self, text: str, most: int) -> Any:
        self.seen.append((text, most))
        return self.answer

    def borders(self) -> Any:
        return self.answer

    answer: Any = None


def test_a_value_of_another_authors_class_arrives_as_the_local_class(
    wall: ModuleType, stranger: ModuleType
) -> None:
    server = Recorder()
    front = Fronts().bridge(wall.Wall, stranger.Surface, server)
    front.change(wall.Pin(note(wall, replies=(note(wall, author=None),))))
    [change] = server.seen
    assert type(change) is stranger.Pin
    leaf = change.note
    assert type(leaf) is stranger.Leaf
    assert (leaf.text, leaf.likes, leaf.author) == ("hello", 3, SOMEBODY)
    assert leaf.at == stranger.Where(y=2.0, x=1.0)
    assert leaf.colour is stranger.Paint.GREEN
    assert leaf.tags == ("a", "b")
    assert [type(reply) for reply in leaf.replies] == [stranger.Leaf]
    assert leaf.replies[0].author is None


def test_the_cases_of_a_union_find_their_classes(wall: ModuleType, stranger: ModuleType) -> None:
    server = Recorder()
    Fronts().bridge(wall.Wall, stranger.Surface, server).change(wall.Unpin(4))
    assert server.seen == [stranger.Unpin(4)]


def test_an_answer_arrives_as_the_callers_class(wall: ModuleType, stranger: ModuleType) -> None:
    leaf = stranger.Leaf(3, [], None, (), stranger.Paint.RED, stranger.Where(0.0, 1.0), "x")
    server = Recorder(answer=(leaf,))
    front = Fronts().bridge(wall.Wall, stranger.Surface, server)
    [found] = front.find("x")
    assert type(found) is wall.Note
    assert found.colour is wall.Colour.RED
    assert server.seen == [("x", 10)]


def test_a_generic_class_keeps_its_argument(wall: ModuleType, stranger: ModuleType) -> None:
    server = Recorder(answer=stranger.Two(stranger.Where(0.0, 1.0), stranger.Where(2.0, 3.0)))
    pair = Fronts().bridge(wall.Wall, stranger.Surface, server).borders()
    assert pair == wall.Pair(wall.Point(1.0, 0.0), wall.Point(3.0, 2.0))


def test_a_front_looks_like_the_interface_it_stands_for(wall: ModuleType, stranger: ModuleType) -> None:
    front = Fronts().bridge(wall.Wall, stranger.Surface, Recorder(answer=[]))
    assert wall.Wall in type(front).__mro__
    assert front.find(most=2, text="y") == []
    with pytest.raises(TypeError):
        front.find()
    with pytest.raises(AttributeError):
        front.other()


def test_each_declaration_is_made_once_whatever_is_connected(wall: ModuleType, stranger: ModuleType) -> None:
    fronts = Fronts()
    for caller in (wall.Wall, stranger.Surface):
        for server in (wall.Wall, stranger.Surface):
            fronts.bridge(caller, server, Recorder())
    made = fronts.made
    for caller in (wall.Wall, stranger.Surface):
        for server in (wall.Wall, stranger.Surface):
            fronts.bridge(caller, server, Recorder())
    assert fronts.made == made
    assert fronts.front(wall.Wall) is fronts.front(wall.Wall)


def test_the_number_of_wrappers_is_linear_in_declarations() -> None:
    def declared() -> type:
        @interface
        class Talk(Protocol):
            def say(self, text: str) -> None: ...

        return Talk

    class Ear:
        def say(self, text: str) -> None:
            """Hears."""

    fronts = Fronts()
    authors = [declared() for _ in range(8)]
    for caller in authors:
        for server in authors:
            fronts.bridge(caller, server, Ear()).say("x")
    assert fronts.made == 2 * len(authors)


def test_a_pending_answer_is_made_local_when_it_comes(wall: ModuleType, stranger: ModuleType) -> None:
    class Pending:
        def __init__(self, steps: tuple[Callable[[Any], Any], ...] = ()) -> None:
            self.steps = steps

        def map(self, step: Callable[[Any], Any]) -> Pending:
            return Pending((*self.steps, step))

        def settle(self, value: Any) -> Any:
            for step in self.steps:
                value = step(value)
            return value

    front = Fronts().bridge(wall.Wall, stranger.Surface, Recorder(answer=Pending()))
    reply = front.borders()
    assert isinstance(reply, Pending)
    pair = reply.settle(stranger.Two(stranger.Where(0.0, 1.0), stranger.Where(0.0, 1.0)))
    assert type(pair) is wall.Pair


def test_a_runtime_gets_neutral_values_to_carry(wall: ModuleType) -> None:
    posted: list[tuple[str, Any]] = []
    asked: list[tuple[str, Any, Callable[[Any], Any]]] = []

    def post(name: str) -> Callable[[Any], None]:
        return lambda neutral: posted.append((name, neutral))

    def ask(name: str) -> Callable[[Any, Callable[[Any], Any]], Any]:
        return lambda neutral, make: asked.append((name, neutral, make))

    front = Fronts().front(wall.Wall)(post, ask)
    front.change(wall.Unpin(1))
    assert posted == [("change", {"change": {"Unpin": {"place": 1}}})]
    front.borders()
    [(name, neutral, make)] = asked
    assert (name, neutral) == ("borders", {})
    assert make({"left": {"x": 1, "y": 2.0}, "right": {"x": 0.5, "y": 0.0}}) == wall.Pair(
        wall.Point(1.0, 2.0), wall.Point(0.5, 0.0)
    )


def test_what_a_front_sends_is_what_the_codec_of_the_term_takes(
    wall: ModuleType, stranger: ModuleType, formalisms: Formalisms
) -> None:
    fronts, terms, codecs = Fronts(), TermBuilder(formalisms), Codecs()
    own, other = fronts.conversion(wall.Note), fronts.conversion(stranger.Leaf)
    neutral = own.outward(note(wall, replies=(note(wall),)))
    data = codecs.of(terms.value_of(wall.Note)).encode(neutral)
    leaf = other.inward(codecs.of(terms.value_of(stranger.Leaf)).decode(data))
    assert other.outward(leaf) == neutral


def test_whole_numbers_widen_to_floats_on_the_way_in() -> None:
    @value
    class Narrow:
        n: int

    @value
    class Wide:
        n: float

    fronts = Fronts()
    made = fronts.conversion(Wide).inward(fronts.conversion(Narrow).outward(Narrow(3)))
    assert type(made.n) is float


def test_fields_that_the_receiver_does_not_know_are_left_out() -> None:
    @value
    class More:
        a: int
        b: str

    @value
    class Less:
        a: int

    fronts = Fronts()
    assert fronts.conversion(Less).inward(fronts.conversion(More).outward(More(1, "x"))) == Less(1)


def test_parameters_that_the_receiver_does_not_name_are_left_out() -> None:
    @interface
    class Speaks(Protocol):
        def say(self, words: str, loud: bool, times: Int32) -> None: ...

    @interface
    class Hears(Protocol):
        def say(self, times: float, words: str | None) -> None: ...

    heard: list[Any] = []

    class Ear:
        def say(self, times: float, words: str | None) -> None:
            heard.append((words, times))

    Fronts().bridge(Speaks, Hears, Ear()).say("hi", True, 2)
    assert heard == [("hi", 2.0)]


def test_a_server_with_more_events_serves_a_smaller_interface() -> None:
    @value
    class Full:
        a: int
        b: int

    @value
    class Part:
        b: float

    @interface
    class Asks(Protocol):
        def get(self) -> Part | None: ...

    @interface
    class Gives(Protocol):
        def get(self, most: int = 1) -> Full: ...
        def other(self) -> None: ...

    class Shop:
        def get(self, most: int = 1) -> Full:
            return Full(most, 2)

        def other(self) -> None:
            """Do something else."""

    front = Fronts().front(Asks)
    takers = Fronts().back(Gives)(Shop())
    shown = front(
        takers.__getitem__, lambda name: lambda given, make: make(takers[name](given | {"most": 5}))
    )
    assert shown.get() == Part(2.0)


def test_received_values_are_not_shared_with_the_sender() -> None:
    fronts = Fronts()
    lists = fronts.conversion(dict[str, list[int]])
    sent = {"a": [1, 2]}
    neutral = lists.outward(sent)
    first, second = lists.inward(neutral), lists.inward(neutral)
    first["a"].append(3)
    assert second == sent == {"a": [1, 2]}


def test_an_authors_own_constructor_runs_on_arrival() -> None:
    seen: list[int] = []

    @value
    class Careful:
        n: int

        def __post_init__(self) -> None:
            seen.append(self.n)

    fronts = Fronts()
    neutral = fronts.conversion(Careful).outward(Careful(3))
    assert fronts.conversion(Careful).inward(neutral) == Careful(3)
    assert seen == [3, 3, 3]


def test_a_subclass_of_a_value_class_travels_as_that_class() -> None:
    @value
    class Base:
        a: int

    class Special(Base):
        extra = 1

    fronts = Fronts()
    assert fronts.conversion(Base).outward(Special(2)) == {"a": 2}


def test_references_travel_as_their_text() -> None:
    @object_type
    class Anything:
        pass

    fronts = Fronts()
    refs = fronts.conversion(list[Ref[Anything]])
    assert refs.outward([Ref("<Object/>")]) == ["<Object/>"]
    assert refs.inward(["<Object/>"]) == [Ref("<Object/>")]


def test_a_runtime_may_bring_references_of_its_own() -> None:
    @object_type
    class Anything:
        pass

    @interface
    class Go(Protocol):
        def go(self) -> None: ...

    references = References(lambda ref: f"<{ref}>", lambda text: text.strip("<>"), str.upper, str.lower)
    fronts = Fronts(references)
    assert fronts.conversion(Ref[Anything]).outward("x") == "<x>"
    assert fronts.conversion(Ref[Anything]).inward("<x>") == "x"
    assert fronts.conversion(EndpointRef[Exports[Go]]).outward("here") == "HERE"
    assert fronts.conversion(EndpointRef[Exports[Go]]).inward("HERE") == "here"


def test_names_of_parameters_never_clash_with_those_of_generated_code() -> None:
    @interface
    class Odd(Protocol):
        def go(
            self,
            str: str,  # noqa: A002  it is the point
            list: list[int],  # noqa: A002
            n: int,
            v: float,
            float: float,  # noqa: A002
            post: bool,
            refuse: bytes,
        ) -> None: ...

    seen: list[Any] = []

    class Server:
        def go(self, **given: Any) -> None:
            seen.append(given)

    given = {"str": "a", "list": [1], "n": 2, "v": 3.0, "float": 4.0, "post": True, "refuse": b"x"}
    Fronts().bridge(Odd, Odd, Server()).go(**given)
    assert seen == [given]


def test_an_interface_with_a_class_given_has_a_front_of_its_own() -> None:
    @value
    class Mine:
        x: int

    @value
    class Yours:
        x: int

    @interface
    class Channel(Protocol, Generic[M]):  # type: ignore[misc]  # variance is beside the point
        def send(self, message: M) -> None: ...

    seen: list[Any] = []

    class Server:
        def send(self, message: Any) -> None:
            seen.append(message)

    Fronts().bridge(Channel[Mine], Channel[Yours], Server()).send(Mine(3))
    assert seen == [Yours(3)]


def test_a_class_that_is_not_an_interface_has_no_front() -> None:
    with pytest.raises(TypeError, match="put @interface above class int"):
        Fronts().front(int)
    with pytest.raises(TypeError, match="the type variable M is not a parameter of its class"):
        Fronts().front(M)


def test_an_enum_is_sent_by_name() -> None:
    @value
    class Size(enum.Enum):
        BIG = "b"

    fronts = Fronts()
    assert fronts.conversion(Size).outward(Size.BIG) == {"BIG": {}}
    assert fronts.conversion(Size).inward({"BIG": {}}) is Size.BIG


def test_a_missing_method_of_the_target_is_reported_when_the_back_is_made(wall: ModuleType) -> None:
    with pytest.raises(AttributeError, match="change"):
        Fronts().back(wall.Wall)(object())


def test_a_reader_is_needed_only_to_make_a_conversion() -> None:
    shape = Reader("x", {}).value(list[int])
    assert shape == Reader("y", {}).value(list[int])
    fronts = Fronts()
    assert fronts.conversion(list[int]) is fronts.conversion(list[int])


def test_an_answer_of_the_wrong_kind_is_the_servers_error(wall: ModuleType, stranger: ModuleType) -> None:
    front = Fronts().bridge(wall.Wall, stranger.Surface, Recorder(answer=3))
    with pytest.raises(ValueMismatchError, match=r"borders -> \.result: expected Two, got 3"):
        front.borders()


def test_one_method_alone_crosses_as_it_does_over_a_whole_bridge(
    wall: ModuleType, stranger: ModuleType
) -> None:
    leaf = stranger.Leaf(3, [], None, (), stranger.Paint.RED, stranger.Where(0.0, 1.0), "x")
    fronts, server = Fronts(), Recorder(answer=(leaf,))
    fronts.crossing(wall.Wall, stranger.Surface, "change", server.change)(wall.Unpin(4))
    [found] = fronts.crossing(wall.Wall, stranger.Surface, "find", server.find)("x")
    assert type(found) is wall.Note
    assert server.seen == [stranger.Unpin(4), ("x", 10)]
