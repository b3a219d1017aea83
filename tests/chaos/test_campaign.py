"""The campaign itself: its plans, a planted fault, and what it leaves behind when it is killed."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.chaos.cleanup import VARIABLE
from tests.chaos.machine import ROOT
from tests.chaos.plan import WEIGHTS, Plan, draw
from tests.chaos.power_cut import build
from tests.chaos.schedule import Schedule
from tests.chaos.world import why_not

PATIENCE = 30.0


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "tests.chaos", *words]


def run(folder: Path, plant: str, only: str = "kill") -> dict[str, Any]:
    """Run one schedule with a planted fault, and return its report."""
    words = [
        "--schedules",
        "1",
        "--seed",
        "3",
        "--shapes",
        "desks",
        "--only",
        only,
        "--folder",
        str(folder),
    ]
    environment = {**os.environ, "CHAOS_PLANT": plant}
    done = subprocess.run(
        command(*words), cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    report: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == (1 if plant else 0), report
    return report


def test_a_plan_follows_from_its_seed() -> None:
    plans = [draw(seed) for seed in range(50)]
    assert plans == [draw(seed) for seed in range(50)]
    assert {plan.shape for plan in plans} == set(WEIGHTS)
    drawn = {(plan.shape, step.kind) for plan in map(draw, range(2000)) for step in plan.steps}
    assert drawn == {(shape, kind) for shape, weights in WEIGHTS.items() for kind in weights}


@pytest.mark.slow
@pytest.mark.parametrize(("plant", "kind"), [("lose", "lost"), ("double", "doubled"), ("", "")])
def test_a_planted_fault_makes_the_campaign_fail(tmp_path: Path, plant: str, kind: str) -> None:
    report = run(tmp_path, plant)
    assert report["acknowledged"] > 100
    assert [list(each["faults"])[:1] for each in report["broken"]] == ([[kind]] if kind else [])
    assert (tmp_path / "schedule-3" / "side").is_dir() == bool(kind)  # what is broken is kept


@pytest.mark.slow
@pytest.mark.parametrize(("plant", "kinds"), [("names", ["unread"]), ("", [])])
def test_members_that_know_only_small_names_make_the_campaign_fail(
    tmp_path: Path, plant: str, kinds: list[str]
) -> None:
    """Names were read as 13 bits once: after a restart of the service, the messages about newcomers were
    not."""
    report = run(tmp_path, plant, "newcomers")
    assert report["faults"] == {"newcomers": 1}
    found = [kind for each in report["broken"] for kind in each["faults"]]
    assert [kind for kind in found if kind != "stuck"] == kinds


class TwoDestroyed(Schedule):
    """A schedule in which two of three computers are destroyed at once."""

    def _inject(self) -> None:
        world = self._world
        lost = [world.add_member() for _ in range(2)]
        for each in lost:
            each.start()

        def are_confirmed() -> bool:
            self._let_work()
            return all(each.confirmed for each in world.members)

        assert world.wait(are_confirmed, PATIENCE)
        for each in lost:
            each.signal(signal.SIGKILL)
        for each in lost:
            each.is_over = True
            each.kill()


@pytest.mark.slow
def test_programs_that_are_gone_for_good_are_declared_gone(tmp_path: Path) -> None:
    """The last one is no majority, and waits until a person says so."""
    folder = tmp_path / "schedule"
    folder.mkdir()
    plan = Plan(1, "desks", 1, 0.0, (), "moderate", 0, starts_again=False)
    outcome = TwoDestroyed(plan, folder, build(tmp_path), secrets.token_hex(16)).run()
    assert outcome.verdict.faults() == {}
    assert outcome.declarations == 1


@pytest.mark.slow
def test_an_interrupted_campaign_prints_its_figures(tmp_path: Path) -> None:
    words = ["--minutes", "5", "--seed", "3", "--shapes", "home", "--folder", str(tmp_path)]
    campaign = subprocess.Popen(command(*words), cwd=ROOT, stdout=subprocess.PIPE)
    _until(lambda: len(_workers(tmp_path)) >= 3)
    campaign.terminate()
    told, _ = campaign.communicate(timeout=PATIENCE)
    assert json.loads(told)["seed"] == 3
    assert campaign.returncode == 130
    _until(lambda: not _workers(tmp_path))


@pytest.mark.slow
def test_a_killed_campaign_leaves_no_process_and_no_network(tmp_path: Path) -> None:
    if why_not():
        pytest.skip(why_not())
    words = ["--schedules", "1", "--seed", "3", "--shapes", "hosts", "--folder", str(tmp_path)]
    campaign = subprocess.Popen(command(*words), cwd=ROOT, start_new_session=True)
    _until(lambda: len(_workers(tmp_path)) > 3 and _networks(campaign.pid) > 3)
    os.kill(campaign.pid, signal.SIGKILL)
    campaign.wait()
    _until(lambda: not _workers(tmp_path) and not _networks(campaign.pid))


def _until(true: Callable[[], bool]) -> None:
    limit = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < limit
        time.sleep(0.1)


def _workers(folder: Path) -> list[str]:
    return [each for each in _environments() if str(folder) in each and VARIABLE in each]


def _environments() -> list[str]:
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                found.append((folder / "environ").read_bytes().decode(errors="replace"))
            except OSError:
                continue  # it has ended meanwhile
    return found


def _networks(owner: int) -> int:
    listed = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True).stdout
    return sum(line.startswith(f"lv{owner}") for line in listed.splitlines())
