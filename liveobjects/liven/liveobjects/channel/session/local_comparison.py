"""Comparing the objects of one process that use the same channel.

To other members they are one replica with one digest, so they are compared here first. Objects that differ
from more than half, or without such a majority from one that agrees with the log, take the majority's or that
one's state. If this state is wrong as well, the comparison with other members finds out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, Protocol, TypeVar

from liven.liveobjects.channel.replica import Replayed

Got = Callable[[bytes], object]
ADVICE: Final = "it will use the state of the others"


class Client(Protocol):
    """One of the objects."""

    @property
    def report_digest(self) -> Callable[[Got], None]:
        """A function that passes on the digest of its state; empty if it has none."""

    def take_state_of(self, right: Any, /) -> None:
        """Take the state of another object."""


One = TypeVar("One", bound=Client)


class LocalComparison(Generic[One]):
    """Finds the state of several objects, once."""

    def __init__(
        self,
        clients: Sequence[One],
        compare_with_log: Callable[[One, Callable[[Replayed], object]], object],
        tell: Callable[[str, str], object],
        got: Got,
    ) -> None:
        self._compare_with_log = compare_with_log
        self._tell = tell
        self._got = got
        self._waited = len(clients)
        self._groups: dict[bytes, list[One]] = {}
        for client in clients:
            client.report_digest(self._said_by(client))
        if not clients:
            got(b"")

    def _said_by(self, client: One) -> Got:
        def said(digest: bytes) -> None:
            self._waited -= 1
            if digest:
                self._groups.setdefault(digest, []).append(client)
            if not self._waited:
                self._compare()

        return said

    def _compare(self) -> None:
        groups = sorted(self._groups.items(), key=lambda each: -len(each[1]))
        if not groups:
            self._got(b"")
        elif 2 * len(groups[0][1]) > sum(map(len, self._groups.values())):
            self._settle(groups[0][0])
        else:
            self._try([digest for digest, _ in groups])

    def _try(self, digests: Sequence[bytes]) -> None:
        """Check one object of each group against the log, one after the other."""
        tried, rest = digests[0], digests[1:]

        def went(outcome: Replayed) -> None:
            if outcome is Replayed.TRUE:
                self._settle(tried)
            elif rest:
                self._try(rest)
            else:
                self._settle(next(iter(self._groups)))

        self._compare_with_log(self._groups[tried][0], went)

    def _settle(self, right: bytes) -> None:
        wrong = [one for digest, them in self._groups.items() if digest != right for one in them]
        for client in wrong:
            self._tell("the state of an object differs from that of the others on this computer", ADVICE)
            client.take_state_of(self._groups[right][0])
        self._got(right)
