from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.liveobjects.feeds.replay.recordings import Given, record, recording

from liven.app.feeds.replay.commands import Commands
from liven.liveobjects.feeds.replay.bookmarks import Bookmarks
from liven.liveobjects.feeds.replay.player import Player
from liven.liveobjects.feeds.replay.source.merged_logs import Origin
from liven.liveobjects.feeds.replay.transport import Transport
from liven.runtime.dispatcher.hand_cranked import HandCranked


class Keyboard:
    """A paused replay of twenty events, one a second, with its keys."""

    def __init__(self, folder: Path | None = None) -> None:
        self.crank = HandCranked()
        self.target = Given(self.crank.now)
        player = Player(recording([record(at) for at in range(20)]), self.target, self.crank.now)
        self.transport = Transport(player, self.crank)
        self.quits = 0
        bookmarks = None if folder is None else Bookmarks(folder)
        self.commands = Commands(
            self.transport, self._quit, bookmarks, lambda sequence: Origin("here", sequence)
        )
        self.crank.settle()

    def press(self, *keys: str) -> str:
        note = ""
        for key in keys:
            note = self.commands.press(key)
            self.crank.settle()
        return note

    @property
    def place(self) -> int:
        return self.transport.position.sequence

    def _quit(self) -> None:
        self.quits += 1


def test_events_and_seconds_on_and_back() -> None:
    board = Keyboard()
    board.press("right", "right", "right", "left")
    assert board.place == 2
    board.press("shift right", "shift right")
    assert board.place == 5
    board.press("shift left")
    assert board.place == 3
    board.press("b")
    assert board.place == 13
    board.press("home")
    assert board.place == 0
    board.press("end")
    assert board.place == 20


def test_space_plays_and_pauses() -> None:
    board = Keyboard()
    board.press("space")
    board.crank.advance(3.5)
    board.press("space")
    board.crank.advance(9)
    assert board.place == 4


def test_speed_goes_up_and_down_and_is_told() -> None:
    board = Keyboard()
    assert board.press("up") == "speed 2 ×"
    assert board.press("up", "up") == "speed 10 ×"
    assert board.press("down") == "speed 5 ×"
    assert board.press(*["up"] * 20) == "speed max"


def test_loop_is_switched() -> None:
    board = Keyboard()
    assert board.press("l") == "begins again at the end"
    assert board.transport.player.loop
    assert board.press("l") == "stops at the end"


def test_a_part_is_repeated_and_let_go() -> None:
    board = Keyboard()
    board.press("right", "right")
    assert "press a again at B" in board.press("a")
    board.press("b")
    assert board.press("a") == "repeats A to B"
    part = board.transport.player.part
    assert part is not None
    assert (part.begin.sequence, part.end.sequence) == (2, 12)
    assert board.press("a") == "plays on to the end"
    assert board.transport.player.part is None


def test_bookmarks_are_kept_with_the_feed(tmp_path: Path) -> None:
    board = Keyboard(tmp_path)
    board.press("right", "right")
    assert board.press("m").startswith("“bookmark 1” is at ")
    board.press("right")
    assert board.press("m").startswith("“bookmark 2” is at ")
    assert [(one.name, one.sequence) for one in Bookmarks(tmp_path).all()] == [
        ("bookmark 1", 2),
        ("bookmark 2", 3),
    ]


def test_failure_of_a_bookmark_is_a_note(tmp_path: Path) -> None:
    assert Keyboard().press("m") == "only recorded feeds have bookmarks"
    board = Keyboard(tmp_path)
    (tmp_path / "bookmarks.json").write_text("{")
    assert "it is not JSON" in board.press("m")
    board = Keyboard(tmp_path / "nowhere")
    assert "nowhere" in board.press("m")


def test_q_quits() -> None:
    board = Keyboard()
    board.press("q")
    assert board.quits == 1


@pytest.mark.parametrize("key", ["x", ""])
def test_other_keys_do_nothing(key: str) -> None:
    board = Keyboard()
    assert board.press(key) == ""
    assert board.place == 0
