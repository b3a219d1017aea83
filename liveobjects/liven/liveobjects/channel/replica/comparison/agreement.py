"""Agreement on states: each member's digests at the same numbers, and the consequences.

| at a number                     | consequence                                                            |
|---------------------------------|------------------------------------------------------------------------|
| all digests are equal           | none                                                                   |
| more than half are equal        | the others are named and take the state of the majority; a member with |
|                                 | another order rejoins and takes the majority's history                 |
| there is no majority            | each member replays its own log: one whose state differs from its log  |
|                                 | is wrong; of the states that are right, one wins                       |

This is not ordered: each member decides for itself, and acts only on itself. Members without a digest do not
count.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Final

PATIENCE: Final = 5.0
"""Seconds that members wait for the digests of others."""
REPLAY_PATIENCE: Final = 30.0
"""Seconds that members wait for the replay results of others."""
_POINTS_MOST: Final = 16
"""Numbers for which one member's digests are kept. Its own oldest goes first, never that of another
member."""


class Finding(enum.Enum):
    """A member's conclusion at a number."""

    AGREED = "agreed"
    OTHERS_DIFFER = "others differ"
    WE_DIFFER = "we differ"
    """A majority has another state than this member."""
    SPLIT = "split"
    """There is no majority: each member replays its log."""
    ANOTHER_ORDER = "another order"
    """The histories differ, which ordering should exclude; more than half agree against the others."""
    WE_ORDER_OTHERWISE = "we order otherwise"
    """More than half have another history than this member."""
    NO_ORDER = "no order"
    """The histories differ, and none has a majority."""


class Replayed(enum.IntEnum):
    """The result of replaying a log."""

    WRONG = 0
    """The state is not the one that the log produces."""
    UNKNOWN = 1
    """There is no log, or it could not be replayed."""
    TRUE = 2


@dataclass(frozen=True, slots=True)
class Result:
    """A finding and the members that it names."""

    finding: Finding
    number: int
    who: tuple[bytes, ...] = ()
    """The members that differ; if this member differs, those whose state wins."""
    true: bool = False
    """True if this member's own state, although it lost, is the one that its log produces."""


@dataclass(slots=True)
class _Point:
    """A number at which states are compared."""

    until: float
    said: dict[bytes, tuple[bytes, bytes]] = field(default_factory=dict)
    replayed: dict[bytes, Replayed] = field(default_factory=dict)
    split: bool = False


_NONE: Final[dict[int, _Point]] = {}
"""A shared empty dictionary for members that compare nothing now; never changed."""


