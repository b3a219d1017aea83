"""The report of measurements."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import ModuleType

import pytest


@pytest.fixture
def frame(script: Callable[[str], ModuleType]) -> ModuleType:
    return script("bench/figure_report.py")


@pytest.mark.parametrize(
    ("value", "target", "at_most", "ok"),
    [
        (1.0, 2.0, True, True),
        (3.0, 2.0, True, False),
        (3.0, 2.0, False, True),
        (1.0, 2.0, False, False),
        (1.0, None, True, None),
    ],
)
def test_a_target_is_met_on_its_side(
    frame: ModuleType, value: float, target: float | None, at_most: bool, ok: bool | None
) -> None:
    assert frame.Figure("x", value, "s", target, at_most).ok is ok


def test_json_is_one_object_and_a_missed_target_is_the_exit_code(
    frame: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [frame.Figure("fast", 1.0, "s", 2.0), frame.Figure("slow", 3.0, "s", 2.0)]
    assert frame.report("race", rows, ["--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["name"] == "race"
    assert [(row["id"], row["ok"]) for row in answer["figures"]] == [("fast", True), ("slow", False)]
    assert set(answer["figures"][0]) == {"id", "value", "unit", "target", "ok"}


def test_a_table_names_what_was_missed(frame: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert frame.report("race", [frame.Figure("slow", 3.0, "s", 2.0)], []) == 1
    assert "slow" in (shown := capsys.readouterr().out)
    assert "MISSED" in shown


def test_a_table_for_the_docs_says_what_was_reached(
    frame: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        frame.Figure("share", 0.5512, "", 0.6, at_most=False),
        frame.Figure("rate", 1234567.0, "msg/s", 500_000, at_most=False),
        frame.Figure("time", 3.0, "us"),
    ]
    assert frame.report("race", rows, ["--markdown"]) == 1
    assert capsys.readouterr().out.splitlines()[2:] == [
        "| share | 0.551 | ≥ 0.6 | missed |",
        "| rate | 1,234,567 msg/s | ≥ 500,000 | reached |",
        "| time | 3 us |  |  |",
    ]


def test_figures_without_targets_do_not_fail(frame: ModuleType) -> None:
    assert frame.report("race", [frame.Figure("x", 3.0, "s")], []) == 0


def test_a_figure_that_is_not_a_number_is_refused(frame: ModuleType) -> None:
    with pytest.raises(ValueError, match="race: x came out as nan"):
        frame.report("race", [frame.Figure("x", float("nan"), "s")], ["--json"])


def test_a_wrong_flag_is_refused_before_measuring(frame: ModuleType) -> None:
    measured: list[int] = []

    def measure() -> object:
        measured.append(1)
        yield frame.Figure("x", 1.0, "s")

    with pytest.raises(SystemExit):
        frame.report("race", measure(), ["--bogus"])
    assert measured == []


def test_the_quietest_round_counts(frame: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([0.0, 5.0, 10.0, 12.0, 20.0, 29.0])
    monkeypatch.setattr(frame.time, "perf_counter", lambda: next(ticks))
    assert frame.best_of(3, 2, lambda: None) == 1.0
