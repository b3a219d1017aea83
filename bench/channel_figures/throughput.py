"""The number of messages a second, as a fraction of the FIFO group channel's."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack

from channel_figures.members import Members
from figure_report import Figure

MEMBERS = 4
BURST = 50
ROUNDS = 40
TRIES = 5
TARGETS = {1: 0.6, 4: 0.4}


def figures() -> Iterator[Figure]:
    """Yield it for the ordered and the shared channel, one sender and four."""
    for senders, target in TARGETS.items():
        with ExitStack() as ends:
            kinds = {kind: Members(kind, MEMBERS, ends) for kind in ("group", "ordered", "shared")}
            best = dict.fromkeys(kinds, float("inf"))
            for _ in range(TRIES):
                for kind, members in kinds.items():
                    best[kind] = min(best[kind], _seconds(members, senders))
        rate = MEMBERS * BURST * ROUNDS / MEMBERS * senders / best["group"]
        yield Figure(f"group, {senders} sending", rate, "messages/s")
        for kind in ("ordered", "shared"):
            yield Figure(
                f"{kind} beside group, {senders} sending", best["group"] / best[kind], "×", target, False
            )


def _seconds(members: Members, senders: int) -> float:
    start = time.process_time()
    members.send(senders, BURST, ROUNDS)
    return time.process_time() - start
