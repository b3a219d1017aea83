"""Seeds that found something once. Each stays, so that what was mended stays mended.

`OPEN` are not mended yet: one that is mended fails here as "unexpectedly passing" and moves up.
"""

from __future__ import annotations

import pytest

from liven.multicast.engine import run_campaign

MIXED, CALM, LOSSY, CHURN, CRASH, FREEZE, CUT, SERVICE, STORM = range(9)

FOUND = [
    (CHURN, 1, "repair was asked for before the token that gave the cut"),
    (CHURN, 25, "the address of a region was left with an older view of it, and the newer one was deaf"),
    (CRASH, 25, "packets to a view whose members are all dead stayed pending for ever"),
    (CUT, 14, "an ACK for a dead sender released packets of the next life at its address"),
    (CUT, 107, "an EVICTED for the life before ended the next one"),
]
OPEN = [
    (STORM, 121, "who stops lets go of packets that a member of its view still misses"),
]


def check(kind: int, seed: int, what: str) -> None:
    run = run_campaign(seed, kind)
    assert run.breaches == (), what


@pytest.mark.parametrize(("kind", "seed", "what"), FOUND)
def test_what_a_seed_found_is_mended(kind: int, seed: int, what: str) -> None:
    check(kind, seed, what)


@pytest.mark.xfail(strict=True, raises=AssertionError)
@pytest.mark.parametrize(("kind", "seed", "what"), OPEN)
def test_what_a_seed_found_is_still_open(kind: int, seed: int, what: str) -> None:
    check(kind, seed, what)
