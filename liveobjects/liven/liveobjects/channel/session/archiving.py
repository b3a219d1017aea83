"""An archive of one channel in this process: it gets the confirmed order, whoever else uses the channel.

A session passes its outputs here, and the archive gets what is confirmed. An archive needs no object: while
none has the channel open, the session is a member that only keeps the log.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

from msgpack import UnpackException  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.history import Position, Recovery
from liven.liveobjects.channel.ordering import (
    BeginEmpty,
    Delivered,
    HistoryRestored,
    Installed,
    Output,
    Seat,
    Stable,
)
from liven.liveobjects.channel.ordering.confirmed_order import ConfirmedOrder
from liven.liveobjects.channel.process.archive import Archive
from liven.liveobjects.channel.replica import Begin, Replica
from liven.liveobjects.channel.replica.disk.stored_history import unpacked_run, unpacked_state
from liven.liveobjects.channel.replica.state_position import Parcel
from liven.liveobjects.channel.store.channel_store import ChannelStore

_MICRO: Final = 1000


class Archiving:
    """The connection of one archive with the session of its channel."""

    def __init__(self, archive: Archive, clock: Callable[[], int] = time.time_ns) -> None:
        self.archive = archive
        self._clock = clock
        self._order = ConfirmedOrder(*archive.resume())

    @property
    def number(self) -> int:
        """The number of the last operation that the archive got or that is missing."""
        return self._order.number

    def begin(self, replica: Replica, store: ChannelStore | None) -> None:
        """Begin with what the log has, and with what was delivered already if the session runs."""
        found = False if store is None else self._read(replica, store)
        if not found and replica.begun and not replica.waits:
            self._order.found(replica.channel.position, (), replica.channel.stable.number, self._now())
        self._pass_on()

    def _read(self, replica: Replica, store: ChannelStore) -> bool:
        """Read the log. Return False if it has no history or cannot be read: another state comes then."""
        kept = store.kept()
        if kept.checkpoint is None:
            return False
        try:
            state_position, parcel = unpacked_state(kept.checkpoint)
            position, runs = state_position.position, []
            number, chain = position.number, position.chain
            for entry in kept.entries:
                run, _, _ = unpacked_run(entry, number, chain)
                runs.append(run)
                number, chain = run.last, run.chains[-1]
        except (ValueError, UnpackException):
            return False
        stable = replica.channel.stable.number
        self._order.found(position, runs, stable, self._now())
        later = [payload for run in runs for payload in run.taken]
        self.archive.began(parcel.state, [*parcel.after, *later])
        if replica.begun and not replica.waits:
            self._order.began(position, parcel.state, parcel.after)
        return True

    def seated(self, seats: Sequence[Seat]) -> None:
        """Pass on the members of the present view."""
        self.archive.seated(seats)

    def observe(self, output: Output, replica: Replica) -> None:
        """Take an output of the ordered channel, before the replica does."""
        order = self._order
        match output:
            case Delivered(run=run):
                order.delivered(run, self._now())
            case Stable(number=number):
                order.stable(number)
            case Installed(position=position, epochs=epochs, begins=begins, recovery=recovery, seats=seats):
                self.archive.seated(seats)
                lost = recovery is Recovery.BRANCH
                order.installed(position, epochs, replica.channel.stable.number, begins=begins, lost=lost)
            case BeginEmpty():
                order.begins_empty()
            case HistoryRestored(position=position):
                order.restored(position)
            case _:
                return
        self._pass_on()

    def began(self, effect: Begin) -> None:
        """Take the state with which objects would begin now."""
        self.archive.began(effect.state, effect.after)
        self._order.began(effect.position, effect.state, effect.after)
        self._pass_on()

    def state(self, position: Position, parcel: Parcel) -> None:
        """Take the state that an object returned, after exactly the operations up to a position."""
        if not parcel.after:
            self._order.state_at(position, parcel.state)
            self._pass_on()

    def _pass_on(self) -> None:
        rows = self._order.take()
        if rows:
            self.archive.passed(rows)

    def _now(self) -> int:
        return self._clock() // _MICRO
