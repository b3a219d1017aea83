"""Whether replicas agree: what each said of its order and state at the same numbers, and what follows.

| at a number                              | follows                                                       |
|------------------------------------------|---------------------------------------------------------------|
| all said the same                        | nothing                                                       |
| more than half said one thing            | who said another is named, and takes the state of those; one  |
|                                          | with another order joins anew, and takes their history        |
| no such majority                         | each goes over its own log: who comes to another state than   |
|                                          | it has is wrong; of those who are right, one state goes on    |

Nothing here is ordered: each member finds by itself what it must do, and does it only to itself. Whoever has
no digest of its state does not count.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

PATIENCE: Final = 5.0
"""How long members wait for what others say of a number."""
REPLAY_PATIENCE: Final = 30.0
"""How long for those who go over their logs."""
_POINTS_MOST: Final = 16
"""Numbers of which one member's word is kept; its oldest goes first, and never that of another."""


class Finding(enum.Enum):
    """What a member finds at a number."""

    AGREED = "agreed"
    OTHERS_DIFFER = "others differ"
    WE_DIFFER = "we differ"
    """A majority has another state than this member."""
    SPLIT = "split"
    """There is no majority: each goes over its log."""
    ANOTHER_ORDER = "another order"
    """The histories themselves differ, which ordering excludes; more than half have another than others."""
    WE_ORDER_OTHERWISE = "we order otherwise"
    """More than half have another history than this member."""
    NO_ORDER = "no order"
    """The histories differ, and no majority has one."""


class Replayed(enum.IntEnum):
    """What came of going over a log."""

    WRONG = 0
    """The state is not what the log makes of it."""
    UNKNOWN = 1
    """There is no log, or none that could be gone over."""
    TRUE = 2


@dataclass(frozen=True, slots=True)
class Result:
    """A finding, and whom it is about."""

    finding: Finding
    number: int
    who: tuple[bytes, ...] = ()
    """Who differs; of those whose state goes on, if it is this member."""
    true: bool = False
    """Whether this member's own state, which does not go on, is what its log makes of it."""


@dataclass(slots=True)
class _Point:
    """A number at which states are compared."""

    until: float
    said: dict[bytes, tuple[bytes, bytes]] = field(default_factory=dict)
    replayed: dict[bytes, Replayed] = field(default_factory=dict)
    split: bool = False


_NONE: Final[dict[int, _Point]] = {}
"""In place of a dictionary of its own where nothing is compared just now; never changed."""


class Agreement:
    """One member's view of whether all agree."""

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
        """When `judge` is next wanted, whatever is said until then."""
        if not self._points:
            return None
        own = [point.until for point in self._points.values() if self._me in point.said]
        return min(own, default=None)

    def put(self, author: bytes, number: int, chain: bytes, digest: bytes, now: float) -> None:
        """A member says what its state is at a number."""
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
        """A member says much before others come to it: what it said first is not kept."""
        numbers = [number for number, point in self._points.items() if author in point.said]
        if len(numbers) > _POINTS_MOST:
            oldest = self._points[min(numbers)]
            del oldest.said[author]
            if not oldest.said:
                del self._points[min(numbers)]

    def put_replayed(self, author: bytes, number: int, outcome: Replayed) -> None:
        """A member has gone over its log."""
        if number in self._points:
            self._points[number].replayed[author] = outcome

    def forget(self) -> None:
        """The state here is another from now on: what was said of it does not count. What others said of
        numbers to come does, whatever those are."""
        own = (number for number, point in self._points.items() if self._me in point.said)
        self._end(max(own, default=self._done))

    def judge(self, present: Collection[bytes], awaited: Collection[bytes], now: float) -> list[Result]:
        """What follows of what was said so far by those present; `awaited` are those who should say."""
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
        """Numbers of which only members spoke that are gone are not kept."""
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
        if self._me not in said:  # it was put out of the view meanwhile
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
        """After all went over their logs, or others said what makes a majority after all."""
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
    """Who has which digest."""
    groups: dict[bytes, list[bytes]] = {}
    for author, digest in digests.items():
        groups.setdefault(digest, []).append(author)
    return groups
