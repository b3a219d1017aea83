"""Measure the rule for programs that return without the others: two people with a laptop each.

    python -m tests.sim.channels.returning_alone --runs 100

In each of forty sittings one of them or both open the channel, work, and close it or lose power. With the
rule of Liven, programs that all have just returned confirm changes after two seconds. With the strict rule
they need a majority of the last session, as all others do. The result is a JSON object with the figures of
both.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Final
from unittest import mock

from liven.liveobjects.channel.history import Session, Standing, Voter, standing
from liven.liveobjects.channel.ordering.opening import decision
from liven.liveobjects.channel.simulation.schedules.two_laptops import Figures, TwoLaptops

SITTINGS: Final = 40


@contextmanager
def strict() -> Iterator[None]:
    """Let also those who have just returned need a majority."""

    def rights(
        stable: Session, attempts: Sequence[Session], voters: Sequence[Voter], *, returned: bool
    ) -> Standing:
        return standing(stable, attempts, voters)

    with mock.patch.object(decision, "_rights", rights):
        yield


def measure(runs: int, together: float) -> Figures:
    """Return the figures of some runs."""
    figures = Figures()
    for seed in range(runs):
        TwoLaptops(seed, figures, together=together).run(SITTINGS)
    return figures


def both_rules(runs: int, together: float) -> dict[str, dict[str, int]]:
    """Return the figures of both rules."""
    found = {"the rule": asdict(measure(runs, together))}
    with strict():
        found["strict"] = asdict(measure(runs, together))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures of both rules, for people who meet often, at times, and hardly ever."""
    parser = argparse.ArgumentParser(description="Measure what happens to people who return alone.")
    parser.add_argument("--runs", type=int, default=20)
    runs = parser.parse_args(arguments).runs
    found = {f"{share:.0%} of the sittings together": both_rules(runs, share) for share in (0.7, 0.3, 0.05)}
    json.dump(found, sys.stdout, indent=2)
    sys.stdout.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
