"""The donor: sending the state to members that ask for it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from liven.liveobjects.channel.history import Position
from liven.liveobjects.channel.replica.state_position import Parcel
from liven.liveobjects.channel.replica.state_transfer.slices import WINDOW, EncodedState, OutgoingState
from liven.liveobjects.channel.replica.wire import Ask, Declined, Grant, Message

TRANSFERS_MOST: Final = 16
"""States that may be in transfer at once; further askers are referred to another member."""


class StateDonor:
    """The states that this member is sending."""

    __slots__ = (
        "_requests",
        "_transfers",
        "_waiting",
    )

    def __init__(self) -> None:
        self._waiting: dict[int, tuple[Ask, Position]] | None = None
        self._transfers: dict[bytes, OutgoingState] | None = None
        self._requests = 0

    def ask(self, ask: Ask, position: Position) -> int | None:
        """Accept a request and return the number under which to take the state; None if there are too
        many."""
        if self._waiting is None or self._transfers is None:
            self._waiting, self._transfers = {}, {}
        if len(self._waiting) + len(self._transfers) >= TRANSFERS_MOST:
            return None
        self._requests += 1
        self._waiting[self._requests] = ask, position
        return self._requests

    def taken(
        self,
        request: int,
        state: EncodedState | None,
        why: str,
        log: Callable[[], tuple[Position, Parcel] | None],
    ) -> list[Message]:
        """Return the messages that answer a request with a state, or decline it. If no object returned its
        state, the state in the log is sent."""
        if self._waiting is None or self._transfers is None or request not in self._waiting:
            return []
        ask, position = self._waiting.pop(request)
        if state is None and (found := log()) is not None:
            position, state = found[0], EncodedState.of(found[1])
        if state is None or position.number < ask.least:
            return [Declined(ask.asker, ask.serial, why)]
        outgoing = OutgoingState(ask.asker, ask.serial, state.data, state.digest, position)
        self._transfers[ask.asker] = outgoing
        return [outgoing.head(), *self._slices(outgoing, WINDOW)]

    def more(self, more: Grant) -> list[Message]:
        """Return the next slices for a member."""
        outgoing = None if self._transfers is None else self._transfers.get(more.asker)
        if outgoing is None or outgoing.serial != more.serial:
            return []
        return self._slices(outgoing, more.before)

    def keep_only(self, present: Collection[bytes]) -> None:
        """Drop transfers to members that are gone."""
        if self._transfers is not None:
            self._transfers = {asker: each for asker, each in self._transfers.items() if asker in present}

    def _slices(self, outgoing: OutgoingState, before: int) -> list[Message]:
        slices: list[Message] = list(outgoing.slices(before))
        if outgoing.over and self._transfers is not None:
            del self._transfers[outgoing.asker]
        return slices
