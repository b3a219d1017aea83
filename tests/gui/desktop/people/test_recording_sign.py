"""Everybody on a desktop reads who records it: among the people in its corner, and below the window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QMainWindow
from pytestqt.qtbot import QtBot

from liven.app.window.recordings.recording_badge import RecordingBadge
from liven.liveobjects.channel.api.recipes import channel_reference
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.liveobjects.desktop import wire
from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.view import Canvas
from liven.liveobjects.desktop.wire import DesktopOperation, DesktopState
from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.liveobjects.feeds.recorder.recording import Recording, RecordingOptions
from liven.types.catalogue import register
from liven.types.declare import TermBuilder, scan

NAME = "home/f/desk"


class Host:
    """The window of a canvas, which shows nothing here."""

    def show_message(self, message: str) -> None: ...
    def withdraw_message(self, message: str) -> None: ...
    def open_object(self, recipe: str, name: str) -> None: ...


@dataclass
class Stage:
    """A desktop in Ann's program, and Eve, who may record it."""

    processes: Processes
    ann: Process
    eve: Process
    desktop: Object
    folder: Path

    def record(self) -> Recording:
        self.eve.system.own_name = lambda: "Eve & Co"
        options = RecordingOptions(FeedFolder(self.folder / "feed"))
        told: list[str] = []
        recording = Recording(
            self.eve.system, self.eve.known.catalogue, options, lambda what, _: told.append(what), told.append
        )
        recording.begin(channel_reference(NAME))
        self.processes.advance(3)
        assert not told
        return recording


@pytest.fixture
def stage(tmp_path: Path, qtbot: QtBot) -> Iterator[Stage]:
    with Processes(tmp_path / "homes") as processes:
        ann, eve = processes.process("ann"), processes.process("eve")
        register(ann.known.catalogue, scan(wire), ann.known.matcher)
        terms = TermBuilder(ann.known.formalisms)
        classes = [terms.value_of(one) for one in (DesktopOperation, DesktopState)]
        desktop = ann.build(DesktopObject)
        ann.connect(desktop, "channel", ann.build(SharedChannel, *classes, name=NAME), "Channel")
        processes.advance(3)
        yield Stage(processes, ann, eve, desktop, tmp_path)


def test_the_corner_of_the_desktop_says_who_records(stage: Stage, qtbot: QtBot) -> None:
    canvas = Canvas(stage.desktop.instance, Host())
    qtbot.addWidget(canvas)
    canvas.show()
    assert not canvas.avatars.isVisible()
    recording = stage.record()
    found = canvas.avatars.findChildren(QLabel, "recording")
    assert [one.text() for one in found if one.isVisible()] == ["● Recording: Eve & Co"]
    recording.close()
    stage.processes.advance(3)
    assert not canvas.avatars.isVisible()


def test_the_last_line_of_the_window_says_who_records(stage: Stage, qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    badge = RecordingBadge(window)
    window.show()
    badge.watch(stage.ann.node, "ann")
    assert not badge.isVisible()
    recording = stage.record()
    assert badge.isVisible()
    assert badge.text() == "● Recording: Eve & Co"
    recording.close()
    stage.processes.advance(3)
    assert not badge.isVisible()
    badge.stop()


def test_a_recording_of_another_window_is_not_shown(stage: Stage, qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    badge = RecordingBadge(window)
    window.show()
    badge.watch(stage.ann.node, "another window")
    recording = stage.record()
    assert not badge.isVisible()
    recording.close()
    stage.processes.advance(3)
