"""Seeds that found something once. Each stays, so that what was mended stays mended."""

from __future__ import annotations

import pytest

from liven.multicast.engine import run_campaign

MIXED, CALM, LOSSY, CHURN, CRASH, FREEZE, CUT, SERVICE = range(8)

FOUND = [
    (CHURN, 1, "asked for repair before the token that gave the cut"),
    (CHURN, 25, "left the address of a region with an older view of it, and was deaf in the newer"),
    (CRASH, 25, "packets to a view whose members are all dead stayed pending for ever"),
]


@pytest.mark.parametrize(("kind", "seed", "what"), FOUND)
def test_what_a_seed_found_is_mended(kind: int, seed: int, what: str) -> None:
    run = run_campaign(seed, kind)
    assert run.breaches == (), what
