"""Run many schedules of the channel simulator, all worlds mixed, and print the figures as JSON.

    python -m tests.sim.channels.campaign --schedules 1000 --seed 1 --jobs 2
    python -m tests.sim.channels.campaign --world replicas-disks --seed 4711 --schedules 1

The exit code is 1 if any schedule breached a promise. Each failing seed is printed with the command that
repeats it. SIGINT and SIGTERM end the campaign early, and the figures until then are printed.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import signal
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import NamedTuple

from liven.liveobjects.channel.simulation.schedule import Verdict
from liven.liveobjects.channel.simulation.worlds import WORLDS

FAILURES_SHOWN = 20


class Job(NamedTuple):
    """One schedule: a world and a seed."""

    world: str
    seed: int


@dataclass
class Figures:
    """The sums of one world, or of all."""

    schedules: int = 0
    operations: int = 0
    acknowledged: int = 0
    lost: int = 0
    breaches: int = 0
    waits_without_end: int = 0

    def add(self, verdict: Verdict) -> None:
        """Add one schedule."""
        self.schedules += 1
        self.operations += verdict.operations
        self.acknowledged += verdict.acknowledged
        self.lost += verdict.lost
        self.breaches += len(verdict.breaches)
        self.waits_without_end += verdict.waiting


@dataclass
class Campaign:
    """The figures of all schedules, and those that failed."""

    worlds: dict[str, Figures] = field(default_factory=dict)
    all: Figures = field(default_factory=Figures)
    failures: list[dict[str, str]] = field(default_factory=list)
    failed: Counter[str] = field(default_factory=Counter)

    def add(self, job: Job, verdict: Verdict) -> None:
        """Add one schedule."""
        self.worlds.setdefault(job.world, Figures()).add(verdict)
        self.all.add(verdict)
        if verdict.breaches:
            self.failed[job.world] += 1
            self.failures.append({"repeat": repeat(job), "breach": verdict.breaches[0]})

    def report(self) -> dict[str, object]:
        """Return everything as plain values."""
        return {
            "worlds": {name: asdict(figures) for name, figures in sorted(self.worlds.items())},
            "all": asdict(self.all),
            "failed": dict(sorted(self.failed.items())),
            "failures": self.failures[:FAILURES_SHOWN],
        }


def repeat(job: Job) -> str:
    """Return the command that repeats one schedule."""
    return f"python -m tests.sim.channels.campaign --world {job.world} --seed {job.seed} --schedules 1"


def jobs(schedules: int, seed: int, worlds: Sequence[str]) -> list[Job]:
    """Return the schedules to run: each world in turn."""
    return [Job(worlds[index % len(worlds)], seed + index) for index in range(schedules)]


def run(job: Job) -> tuple[Job, Verdict]:
    """Run one schedule. An exception of the code under test is a breach of this schedule alone."""
    try:
        return job, WORLDS[job.world](job.seed)
    except Exception as error:  # any error is a finding, and the campaign goes on
        what = f"raised {type(error).__name__}: {error}"
        return job, Verdict(job.seed, (what,), (), operations=0, views=0)


def run_all(of: Iterable[Job], processes: int = 1) -> Campaign:
    """Run schedules in some processes, until all are done or somebody interrupts."""
    campaign = Campaign()
    with suppress(KeyboardInterrupt):
        if processes == 1:
            for job in of:
                campaign.add(*run(job))
            return campaign
        with multiprocessing.get_context("spawn").Pool(processes, ignore_interrupts) as pool:
            for job, verdict in pool.imap(run, of, chunksize=8):
                campaign.add(job, verdict)
    return campaign


def ignore_interrupts() -> None:
    """Leave it to the first process to end the campaign. A terminal interrupts all."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def interrupt(*_: object) -> None:
    """End the campaign."""
    raise KeyboardInterrupt


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a campaign from the command line and return the exit code."""
    parser = argparse.ArgumentParser(description="Run schedules of the channel simulator.")
    parser.add_argument(
        "--schedules", type=int, default=1000, help="number of schedules, all worlds together"
    )
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first schedule")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    parser.add_argument(
        "--world", choices=sorted(WORLDS), action="append", help="only this world; repeatable"
    )
    options = parser.parse_args(arguments)
    campaign = run_all(
        jobs(options.schedules, options.seed, options.world or sorted(WORLDS)), max(1, options.jobs)
    )
    json.dump(campaign.report(), sys.stdout, indent=2)
    sys.stdout.write("\n")
    return 1 if campaign.failures else 0


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    sys.exit(main())
