"""The problem of unconfirmed changes in a window: its button goes on without the absent member, and the
problem then goes away by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget, QPushButton
from pytestqt.qtbot import QtBot

from liven.app.window.object_window import ObjectWindow
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.session.session import ChannelSession
from liven.liveobjects.channel.session.unconfirmed import TOLD_AFTER
from liven.liveobjects.channel.store import Sync
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.counter.object import CounterObject
from liven.types.terms.value_types import Integer

NAME = "home/f/counter"
NUMBER = Integer(-(2**63), 2**63 - 1)
PEOPLE = {1: "Ann", 2: "Bob"}


def counter(process: Process) -> CounterObject:
    process.system.name_of = lambda node: PEOPLE.get(node, "")
    made = process.build(CounterObject)
    channel = process.build(SharedChannel, NUMBER, NUMBER, name=NAME)
    process.connect(made, "channel", channel, "Channel")
    instance = made.instance
    assert isinstance(instance, CounterObject)
    return instance


def session(process: Process) -> ChannelSession:
    return process.system.shared(ChannelSession, NAME, lambda: pytest.fail("it is open"))


def rows(window: ObjectWindow) -> list[str]:
    listed = window.problems.findChild(QListWidget)
    assert isinstance(listed, QListWidget)
    return [listed.item(row).text() for row in range(listed.count())]


def buttons(window: ObjectWindow) -> list[QPushButton]:
    shown = [each for each in window.problems.findChildren(QPushButton) if each.isVisible()]
    return [each for each in shown if "will not come back" in each.text()]


def test_a_click_on_will_not_come_back_confirms_changes_and_removes_the_problem(
    qtbot: QtBot, tmp_path: Path
) -> None:
    window = ObjectWindow("counter")
    qtbot.addWidget(window)
    window.show()
    with Processes(tmp_path, Sync.SOON) as processes:
        ann, bob = processes.process("ann"), processes.process("bob")
        for process in (ann, bob):
            changed = counter(process)
            processes.advance(3)
        changed.add(1)
        processes.advance(2)
        bob.node.problems.listen(window.problems.add)
        driver = session(ann)._driver
        assert driver is not None
        driver.close()
        processes.advance(1)
        changed.add(1)
        processes.advance(TOLD_AFTER + 2)
        (row,) = rows(window)
        assert "1 change is not confirmed yet: waiting for Ann (" in row
        window.show_problems()
        listed = window.problems.findChild(QListWidget)
        assert isinstance(listed, QListWidget)
        listed.setCurrentRow(0)
        qtbot.waitUntil(lambda: len(buttons(window)) == 1)
        (button,) = buttons(window)
        assert button.text().startswith("Ann (")
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        processes.advance(10)
        assert session(bob).unacknowledged == 0
        assert not any("not confirmed" in each for each in rows(window))
        bob.problems.clear()
