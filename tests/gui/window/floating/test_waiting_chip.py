"""The chip that says what a board waits for: after a second, and only while that is true."""

from __future__ import annotations

from typing import Any

import pytest

from liven.app.palette.new_objects import desktop, note
from liven.app.window.floating.waiting_chip import AFTER, WaitingChip
from liven.liveobjects.channel.members.confirmation import NOT_YET, Confirmation
from liven.liveobjects.channel.objects.shared import SharedChannel


class Clock:
    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


def watched(window: Any, clock: Clock) -> Any:
    """Return what a window watches, on a clock of the test."""
    watch = window.confirmation
    watch._timer.stop()
    watch._now, watch._since = clock, None
    watch.look()
    return watch


def chips(window: Any) -> list[str]:
    return [one.accessibleName() for one in window.findChildren(WaitingChip) if one.isVisible()]


@pytest.mark.parametrize("thing", [desktop("Board"), note("Page")], ids=["over a board", "beside the menus"])
@pytest.mark.parametrize(
    ("found", "words"),
    [
        (Confirmation(awaited=("Ann",)), "Waiting for Ann’s computer"),
        (Confirmation(alone=True), NOT_YET),
    ],
)
def test_it_comes_after_a_second_and_goes_at_once(
    desk: Any, clock: Clock, monkeypatch: pytest.MonkeyPatch, thing: Any, found: Confirmation, words: str
) -> None:
    window = desk.open(thing)
    monkeypatch.setattr(SharedChannel, "confirmation", found)
    watch = watched(window, clock)
    clock.time += AFTER / 2
    watch.look()
    assert chips(window) == [], "a start takes less than a second"
    clock.time += AFTER / 2
    watch.look()
    assert chips(window) == [words]
    monkeypatch.setattr(SharedChannel, "confirmation", Confirmation())
    watch.look()
    assert chips(window) == []


def test_a_board_of_one_person_has_no_chip(desk: Any, clock: Clock) -> None:
    window = desk.open(desktop("Board"))
    watch = watched(window, clock)
    desk.wait(lambda: not any(one.alone for one in watch._found()) and list(watch._found()))
    clock.time += 2 * AFTER
    watch.look()
    clock.time += 2 * AFTER
    watch.look()
    assert chips(window) == []


def test_a_window_without_an_object_has_no_chip(
    desk: Any, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = desk.open(desktop("Board"))
    monkeypatch.setattr(SharedChannel, "confirmation", Confirmation(alone=True))
    watch = watched(window, clock)
    clock.time += 2 * AFTER
    watch.look()
    assert chips(window) == [NOT_YET]
    window.pause()
    assert chips(window) == []
