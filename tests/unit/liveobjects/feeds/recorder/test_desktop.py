"""A desktop is recorded with everything on it: what comes later or is not in view, and what is inside."""

from __future__ import annotations

from pathlib import Path

from tests.unit.liveobjects.feeds.recorder.stage import Recorder, counter, events

from liven.liveobjects.channel.api.recipes import channel_reference, shared
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.liveobjects.desktop import object as desktop_object
from liven.liveobjects.desktop import wire as desktop_wire
from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.state import Add, Item, Place
from liven.liveobjects.desktop.wire import DesktopOperation, DesktopState
from liven.liveobjects.feeds.recorder.target.rules import Rules
from liven.liveobjects.folder import object as folder_object
from liven.liveobjects.folder import wire as folder_wire
from liven.liveobjects.folder.object import SharedFolder
from liven.liveobjects.folder.state import Put
from liven.liveobjects.folder.wire import FolderOperation, FolderState
from liven.runtime.reference.model import Object as Recipe
from liven.runtime.reference.xml import compact
from liven.types.catalogue import register
from liven.types.declare import TermBuilder, scan

DESK, INNER, FOLDER, NOTE = "home/f/desk", "home/f/inner", "home/f/folder", "home/f/note"


def learned(process: Process) -> Process:
    for module in (desktop_wire, desktop_object, folder_wire, folder_object):
        register(process.known.catalogue, scan(module), process.known.matcher)
    return process


def on_channel(process: Process, cls: type, name: str, *classes: type) -> Object:
    terms = TermBuilder(process.known.formalisms)
    made = process.build(cls)
    on = process.build(SharedChannel, *[terms.value_of(one) for one in classes], name=name)
    process.connect(made, "channel", on, "Channel")
    return made


def desk(process: Process, name: str) -> Object:
    return on_channel(process, DesktopObject, name, DesktopOperation, DesktopState)


def item(key: str, recipe: Recipe) -> Add:
    return Add(Item(key, key, Place(0, 0, 100, 100), compact(recipe)))


def recipe(kind: str, name: str, channel: str) -> Recipe:
    return shared(kind, name, channel_reference(channel))


def test_everything_on_a_desktop_is_recorded(tmp_path: Path) -> None:
    with Processes(tmp_path / "homes") as processes:
        ann, eve = (learned(processes.process(name)) for name in ("ann", "eve"))
        outer = desk(ann, DESK)
        processes.advance(3)
        outer.instance.editor.edit("Add", item("folder", recipe("liven:shared-folder", "Things", FOLDER)))
        processes.advance(3)
        recorder = Recorder(eve, tmp_path / "feed", recipe("liven:desktop", "Desk", DESK))
        processes.advance(3)
        folder = on_channel(ann, SharedFolder, FOLDER, FolderOperation, FolderState)
        processes.advance(3)
        folder.instance.change("Put", Put("inner", compact(recipe("liven:desktop", "Inner", INNER))))
        processes.advance(3)
        inner = desk(ann, INNER)
        processes.advance(3)
        inner.instance.editor.edit("Add", item("note", recipe("liven:shared-counter", "Score", NOTE)))
        processes.advance(3)
        number = counter(ann, NOTE)
        processes.advance(3)
        number.instance.add(1)
        processes.advance(3)
        records = recorder.close(processes)
        assert {one.channel for one in records} == {DESK, FOLDER, INNER, NOTE}
        assert {one.object for one in records if one.channel == NOTE} == {"Desk/Things/Inner/Score"}
        assert len(events([one for one in records if one.channel == NOTE])) == 1
        ann.problems.clear()


def test_a_rule_leaves_out_a_part_with_everything_inside(tmp_path: Path) -> None:
    with Processes(tmp_path / "homes") as processes:
        ann, eve = (learned(processes.process(name)) for name in ("ann", "eve"))
        outer, inner = desk(ann, DESK), desk(ann, INNER)
        processes.advance(3)
        outer.instance.editor.edit("Add", item("inner", recipe("liven:desktop", "Inner", INNER)))
        inner.instance.editor.edit("Add", item("note", recipe("liven:shared-counter", "Score", NOTE)))
        processes.advance(3)
        rules = Rules.of(exclude=("inner",))
        recorder = Recorder(eve, tmp_path / "feed", recipe("liven:desktop", "Desk", DESK), rules=rules)
        processes.advance(3)
        assert {one.channel for one in recorder.close(processes)} == {DESK}
        ann.problems.clear()


def test_a_rule_finds_a_part_inside_others_that_it_does_not_take(tmp_path: Path) -> None:
    with Processes(tmp_path / "homes") as processes:
        ann, eve = (learned(processes.process(name)) for name in ("ann", "eve"))
        outer, number = desk(ann, DESK), counter(ann, NOTE)
        processes.advance(3)
        outer.instance.editor.edit("Add", item("note", recipe("liven:shared-counter", "Score", NOTE)))
        number.instance.add(5)
        processes.advance(3)
        rules = Rules.of(include=("Score",))
        recorder = Recorder(eve, tmp_path / "feed", recipe("liven:desktop", "Desk", DESK), rules=rules)
        processes.advance(3)
        number.instance.add(6)
        processes.advance(3)
        assert {one.channel for one in recorder.close(processes)} == {NOTE}
        ann.problems.clear()
