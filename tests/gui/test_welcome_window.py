"""The welcome window, operated by real events."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from liven.app import welcome_window
from liven.app.doctor import Finding, State
from liven.app.welcome_window import WelcomeWindow

GOOD = Finding("Python", State.OK, "3.11")
SCARCE = Finding("Spark", State.MISSING, "not installed", "pip install it")
BAD = Finding("Multicast", State.BROKEN, "nothing came back", "ip link set lo multicast on")

PATIENCE = 60_000
"""Milliseconds; a round runs in a thread, which a busy machine may hold up."""


class Clinic:
    """A simulated machine with findings of the test."""

    def __init__(self) -> None:
        self.findings = [GOOD]
        self.rounds = 0
        self.gate = Event()
        self.gate.set()

    def examine(self) -> Iterator[Finding]:
        self.rounds += 1
        assert self.gate.wait(60)
        yield from self.findings


@pytest.fixture
def clinic() -> Clinic:
    return Clinic()


@pytest.fixture
def window(qtbot: QtBot, clinic: Clinic) -> WelcomeWindow:
    made = WelcomeWindow(clinic.examine)
    qtbot.addWidget(made)
    made.show()
    return made


def texts(window: WelcomeWindow) -> list[str]:
    return [label.text() for label in window.findChildren(QLabel)]


def button(window: WelcomeWindow, word: str) -> QPushButton:
    return next(found for found in window.findChildren(QPushButton) if word in found.text().replace("&", ""))


def check(window: WelcomeWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.finished, timeout=PATIENCE):
        window.check()


@pytest.mark.parametrize(
    ("findings", "summary"),
    [
        ([GOOD], "Everything is available."),
        ([GOOD, SCARCE], "Everything needed is available; optional parts missing: 1."),
        ([GOOD, SCARCE, BAD], "1 of 3 checks failed; see the → lines for fixes."),
    ],
)
def test_the_summary_counts_failed_checks(
    findings: list[Finding], summary: str, clinic: Clinic, window: WelcomeWindow, qtbot: QtBot
) -> None:
    clinic.findings = findings
    check(window, qtbot)
    assert summary in texts(window)


def test_each_finding_is_a_line_with_advice(clinic: Clinic, window: WelcomeWindow, qtbot: QtBot) -> None:
    clinic.findings = [GOOD, BAD]
    check(window, qtbot)
    assert "nothing came back\n→ ip link set lo multicast on" in texts(window)
    names = [label.accessibleName() for label in window.findChildren(QLabel) if label.accessibleName()]
    assert names == ["ok", "broken"]


def test_checking_again_replaces_the_findings(clinic: Clinic, window: WelcomeWindow, qtbot: QtBot) -> None:
    clinic.findings = [GOOD, SCARCE]
    check(window, qtbot)
    clinic.findings = [BAD]
    with qtbot.waitSignal(window.finished, timeout=PATIENCE):
        QTest.mouseClick(button(window, "Check again"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "not installed\n→ pip install it" not in texts(window), timeout=PATIENCE)
    assert window.findings == [BAD]
    assert clinic.rounds == 2


def test_f5_checks_again(clinic: Clinic, window: WelcomeWindow, qtbot: QtBot) -> None:
    check(window, qtbot)
    with qtbot.waitSignal(window.finished, timeout=PATIENCE):
        QTest.keyClick(window, Qt.Key.Key_F5)
    assert clinic.rounds == 2


def test_a_second_check_during_the_first_is_ignored(
    clinic: Clinic, window: WelcomeWindow, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(window.finished, timeout=PATIENCE):
        window.check()
        window.check()
        assert not button(window, "Check again").isEnabled()
    assert clinic.rounds == 1
    assert button(window, "Check again").isEnabled()


def test_the_diagnosis_can_be_copied(clinic: Clinic, window: WelcomeWindow, qtbot: QtBot) -> None:
    clinic.findings = [GOOD, BAD]
    check(window, qtbot)
    QTest.mouseClick(button(window, "Copy"), Qt.MouseButton.LeftButton)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[1:] == [
        "Python: ok: 3.11",
        "Multicast: broken: nothing came back → ip link set lo multicast on",
    ]


def test_closing_the_window_does_not_wait_for_the_checks(
    clinic: Clinic, window: WelcomeWindow, qtbot: QtBot
) -> None:
    clinic.gate.clear()
    window.check()
    assert window.close()
    assert window.findings == []
    clinic.gate.set()
    qtbot.waitUntil(lambda: not any(one.is_running() for one in welcome_window._ABANDONED), timeout=PATIENCE)
    assert window.findings == []


def test_finished_checks_are_released(clinic: Clinic, window: WelcomeWindow, qtbot: QtBot) -> None:
    for _ in range(3):
        check(window, qtbot)
    qtbot.waitUntil(lambda: not window.findChildren(welcome_window.CheckRun), timeout=PATIENCE)
