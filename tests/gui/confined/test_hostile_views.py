"""Hostile views: each message ends their process or is bounded, and never reaches the program's texts."""

from __future__ import annotations

import time
from typing import Any

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from liven.liveobjects.confined.view.container import ConfinedView
from liven.runtime.confined.process import BadMessageError


class Line:
    """The process, as a view sees it: `sent` holds what the view told it."""

    open = True

    def __init__(self) -> None:
        self.sent: list[tuple[object, ...]] = []

    def admit(self, _: object) -> int:
        return 1

    def dismiss(self, _: int) -> None:
        pass

    def ask(self) -> None:
        pass

    def send(self, *rest: object) -> None:
        self.sent.append(rest)


class Host:
    def __init__(self) -> None:
        self.said: list[str] = []

    def show_message(self, message: str) -> None:
        self.said.append(message)

    def withdraw_message(self, message: str) -> None:
        pass

    def open_object(self, recipe: str, name: str) -> None:
        raise AssertionError(name)


@pytest.fixture
def host() -> Host:
    return Host()


@pytest.fixture
def view(qtbot: Any, host: Host, monkeypatch: pytest.MonkeyPatch) -> ConfinedView:
    line = Line()

    class Object:
        process = line
        number = 1

    class Interface:
        object = Object()
        endpoint = "UI"

    made: Any = ConfinedView(Interface(), host)  # type: ignore[arg-type]  # only the process is replaced
    monkeypatch.setattr(made._remote, "hand_over", lambda _: True)
    made.line = line
    return made  # type: ignore[no-any-return]


def paint(view: ConfinedView, width: int = 40, height: int = 30) -> None:
    image = QImage(width, height, QImage.Format.Format_ARGB32)
    with QPainter(image) as painter:
        view.paint(painter, QRectF(0, 0, width, height))


def line_of(view: ConfinedView) -> Line:
    line: Line = view.line  # type: ignore[attr-defined]
    return line


def asked(view: ConfinedView, qtbot: Any, width: int = 40, height: int = 30) -> None:
    """Let the view ask for its first picture."""
    line = line_of(view)
    paint(view, width, height)
    qtbot.waitUntil(lambda: any("size" in row for row in line.sent))


def test_picture_that_nobody_asked_for_ends_the_process(view: ConfinedView, qtbot: Any) -> None:
    asked(view, qtbot)
    view.came("frame", [1])
    with pytest.raises(BadMessageError, match="before the last one was shown"):
        view.came("frame", [1])


def test_picture_may_follow_once_the_last_one_is_shown(view: ConfinedView, qtbot: Any) -> None:
    asked(view, qtbot)
    view.came("frame", [1])
    paint(view)
    qtbot.waitUntil(lambda: any("shown" in row for row in line_of(view).sent))
    view.came("frame", [1])


def test_pictures_of_a_whole_screen_come_at_a_bounded_rate(
    view: ConfinedView, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    started: list[int] = []
    monkeypatch.setattr(view._next, "start", started.append)
    asked(view, qtbot, 3840, 2160)
    view.came("frame", [1])
    paint(view, 3840, 2160)
    with pytest.raises(BadMessageError, match="before the last one was shown"):
        view.came("frame", [1])
    assert not any("shown" in row for row in line_of(view).sent)
    assert started == [70]
    now[0] += 60.0
    paint(view, 3840, 2160)
    assert started == [70], "a picture is shown once"


def test_picture_of_another_size_is_ignored(view: ConfinedView, qtbot: Any) -> None:
    view.came("frame", [0])
    asked(view, qtbot)
    view.came("frame", [0])
    view.came("frame", [2**63])
    assert view.picture_size().isEmpty()


@pytest.mark.parametrize(
    ("what", "rest"),
    [
        ("frame", []),
        ("frame", ["1"]),
        ("about", ["", "", True, "1", 1.0]),
        ("about", [1, "", True, 1.0, 1.0]),
        ("cursor", ["x"]),
        ("message", [b"x"]),
        ("open", ["<Root/>"]),
        ("failed", []),
    ],
)
def test_message_that_makes_no_sense_is_refused(view: ConfinedView, what: str, rest: list[Any]) -> None:
    with pytest.raises(BadMessageError):
        view.came(what, rest)


def test_sizes_and_cursors_out_of_bounds_are_ignored(view: ConfinedView) -> None:
    for size in (float("nan"), float("inf"), -1.0, 0.0, 1e9):
        view.came("about", ["t", "s", False, size, size])
        assert (view.size_hint().width(), view.size_hint().height()) == (240, 160)
    view.widget()
    for shape in (-1, 10**6, 2**63):
        view.came("cursor", [shape])


def test_messages_are_few_and_named_after_the_object(view: ConfinedView, host: Host) -> None:
    view.came("about", ["Pad\u202e\n", "", False, 1.0, 1.0])
    for _ in range(1000):
        view.came("message", ["Liven needs\u202e your password"])
    assert host.said == ["Pad: Liven needs your password"]
