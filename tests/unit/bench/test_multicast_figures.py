"""The measurement of multicast: its calculations."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


@pytest.fixture
def part(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], ModuleType]]:
    """Load a part of the measurement by its name, and forget it after the test."""
    monkeypatch.syspath_prepend(str(root / "bench"))
    before = set(sys.modules)
    yield lambda name: importlib.import_module(f"multicast_figures.{name}")
    for name in set(sys.modules) - before:
        if name.startswith("multicast_figures") or name in ("figure_report", "membership", "multicast"):
            del sys.modules[name]


Part = Callable[[str], ModuleType]
_LAX = settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)


def run_of(flows: ModuleType, rate: float) -> object:
    return flows.Run(rate, 1.0, 1.0, 1.0, 1, 1.0)


@_LAX
@given(st.floats(2_000, 1e7), st.floats(2_000, 1e6))
def test_the_search_finds_the_highest_rate_without_a_loss(part: Part, bound: float, start: float) -> None:
    flows, search = part("flows"), part("lossless")

    def measure(rate: float) -> object:
        if rate > bound:
            raise flows.NoRateError("lost")
        return run_of(flows, rate)

    assert bound / search.CLOSE <= search.lossless(measure, start).rate <= bound


def test_a_sender_that_cannot_keep_up_ends_the_search(part: Part) -> None:
    flows, search = part("flows"), part("lossless")
    asked: list[float] = []

    def measure(rate: float) -> object:
        asked.append(rate)
        return run_of(flows, min(rate, 70_000.0))

    assert search.lossless(measure, 20_000.0).rate == 70_000.0
    assert asked == [20_000.0, 40_000.0, 80_000.0]


def test_a_search_without_any_success_is_reported(part: Part) -> None:
    flows, search = part("flows"), part("lossless")

    def measure(_rate: float) -> object:
        raise flows.NoRateError("lost")

    with pytest.raises(flows.NoRateError):
        search.lossless(measure, 20_000.0)


def test_the_share_of_a_stopped_second_is_held_against_the_one_before(part: Part) -> None:
    flows, frozen = part("flows"), part("frozen")
    slots = [10] * 100 + [5] * 100 + [10] * 100
    facts = {"first": 50.0, "slots": slots, "demoted": 0}
    run = flows.Run(1.0, 1.0, 1.0, 1.0, 1, 1.0, received=(facts, facts, facts))
    assert frozen.Frozen(run, 51.0, 52.0).share() == 0.5
    assert not frozen.Frozen(run, 51.0, 52.0).behind


def test_missing_peers_are_named(part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LIVEN_PEERS", raising=False)
    peers = part("peers")
    absent = next(row for row in peers.figures(1e6, 8) if row.id == "peers.absent")
    assert absent.value == len(peers.PEERS)
    assert "LIVEN_PEERS is not set" in absent.unit
    assert "nats" in absent.unit


def test_a_peer_is_measured_by_the_program_in_the_folder(
    part: Part, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "run.py").write_text(
        "import json, sys\n"
        "name = sys.argv[2]\n"
        "found = {'rate_min': 250000, 'loss_pct': 0.0} if name == 'nats' else {'error': 'not built'}\n"
        "print(json.dumps(found))\n"
    )
    monkeypatch.setenv("LIVEN_PEERS", str(tmp_path))
    rows = {row.id: row for row in part("peers").figures(1e6, 8)}
    assert rows["peers.nats.1to8/packed"].value == 0.25
    assert rows["peers.absent"].value == len(part("peers").PEERS) - 1


def test_ratios_stand_first_and_a_wrong_flag_costs_nothing(
    part: Part, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part("flows")
    bench, frame = importlib.import_module("multicast"), importlib.import_module("figure_report")
    rows = [frame.Figure("b", 1, "us"), frame.Figure("a", 1, ""), frame.Figure("c", 1, "")]
    assert [row.id for row in bench.ratios_first(rows)] == ["a", "c", "b"]
    monkeypatch.setattr(bench, "build", lambda _folder: pytest.fail("it was built"))
    monkeypatch.setattr(sys, "argv", ["multicast", "--bogus"])
    with pytest.raises(SystemExit):
        bench.main()


def test_a_part_that_is_not_there_is_named_before_anything_is_measured(root: Path) -> None:
    script = [sys.executable, str(root / "bench" / "multicast.py")]
    wrong = subprocess.run([*script, "--only", "later"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "no part begins with 'later'" in wrong.stderr
    assert "latency.1to8" in wrong.stderr
