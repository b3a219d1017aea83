"""The cost of recording a busy channel: the processor time of a member with a recorder and of one without."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from statistics import median

from channel_figures.program import asked, end, start
from figure_report import Figure

RATE = 10_000
SECONDS = 10.0
ROUNDS = 3
MEMBER = "../feeds_figures/recording_member.py"


def figures() -> Iterator[Figure]:
    """Yield the part of a core that a member takes at 10,000 messages a second, and the recorder's share."""
    plain, recorded = [], []
    for _ in range(ROUNDS):
        plain.append(_part_of_core("plain"))
        recorded.append(_part_of_core("record"))
    rate = f"at {RATE:,} messages/s"
    yield Figure(f"a member without a recorder, {rate}", 100 * median(plain), "% of a core")
    yield Figure(f"a member with a recorder, {rate}", 100 * median(recorded), "% of a core")
    cost = 100 * (median(recorded) - median(plain))
    yield Figure(f"recording, {rate}", cost, "% of a core", 5.0)


def _part_of_core(how: str) -> float:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        sender = start(MEMBER, home, "send", str(RATE))
        member = start(MEMBER, home, how, str(RATE))
        try:
            for one in (sender, member):
                assert asked(one, "wait").strip() == "ready"
            asked(sender, "flow")
            asked(member, "turn 2")
            used, got = asked(member, f"turn {SECONDS}").split()
            rate = int(got) / SECONDS
            if rate < 0.9 * RATE:
                raise RuntimeError(f"only {rate:,.0f} messages/s arrived; the machine is too busy")
            return float(used) / SECONDS
        finally:
            end(sender, member)
