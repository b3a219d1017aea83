"""Motion: values that arrive, turn back, and do not move where nothing may."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from liven.liveobjects.look.view.light import REDUCED_MOTION
from liven.liveobjects.look.view.moves import Moves


@pytest.fixture
def moves(qapp: QApplication) -> Iterator[Moves]:
    made = Moves()
    yield made
    made.stop()
    qapp.setProperty(REDUCED_MOTION, None)


def test_a_value_goes_to_one_and_back_to_zero(moves: Moves, qtbot: QtBot) -> None:
    seen: list[float] = []
    moves.go("lift", 40, seen.append)
    assert moves.is_moving("lift")
    qtbot.waitUntil(lambda: not moves.is_moving("lift"))
    assert seen == sorted(seen)
    assert seen[-1] == moves.value("lift") == 1
    moves.go("lift", 40, seen.append, back=True)
    qtbot.waitUntil(lambda: not moves.is_moving("lift"))
    assert moves.value("lift") == 0


def test_a_value_that_turns_back_goes_on_from_where_it_is(moves: Moves, qtbot: QtBot) -> None:
    seen: list[float] = []
    moves.go("toast", 10_000, seen.append)
    qtbot.waitUntil(lambda: moves.value("toast") > 0)
    moves.stop()
    height = moves.value("toast")
    assert 0 < height < 1
    back: list[float] = []
    moves.go("toast", 60, back.append, back=True)
    qtbot.waitUntil(lambda: not moves.is_moving("toast"))
    assert max(back) <= height
    assert back[-1] == 0


def test_with_reduced_motion_the_last_value_comes_at_once(qapp: QApplication, moves: Moves) -> None:
    qapp.setProperty(REDUCED_MOTION, True)
    seen: list[float] = []
    moves.go("lift", 10_000, seen.append)
    assert seen == [1]
    moves.go("lift", 10_000, seen.append, back=True)
    assert seen == [1, 0]
    assert not moves.is_moving("lift")


def test_what_is_there_already_does_not_move(moves: Moves) -> None:
    seen: list[float] = []
    moves.go("ear", 10_000, seen.append, back=True)
    assert seen == [0]
    assert not moves.is_moving("ear")


def test_moves_may_go_while_something_moves(qtbot: QtBot) -> None:
    gone = Moves()
    gone.go("lift", 10_000, lambda _: None)
    gone.go("ear", 10_000, lambda _: None)
    gone.forget("ear")
    del gone
    moves = Moves()
    moves.go("lift", 20, lambda _: None)
    qtbot.waitUntil(lambda: not moves.is_moving("lift"))


def test_a_forgotten_value_is_zero_and_takes_no_more_steps(moves: Moves, qtbot: QtBot) -> None:
    seen: list[float] = []
    moves.go("lift", 10_000, seen.append)
    moves.forget("lift")
    count = len(seen)
    qtbot.wait(1)
    assert (moves.value("lift"), len(seen)) == (0, count)
