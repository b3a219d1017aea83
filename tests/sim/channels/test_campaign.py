"""The campaign of the channel simulator: all worlds, mixed, with figures and commands that repeat."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.sim.channels import campaign

from liven.liveobjects.channel.simulation.schedule import BRIEF_FROM, Verdict
from liven.liveobjects.channel.simulation.worlds import WORLDS

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("world", sorted(WORLDS))
def test_no_promise_is_breached_in_any_world(world: str) -> None:
    found = campaign.run_all(campaign.jobs(6, 1, [world]))
    assert found.failures == []
    assert found.all.acknowledged > 0


@pytest.mark.parametrize(
    ("world", "seed"),
    [
        ("archives", 33_056_086),
        ("copied-disks", 33_000_327),
        ("copied-disks", 34_023_603),
        ("copied-disks", 34_039_093),
        ("faulty-objects", 31_049_832),
        ("faulty-objects", 32_000_039),
        ("full-copies", 36_126_468),
        ("full-copies", 36_138_423),
        ("full-copies", 40_068_814),
        ("full-disks", 37_006_722),
        ("full-homes", 36_140_559),
        ("full-homes", 37_028_747),
        ("full-homes", 44_001_083),
        ("full-homes", 44_001_112),
        ("gone-copies", 36_200_951),
        ("gone-full", 36_209_554),
        ("gone-full", 36_218_404),
        ("gone-full", 38_001_274),
        ("gone-homes", 36_186_772),
        ("gone-homes", 36_195_139),
        ("full-copies", 43_017_829),
        ("full-homes", 41_065_619),
        ("gone-homes", 41_041_344),
        ("members-gone", 41_017_119),
        ("members-gone", 33_056_865),
        ("members-gone", 36_189_212),
        ("replicas-disks", 33_062_369),
        ("replicas-disks", 36_199_515),
        ("shared-homes", 55),
        ("shared-homes", 338),
        ("shared-homes", 5043),
        ("shared-homes", 1_004_971),
        ("shared-homes", 1_006_331),
        ("shared-homes", 80_008_043),
        ("restored-homes", 43_021_889),
        ("restored-homes", 50_000_086),
        ("restored-homes", 60_007_792),
        ("restored-homes", 60_029_392),
        ("restored-homes", 50_000_247),
        ("shared-homes", 11_051_556),
        ("shared-homes", 33_005_646),
        ("shared-homes", 33_026_024),
        ("aged-replicas", 70_031_176),
        ("gone-copies", 70_054_883),
        ("gone-copies", 70_055_258),
        ("three-laptops", 51_000_506),
        ("three-laptops", 51_001_794),
        ("three-laptops", 60_023_769),
        ("unsound-flips", 1_002_476),
        ("unsound-inside", 11_054_280),
        ("unsound-inside", 20_028_673),
        ("unsound-inside", 30_004_571),
        ("unsound-inside", 33_066_893),
        ("unsound-inside", 36_021_313),
        ("unsound-inside", 37_051_126),
        ("unsound-inside", 43_028_135),
    ],
)
def test_seeds_that_once_failed_pass(world: str, seed: int) -> None:
    assert campaign.run_all([campaign.Job(world, seed)]).failures == []


def test_brief_schedules_submit_fewer_operations() -> None:
    def operations(first: int) -> int:
        return campaign.run_all(campaign.jobs(10, first, ["replicas"])).all.operations

    whole, brief = BRIEF_FROM, BRIEF_FROM + 1000
    assert operations(brief) * 3 < operations(whole)


def test_every_world_is_in_the_documentation() -> None:
    text = (ROOT / "docs" / "simulator.md").read_text(encoding="utf-8")
    assert [world for world in WORLDS if f"`{world}`" not in text] == []


def test_the_worlds_are_mixed_evenly() -> None:
    mixed = campaign.jobs(2 * len(WORLDS), 5, sorted(WORLDS))
    assert sorted({job.world for job in mixed[: len(WORLDS)]}) == sorted(WORLDS)
    assert len({job.seed for job in mixed}) == len(mixed)


def test_a_failing_schedule_is_named_with_the_command_that_repeats_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = Verdict(7, ("it is lost",), (), operations=3, views=1, acknowledged=2, lost=1, waiting=1)
    monkeypatch.setattr(campaign, "WORLDS", {"ordering": lambda _: broken})
    assert campaign.main(["--world", "ordering", "--seed", "7", "--schedules", "1"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["failures"] == [
        {
            "repeat": "python -m tests.sim.channels.campaign --world ordering --seed 7 --schedules 1",
            "breach": "it is lost",
        }
    ]
    assert (told["all"]["acknowledged"], told["all"]["lost"], told["all"]["waits_without_end"]) == (2, 1, 1)


def test_an_error_in_one_schedule_does_not_end_the_campaign(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: int) -> Verdict:
        raise KeyError("node")

    monkeypatch.setattr(campaign, "WORLDS", {"ordering": fails})
    found = campaign.run_all(campaign.jobs(2, 1, ["ordering"]))
    assert [each["breach"] for each in found.failures] == ["raised KeyError: 'node'"] * 2


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.slow
def test_an_interrupted_campaign_prints_the_figures_so_far(jobs: str) -> None:
    command = [sys.executable, "-m", "tests.sim.channels.campaign", "--schedules", "1000000", "--jobs", jobs]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        wait_for_work(process.pid, float(jobs))
        process.terminate()
        told = json.loads(process.communicate(timeout=60)[0])
    assert 0 < told["all"]["schedules"] < 1_000_000


def wait_for_work(pid: int, jobs: float) -> None:
    """Wait until a campaign has used some seconds of processor time."""
    clock = os.sysconf("SC_CLK_TCK")
    children = Path(f"/proc/{pid}/task/{pid}/children")
    while True:
        pids = [pid, *map(int, children.read_text().split())]
        stats = [Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split() for one in pids]
        if sum(int(each[11]) for each in stats) / clock > 3 * jobs:
            return
        time.sleep(0.05)
