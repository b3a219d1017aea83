from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer
from pytestqt.qtbot import QtBot

from liven.app.qt_dispatcher import QtDispatcher
from liven.runtime.problems import Problem
from liven.runtime.testing.dispatcher_conformance import DispatcherConformance, give_up_after

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


class _OnQt:
    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.dispatcher = QtDispatcher(self.problems.append)

    def run(self, until: Callable[[], bool]) -> None:
        check = give_up_after()
        while not until():
            check()
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)


@pytest.fixture
def harness(qtbot: QtBot) -> Iterator[_OnQt]:
    on_qt = _OnQt()
    yield on_qt
    on_qt.dispatcher.close()


class TestQtDispatcher(DispatcherConformance):
    pass


def test_an_earlier_timer_wakes_the_dispatcher_earlier(harness: _OnQt) -> None:
    seen: list[str] = []
    harness.dispatcher.call_later(3600, lambda: seen.append("much later"))
    harness.dispatcher.call_later(0.001, lambda: seen.append("soon"))
    harness.run(lambda: bool(seen))
    assert seen == ["soon"]


def test_qts_own_timers_run_between_our_turns(harness: _OnQt) -> None:
    """A call that always schedules another must not starve the windows."""
    ours: list[int] = []
    theirs: list[str] = []

    def again() -> None:
        ours.append(1)
        if not theirs:
            harness.dispatcher.call_soon(again)

    harness.dispatcher.call_soon(again)
    QTimer.singleShot(1, lambda: theirs.append("painted"))
    harness.run(lambda: bool(theirs))
    assert ours


def test_a_dialog_opened_inside_a_call_lets_no_other_call_in(harness: _OnQt) -> None:
    seen: list[str] = []

    def modal() -> None:
        loop = QEventLoop()
        harness.dispatcher.call_soon(lambda: seen.append("after"))
        QTimer.singleShot(5, loop.quit)
        loop.exec()
        seen.append("dialog closed")

    harness.dispatcher.call_soon(modal)
    harness.run(lambda: len(seen) == 2)
    assert seen == ["dialog closed", "after"]


def test_closing_removes_everything_from_the_loop(harness: _OnQt) -> None:
    seen: list[str] = []
    passed: list[str] = []
    harness.dispatcher.call_later(0.001, lambda: seen.append("never"))
    harness.dispatcher.close()
    QTimer.singleShot(10, lambda: passed.append("time"))
    harness.run(lambda: bool(passed))
    assert seen == []
