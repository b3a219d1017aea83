"""Whether the objects of one process that have one channel open have one state.

Others know them as one replica, and hear one digest of all. So they are compared here first: those that
differ from more than half, or where there is no such majority from one that is true to the log, take the
state of those. If that is wrong as well, the others of the channel say so to all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, Protocol, TypeVar

from liven.liveobjects.channel.replica import Replayed

Got = Callable[[bytes], object]
ADVICE: Final = "it takes the state of the rest"


class Client(Protocol):
    """One of the objects."""

    @property
    def prove(self) -> Callable[[Got], None]:
        """Gives the digest of its state; empty if it tells none."""

    def mend(self, right: Any, /) -> None:
        """Takes the state of another."""


One = TypeVar("One", bound=Client)


class LocalComparison(Generic[One]):
    """Finds out once what the state of several objects is."""

    def __init__(
        self,
        clients: Sequence[One],
        go_over: Callable[[One, Callable[[Replayed], object]], object],
        tell: Callable[[str, str], object],
        got: Got,
    ) -> None:
        self._go_over = go_over
        self._tell = tell
        self._got = got
        self._waited = len(clients)
        self._groups: dict[bytes, list[One]] = {}
        for client in clients:
            client.prove(self._said_by(client))
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
        """Asks one of each group after the other whether the log makes its state."""
        tried, rest = digests[0], digests[1:]

        def went(outcome: Replayed) -> None:
            if outcome is Replayed.TRUE:
                self._settle(tried)
            elif rest:
                self._try(rest)
            else:
                self._settle(next(iter(self._groups)))

        self._go_over(self._groups[tried][0], went)

    def _settle(self, right: bytes) -> None:
        wrong = [one for digest, them in self._groups.items() if digest != right for one in them]
        for client in wrong:
            self._tell("an object here has another state than the rest of this computer's", ADVICE)
            client.mend(self._groups[right][0])
        self._got(right)
