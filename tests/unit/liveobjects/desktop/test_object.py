from __future__ import annotations

from typing import Any

from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.state import Add, Item, Join, Link, Move, Paint, Place, Remove
from liven.runtime.testing import Bench

HERE = Place(0, 0, 10, 10)


def join(bench: Bench, channel: Any) -> Any:
    built = bench.build(DesktopObject)
    channel.join(built.handle.endpoint("channel"))
    return built.instance


def test_added_item_is_on_every_desktop_and_on_one_that_joins_later() -> None:
    with Bench() as bench:
        channel = bench.channel()
        ann, bob = join(bench, channel), join(bench, channel)
        ann.editor.edit("add", Add(Item("a", "note", HERE, "<Root/>")), Add(Item("b", "b", HERE, "<Root/>")))
        bob.editor.edit("draw", Join(Link("l", "a", "b")), Paint("#102030"))
        late = join(bench, channel)
        assert ann.editor.confirmed == bob.editor.confirmed
        assert late.editor.confirmed.items["a"].label == "note"
        digests = {one.editor.model.digest(one.editor.confirmed) for one in (ann, bob, late)}
        assert len(digests) == 1


def test_move_of_an_item_that_somebody_removed_is_undone_and_reported() -> None:
    with Bench() as bench:
        channel = bench.channel()
        ann, bob = join(bench, channel), join(bench, channel)
        ann.editor.edit("add", Add(Item("a", "note", HERE, "<Root/>")))
        told: list[str] = []

        class Listener:
            def changed(self, before: object, after: object) -> None: ...

            def notify(self, message: str) -> None:
                told.append(message)

        bob.editor.listen(Listener())
        channel.hold()
        ann.editor.edit("remove", Remove("a"))
        bob.editor.edit("move", Move("a", Place(5, 5, 10, 10)))
        assert bob.editor.state.items["a"].place.x == 5
        channel.release()
        assert len(bob.editor.state.items) == 0
        assert told == ["move: it is no longer on the desktop"]


def test_undo_names_its_person() -> None:
    with Bench() as bench:
        bench.node.person = "ann"
        channel = bench.channel()
        ann = join(bench, channel)
        ann.editor.edit("add", Add(Item("a", "note", HERE, "<Root/>")))
        assert channel.order[-1]["author"] == "ann"
        assert ann.editor.undo() == "add"
        assert len(ann.editor.state.items) == 0
