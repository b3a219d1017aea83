"""Two people with a laptop each: with either rule for those who return alone, each change is in the history
or in a branch; the strict rule makes no branch."""

from __future__ import annotations

import pytest
from tests.sim.channels.returning_alone import SITTINGS, measure, strict

from liven.liveobjects.channel.simulation.schedules.two_laptops import Figures, TwoLaptops


def test_changes_are_in_the_history_or_in_a_branch() -> None:
    figures = measure(1, together=0.3)
    assert figures.changes > 200
    assert figures.alone > 0
    assert (figures.missing, figures.waiting) == (0, 0)


def test_with_the_strict_rule_people_wait_and_get_no_branches() -> None:
    with strict():
        figures = measure(1, together=0.3)
    assert (figures.missing, figures.branches, figures.in_branches) == (0, 0, 0)
    assert figures.waiting > 0


@pytest.mark.parametrize(("seed", "together"), [(14, 0.7)])
def test_seeds_that_once_failed_pass(seed: int, together: float) -> None:
    figures = Figures()
    assert TwoLaptops(seed, figures, together=together).run(SITTINGS).breaches == ()
    assert figures.missing == 0