class Agreement:
    """One member's view of the comparison."""

    __slots__ = (
        "_done",
        "_me",
        "_points",
    )

    def __init__(self, me: bytes) -> None:
        self._me = me
        self._points: dict[int, _Point] = _NONE
        self._done = 0

    @property
    def wake(self) -> float | None:
        """The time at which `judge` is next needed even if nothing arrives."""
        if not self._points:
            return None
        own = [point.until for point in self._points.values() if self._me in point.said]
        return min(own, default=None)

    def put(self, author: bytes, number: int, chain: bytes, digest: bytes, now: float) -> None:
        """Record a member's digest at a number."""
        if number <= self._done:
            return
        point = self._points.get(number)
        if point is None:
            if self._points is _NONE:
                self._points = {}
            point = self._points[number] = _Point(now + PATIENCE)
        if author == self._me:
            point.until = now + PATIENCE
        point.said[author] = chain, digest
        self._drop_oldest(author)

    def _drop_oldest(self, author: bytes) -> None:
        """Drop a member's oldest digest if it has reported many that others have not reached."""
        numbers = [number for number, point in self._points.items() if author in point.said]
        if len(numbers) > _POINTS_MOST:
            oldest = self._points[min(numbers)]
            del oldest.said[author]
            if not oldest.said:
                del self._points[min(numbers)]

    def put_replayed(self, author: bytes, number: int, outcome: Replayed) -> None:
        """Record a member's replay result."""
        if number in self._points:
            self._points[number].replayed[author] = outcome

    def forget(self) -> None:
        """Drop the digests of the present state, which was replaced. Digests of others at later
        numbers stay."""
        own = (number for number, point in self._points.items() if self._me in point.said)
        self._end(max(own, default=self._done))

    def drop(self, authors: Iterable[bytes]) -> None:
        """Drop the digests of members whose histories were replaced."""
        for author in authors:
            for number, point in list(self._points.items()):
                if point.said.pop(author, None) is not None and not point.said:
                    del self._points[number]

    def judge(self, present: Collection[bytes], awaited: Collection[bytes], now: float) -> list[Result]:
        """Return the findings so far for the members present. `awaited` are those that still should
        report."""
        found = []
        self._drop_gone(present)
        for number in sorted(self._points):
            point = self._points.get(number)
            if point is None or self._me not in point.said:
                continue
            if point.split:
                result = self._settle(number, point, present, now)
            else:
                result = self._look(number, point, present, awaited, now)
            if result is not None:
                found.append(result)
        return found

    def _drop_gone(self, present: Collection[bytes]) -> None:
        """Drop numbers at which only members reported that are gone."""
        for number, point in list(self._points.items()):
            if self._me not in point.said and not any(author in present for author in point.said):
                del self._points[number]

    def _look(
        self, number: int, point: _Point, present: Collection[bytes], awaited: Collection[bytes], now: float
    ) -> Result | None:
        said = {author: each for author, each in point.said.items() if author in present}
        if self._me not in said or (now < point.until and any(author not in said for author in awaited)):
            return None
        result = self._compare(number, said)
        if result.finding is Finding.SPLIT:
            point.split, point.until = True, now + REPLAY_PATIENCE
        else:
            self._end(number)
        return result

    def _compare(self, number: int, said: dict[bytes, tuple[bytes, bytes]]) -> Result:
        if self._me not in said:  # it was excluded from the view meanwhile
            return Result(Finding.AGREED, number)
        chains = Counter(chain for chain, _ in said.values())
        if len(chains) > 1:
            return self._compare_orders(number, said, chains)
        groups = _groups({author: digest for author, (_, digest) in said.items() if digest})
        if len(groups) <= 1:
            return Result(Finding.AGREED, number)
        total = sum(map(len, groups.values()))
        digest, members = max(groups.items(), key=lambda each: len(each[1]))
        if 2 * len(members) <= total:
            return Result(Finding.SPLIT, number)
        if said[self._me][1] in (digest, b""):
            odd = tuple(author for author, (_, each) in said.items() if each not in (digest, b""))
            return Result(Finding.OTHERS_DIFFER, number, odd)
        return Result(Finding.WE_DIFFER, number, tuple(members))

    def _compare_orders(
        self, number: int, said: dict[bytes, tuple[bytes, bytes]], chains: Counter[bytes]
    ) -> Result:
        common, many = chains.most_common(1)[0]
        odd = tuple(author for author, (chain, _) in said.items() if chain != common)
        if 2 * many <= len(said):
            return Result(Finding.NO_ORDER, number, tuple(said))
        if self._me in odd:
            return Result(Finding.WE_ORDER_OTHERWISE, number, tuple(each for each in said if each not in odd))
        return Result(Finding.ANOTHER_ORDER, number, odd)

    def _settle(self, number: int, point: _Point, present: Collection[bytes], now: float) -> Result | None:
        """Conclude after all replayed their logs, or if late digests make a majority after all."""
        said = {author: each for author, each in point.said.items() if author in present}
        if (late := self._compare(number, said)).finding is not Finding.SPLIT:
            self._end(number)
            return late
        digests = {author: each for author, (_, each) in said.items() if each}
        if now < point.until and any(author not in point.replayed for author in digests):
            return None
        self._end(number)
        outcomes = {author: point.replayed.get(author, Replayed.UNKNOWN) for author in digests}
        best = max(outcomes.values(), default=Replayed.UNKNOWN)
        groups = _groups(digests)
        able = [each for each in groups if any(outcomes[author] is best for author in groups[each])]
        if not able:
            return Result(Finding.AGREED, number)
        goes_on = max(able, key=lambda each: (len(groups[each]), bytes(255 - byte for byte in each)))
        if digests.get(self._me, goes_on) == goes_on:
            odd = tuple(author for author, each in digests.items() if each != goes_on)
            return Result(Finding.OTHERS_DIFFER, number, odd)
        right = tuple(author for author in groups[goes_on] if outcomes[author] is best)
        return Result(Finding.WE_DIFFER, number, right, outcomes[self._me] is Replayed.TRUE)

    def _end(self, number: int) -> None:
        self._done = max(self._done, number)
        self._points = {each: point for each, point in self._points.items() if each > number} or _NONE


def _groups(digests: dict[bytes, bytes]) -> dict[bytes, list[bytes]]:
    """Return the members by digest."""
    groups: dict[bytes, list[bytes]] = {}
    for author, digest in digests.items():
        groups.setdefault(digest, []).append(author)
    return groups
