"""The law of every model: replicas converge, whoever did what and whenever each received it.

Three people edit, undo and redo. Each gesture gets its place in the order later, each replica takes the next
gesture in its own time, and one more replica begins with a checkpoint. For each kind of change, a replica
that skips it must break the law."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from liven.liveobjects.chat import object as chat
from liven.liveobjects.chat.model import ChatModel, Line, Say, Unsay
from liven.liveobjects.colour.object import Colour, ColourFold
from liven.liveobjects.counter.object import CounterFold
from liven.liveobjects.desktop import state as desk
from liven.liveobjects.desktop import wire as desk_wire
from liven.liveobjects.desktop.drawings.ink import Ink, Point
from liven.liveobjects.desktop.drawings.recipes import recipe_of
from liven.liveobjects.desktop.drawings.shape import Shape
from liven.liveobjects.desktop.model import DesktopModel
from liven.liveobjects.desktop.state import Item, Link, Place
from liven.liveobjects.folder import state as folder
from liven.liveobjects.folder import wire as folder_wire
from liven.liveobjects.folder.model import FolderModel
from liven.liveobjects.image import state as image
from liven.liveobjects.image import wire as image_wire
from liven.liveobjects.image.model import ImageModel
from liven.liveobjects.shared_list import object as lines
from liven.liveobjects.vote import model as vote
from liven.liveobjects.vote import object as vote_object
from liven.liveobjects.window import model as window
from liven.liveobjects.window import object as window_object
from liven.runtime.fold import Editor, Gesture, RefusedError, applied

KEYS = st.sampled_from("abc")
PLACES = st.sampled_from([Place(0, 0, 10, 10), Place(5, 5, 20, 20, 30), Place(-1, 2, 30, 40)])
_Z = st.integers(-2, 2)


@dataclass(frozen=True)
class Kind:
    """One model under test."""

    model: Callable[[], Any]
    changes: dict[type, st.SearchStrategy[Any]]
    pack: Callable[[Any], Any]
    unpack: Callable[[Any], Any]
    before: tuple[Any, ...] = ()
    """The gestures made before all begin, so that many changes apply."""

    def begun(self) -> Any:
        model = self.model()
        state, _, refused = applied(model, model.empty(), self.before)
        assert not refused
        return state

    @property
    def steps(self) -> st.SearchStrategy[list[tuple[int, str, Any]]]:
        acts = st.sampled_from(["edit", "edit", "edit", "undo", "redo", "order", "order", "take", "take"])
        return st.lists(st.tuples(st.integers(0, 2), acts, st.one_of(*self.changes.values())), max_size=40)


DRAWN = st.sampled_from(
    [
        "<Root/>",
        *map(recipe_of, (Shape(), Shape("ellipse", "blue", "none", "dashed"))),
        *map(recipe_of, (Ink((Point(0, 0), Point(1, 1))), Ink((Point(0, 1, 0.9), Point(1, 0)), "pink"))),
    ]
)
"""Recipes of drawings, and one that is none."""


def _line(key: str) -> Line:
    return Line(key, key, "Ann", "#112233", 0, f"said {key}")


KINDS = {
    "desktop": Kind(
        DesktopModel,
        {
            desk.Add: st.builds(desk.Add, st.builds(Item, KEYS, KEYS, PLACES, DRAWN, _Z, KEYS)),
            desk.Remove: st.builds(desk.Remove, KEYS),
            desk.Move: st.builds(desk.Move, KEYS, PLACES),
            desk.Rename: st.builds(desk.Rename, KEYS, KEYS),
            desk.Restack: st.builds(desk.Restack, KEYS, _Z),
            desk.Regroup: st.builds(desk.Regroup, KEYS, KEYS),
            desk.Lock: st.builds(desk.Lock, KEYS, st.booleans()),
            desk.Join: st.builds(desk.Join, st.builds(Link, KEYS, KEYS, KEYS)),
            desk.Restyle: st.builds(desk.Restyle, KEYS, st.builds(desk.Style, st.sampled_from(desk.SHAPES))),
            desk.Redraw: st.builds(desk.Redraw, KEYS, DRAWN),
            desk.Part: st.builds(desk.Part, KEYS),
            desk.Paint: st.builds(desk.Paint, st.sampled_from(["", "#102030"])),
            desk.Retitle: st.builds(desk.Retitle, st.sampled_from(["", "Day"])),
            desk.SetTimer: st.builds(desk.SetTimer, st.sampled_from([None, desk.Timer(1e9, 60.0)])),
        },
        desk_wire.packed,
        desk_wire.unpacked,
        (
            *(desk.Add(Item(key, key, Place(0, 0, 10, 10), recipe_of(Shape()))) for key in "ab"),
            desk.Join(Link("a", "a", "b")),
        ),
    ),
    "folder": Kind(
        FolderModel,
        {
            folder.Put: st.builds(folder.Put, KEYS, KEYS),
            folder.Take: st.builds(folder.Take, KEYS),
            folder.Rename: st.builds(folder.Rename, KEYS, KEYS),
        },
        folder_wire.packed,
        folder_wire.unpacked,
    ),
    "image": Kind(
        ImageModel,
        {
            image.Begin: st.sampled_from("cde").map(lambda key: image.Begin(key, key, "png", 2, 2, 2)),
            image.Slice: KEYS.map(lambda key: image.Slice(key, 0, b"xy")),
            image.Abandon: st.builds(image.Abandon, KEYS),
            image.Show: st.builds(image.Show, st.sampled_from(["a", "b", "c", ""])),
        },
        image_wire.packed,
        image_wire.unpacked,
        (
            *(image.Begin(key, key, "png", 2, 2, 2) for key in "abc"),
            *(image.Slice(key, 0, b"xy") for key in "ab"),
        ),
    ),
    "chat": Kind(
        ChatModel,
        {Say: KEYS.map(lambda key: Say(_line(key))), Unsay: st.builds(Unsay, KEYS)},
        lambda state: chat.ChatState(list(state.said())),
        chat._unpack,
    ),
    "vote": Kind(
        vote.VoteModel,
        {
            vote.Ask: st.builds(vote.Ask, KEYS),
            vote.Offer: st.builds(vote.Offer, KEYS, KEYS),
            vote.Withdraw: st.builds(vote.Withdraw, KEYS),
            vote.Cast: st.builds(vote.Cast, st.sampled_from("pq"), st.sampled_from(["a", "b", ""])),
            vote.Introduce: st.builds(
                vote.Introduce, st.sampled_from("pq"), st.sampled_from(["", "Ada", "Bo"]), st.just("#102030")
            ),
        },
        vote_object._pack,
        vote_object._unpack,
    ),
    "window": Kind(
        window.WindowModel,
        {window.Put: st.builds(window.Put, st.sampled_from(["a", "b", ""]), KEYS)},
        lambda state: window_object.WindowState(state.reference, state.name),
        window_object._unpack,
    ),
}


@dataclass
class Replica:
    """The replica of one person."""

    editor: Editor[Any, Any]
    outgoing: list[Gesture[Any]] = field(default_factory=list)
    taken: int = 0

    @classmethod
    def of(cls, model: Any, name: str, state: Any = None, taken: int = 0) -> Replica:
        outgoing: list[Gesture[Any]] = []
        made = cls(Editor(model, name, outgoing.append), outgoing, taken)
        made.editor.start(state)
        return made

    def take(self, order: list[Gesture[Any]]) -> None:
        if self.taken < len(order):
            self.editor.receive(order[self.taken])
            self.taken += 1


def obey_the_law(kind: Kind, models: list[Any], steps: list[tuple[int, str, Any]]) -> None:
    begun, names = kind.begun(), ("ann", "bob", "cyn")
    people = [Replica.of(model, name, begun) for model, name in zip(models, names, strict=True)]
    order: list[Gesture[Any]] = []
    for who, what, change in steps:
        one = people[who]
        match what:
            case "edit":
                try:
                    one.editor.edit("deed", change)
                except RefusedError:
                    continue
            case "undo" | "redo":
                getattr(one.editor, what)()
            case "order":
                order += one.outgoing[:1]
                del one.outgoing[:1]
            case _:
                one.take(order)
    first = people[0]
    late = Replica.of(kind.model(), "dan", kind.unpack(kind.pack(first.editor.confirmed)), first.taken)
    for one in people:
        order += one.outgoing
    digest = kind.model().digest
    for one in (*people, late):
        while one.taken < len(order):
            one.take(order)
        assert one.editor.pending == 0
        assert digest(one.editor.state) == digest(one.editor.confirmed)
    assert len({digest(one.editor.confirmed) for one in (*people, late)}) == 1


@pytest.mark.parametrize("name", KINDS)
def test_all_replicas_converge(name: str) -> None:
    kind = KINDS[name]

    @settings(max_examples=150, deadline=None)
    @given(kind.steps)
    def law(steps: list[tuple[int, str, Any]]) -> None:
        obey_the_law(kind, [kind.model() for _ in range(3)], steps)

    law()


class Faulty:
    """A model that pretends to apply one kind of change."""

    def __init__(self, model: Any, passed_over: type) -> None:
        self._model = model
        self._passed_over = passed_over

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def apply(self, state: Any, change: Any) -> Any:
        after = self._model.apply(state, change)
        return state if isinstance(change, self._passed_over) else after


@pytest.mark.parametrize(
    ("name", "change"),
    [(name, change) for name, kind in KINDS.items() for change in kind.changes],
    ids=lambda one: one if isinstance(one, str) else one.__name__,
)
def test_a_replica_that_skips_a_kind_of_change_breaks_the_law(name: str, change: type) -> None:
    kind = KINDS[name]

    @settings(
        max_examples=2000,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    @given(kind.steps)
    def law(steps: list[tuple[int, str, Any]]) -> None:
        obey_the_law(kind, [kind.model(), Faulty(kind.model(), change), kind.model()], steps)

    with pytest.raises(AssertionError):
        law()


# Folds without undo of their own: the state is what the order makes of the messages.
LINE_KEYS = st.sampled_from([uuid.UUID(int=number) for number in range(3)])
ROWS = st.builds(lines.Line, LINE_KEYS, KEYS)
FOLDS: dict[str, tuple[Callable[[], Any], st.SearchStrategy[Any], Callable[[Any], Any]]] = {
    "counter": (CounterFold, st.integers(-(2**63), 2**63 - 1), lambda fold: fold.number),
    "colour": (
        ColourFold,
        st.builds(Colour, *[st.integers(0, 255) for _ in range(4)]),
        lambda fold: fold.colour,
    ),
    "list": (
        lines.ListFold,
        st.one_of(
            st.builds(lines.Append, ROWS), st.builds(lines.Change, ROWS), st.builds(lines.Drop, LINE_KEYS)
        ),
        lambda fold: list(fold.rows.values()),
    ),
}


@pytest.mark.parametrize("name", FOLDS)
@pytest.mark.parametrize("faulty", [False, True])
def test_objects_without_undo_converge_and_a_skipped_message_shows(name: str, faulty: bool) -> None:
    make, messages, checkpoint = FOLDS[name]

    @settings(max_examples=200, deadline=None, database=None, derandomize=True)
    @given(st.lists(messages, max_size=15), st.integers(0, 15))
    def law(order: list[Any], at: int) -> None:
        ann, late, bob = make(), make(), make()
        ann.initialize(None)
        bob.initialize(None)
        for number, message in enumerate(order):
            if number == at:
                late.initialize(checkpoint(ann))
            ann.receive(message)
            if number >= at:
                late.receive(message)
            if not (faulty and number == at):
                bob.receive(message)
        if at >= len(order):
            late.initialize(checkpoint(ann))
        assert len({ann.digest(), bob.digest(), late.digest()}) == 1

    if not faulty:
        law()
        return
    with pytest.raises(AssertionError):
        law()
