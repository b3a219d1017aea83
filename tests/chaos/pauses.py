"""Pauses: how long a healthy program waited for a confirmation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from tests.chaos.judge import Evidence, Incarnation


@dataclass(frozen=True, slots=True)
class Disturbance:
    """A time in which one program was not healthy."""

    member: str
    begin: float
    end: float


@dataclass(frozen=True, slots=True, order=True)
class Pause:
    """A time in which a program waited and nothing of it was confirmed."""

    seconds: float
    who: str
    begin: float

    def __str__(self) -> str:
        return f"{self.seconds:.1f} s of {self.who} from {self.begin:.2f}"


NONE: Final = Pause(0.0, "nobody", 0.0)


def longest_pause(evidence: Evidence, disturbances: Iterable[Disturbance], members: int) -> Pause:
    """Return the longest pause of a healthy program. While half of the members are not healthy, none is: the
    others may lack a majority."""
    known = list(disturbances)
    without_majority = _times_without_majority(known, members)
    longest = NONE
    for one in evidence.incarnations:
        member = one.name.partition(".")[0]
        ill = [(each.begin, each.end) for each in known if each.member == member] + without_majority
        for begin, end in pauses(one):
            if not any(begin < last and first < end for first, last in ill):
                longest = max(longest, Pause(end - begin, one.name, begin))
    return longest


def _times_without_majority(disturbances: list[Disturbance], members: int) -> list[tuple[float, float]]:
    bounds = sorted({time for each in disturbances for time in (each.begin, each.end)})
    found = []
    for begin, end in pairwise(bounds):
        ill = {each.member for each in disturbances if each.begin <= begin and end <= each.end}
        if 2 * len(ill) >= members:
            found.append((begin, end))
    return found


def pauses(one: Incarnation) -> list[tuple[float, float]]:
    """Return the times in which an incarnation waited and nothing was confirmed."""
    events = sorted(
        [(t, "ack") for t in one.acknowledged] + [(t, "waits" if n else "") for t, n in one.waiting]
    )
    found, since = [], None
    for at, kind in events:
        if kind == "ack":
            if since is not None:
                found.append((since, at))
            since = at
        elif not kind:
            since = None
        elif since is None:
            since = at
        else:
            found.append((since, at))
    return found
