"""The state of one member of an ordered channel as the layer above knows it: its history, its own operations
and how far its disk is."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from liven.liveobjects.channel.history import (
    BEGINNING,
    Epoch,
    Operation,
    Position,
    Session,
    Voter,
    mark,
    replaces,
)
from liven.liveobjects.channel.ordering import outputs
from liven.liveobjects.channel.ordering.member_state import MemberState, Returned
from liven.liveobjects.channel.ordering.messages import OPERATION_MOST, Progress
from liven.liveobjects.channel.ordering.open_view import OpenView
from liven.liveobjects.channel.ordering.opening.quorum_sessions import QuorumSessions
from liven.liveobjects.channel.ordering.operations.delivered_log import Older
from liven.liveobjects.channel.ordering.operations.own_operations import OwnOperations
from liven.liveobjects.channel.ordering.phase import Phase
from liven.liveobjects.channel.ordering.progress import MemberProgress


class ChannelStatus:
    """The part of `OrderedChannel` that does not depend on views."""

    def __init__(
        self,
        author: bytes,
        voter: Voter,
        returned: Returned | None,
        inherited: Sequence[Operation],
        older: Older,
    ) -> None:
        self.author = author
        """The present life of this member: nobody else had this identity before."""
        self.voter = voter
        """The member of the channel's sessions that it is."""
        self.stage = Phase.OFFLINE
        self._open_view: OpenView | None = None
        self._leaving = False
        self._now = 0.0
        self._out: list[outputs.Output] = []
        self._member_state = MemberState(returned, older)
        self._member_progress = MemberProgress()
        if returned is None:
            self._own = OwnOperations(author, inherited)
        else:
            self._own = OwnOperations(author, inherited, returned.marks, returned.tip.number)

    @property
    def position(self) -> Position:
        """The position after the last delivered operation."""
        return BEGINNING if self._member_state.past is None else self._member_state.past.tip

    @property
    def stable(self) -> Position:
        """The position up to which this member's history is stable."""
        return BEGINNING if self._member_state.past is None else self._member_state.past.stable

    @property
    def epochs(self) -> tuple[Epoch, ...]:
        """The epochs of the history, oldest first."""
        return () if self._member_state.past is None else self._member_state.past.epochs

    def epoch_at(self, number: int) -> bytes:
        """Return the epoch in which an operation of this history was numbered."""
        return (
            BEGINNING.epoch if self._member_state.past is None else self._member_state.past.epoch_at(number)
        )

    @property
    def voters(self) -> frozenset[bytes]:
        """The members of all sessions that may be stable."""
        return self._member_state.sessions.voters

    @property
    def founding(self) -> bytes:
        """The founding epoch of the channel; empty before it is known."""
        return self._member_state.sessions.founding

    @property
    def is_stored(self) -> bool:
        """True if the log on disk has everything up to now."""
        return self._member_progress.is_stored(self.position.number)

    @property
    def pending(self) -> int:
        """Number of own operations without a number."""
        return self._own.pending

    @property
    def unacknowledged(self) -> int:
        """Number of own operations that are not stable."""
        return len(self._own)

    @property
    def oldest_own(self) -> int | None:
        """The ticket of the oldest own operation that is not stable."""
        return self._own.first

    @property
    def absent(self) -> tuple[bytes, ...]:
        """The members that are not here and on whom confirmation depends, the oldest first; none if it
        depends on none, or if no view is open."""
        of = self._open_view
        if of is None or of.decision.standing.confirms:
            return ()
        here = {voter for seat in of.decision.seats for voter in seat.voter.identities}
        return self._member_state.sessions.absent(here)

    @property
    def behind(self) -> tuple[int, ...]:
        """The nodes of other members here whose logs lack what waits for confirmation."""
        of = self._open_view
        if of is None or not of.decision.standing.confirms:
            return ()
        return tuple(node for node in of.behind() if node != of.node_at(of.me))

    @property
    def waits_for_disk(self) -> bool:
        """True if this member's own log lacks what waits for confirmation."""
        of = self._open_view
        return of is not None and of.decision.standing.confirms and of.node_at(of.me) in of.behind()

    @property
    def is_nearly_full(self) -> bool:
        """True if so many own operations wait that callers should not begin new ones."""
        return self._own.is_nearly_full

    @property
    def own(self) -> list[Operation]:
        """Own operations that are not stable, under the identities that they got when submitted first."""
        return self._own.all

    @property
    def tickets(self) -> dict[int, bytes]:
        """The payloads of own operations that are not stable, by their tickets."""
        return self._own.tickets

    @property
    def last_own(self) -> int:
        """The number of the last own operation."""
        return self._own.last

    def own_after(self, number: int) -> list[Operation]:
        """Return own operations that are not stable and come after the own number `number`."""
        return self._own.after(number)

    @property
    def orders(self) -> bool:
        """True if this member is the orderer."""
        return self._open_view is not None and self._open_view.orderer is not None

    def chain_at(self, number: int) -> bytes | None:
        """Return the chain hash after an operation, while it is remembered."""
        return None if self._member_state.past is None else self._member_state.past.chain_at(number)

    def kept(self) -> Returned | None:
        """Return what a store should keep beside state and log for the next start; None while there is
        nothing."""
        return self._member_state.kept()

    # Calls from the layer above

    def submit(self, payload: bytes) -> int:
        """Accept an operation and return its ticket. Raises ChannelBusyError when too many wait."""
        if len(payload) > OPERATION_MOST:
            raise ValueError(
                f"an operation has {len(payload) / 1e6:.1f} MB; the limit is {OPERATION_MOST / 1e6:.1f} MB"
            )
        return self._own.submit(payload)

    def logged(self, number: int) -> None:
        """Report that the log has everything up to `number`. Without such reports, the log is kept in
        memory."""
        self._member_progress.logged(number)

    def log_begins(self) -> None:
        """Report that the log starts over with a history of which it holds nothing yet."""
        self._member_progress.log_begins()

    def stores(self, *, stores: bool) -> None:
        """Report that the disk takes data, or no longer. Without it this member is a reader: it has no vote,
        and nobody waits for its log."""
        self._member_progress.stores = stores

    def recorded(self, serial: int) -> None:
        """Report that sessions up to `serial` are on disk. The member does not announce them earlier: one
        that forgets a session after a power cut must not have counted for it."""
        self._member_progress.recorded(serial)

    def rejoin_as(self, voter: Voter, why: str) -> None:
        """Leave the group, and rejoin with another identity in its sessions."""
        self.voter = voter
        self._report(why, rejoin=True)

    def retire(self, gone: Collection[bytes], random: bytes) -> None:
        """Count no longer on members that will not come back, because a person says so, and let all who are
        here decide anew. A mark with random bytes tells these sessions from those before. Raises ValueError
        if nothing waits for these members."""
        sessions, absent = self._member_state.sessions, self.absent
        if not gone or not set(gone).issubset(absent):
            raise ValueError("no change waits for that member")
        after = sessions.without(gone, mark(random, self.stable.number, self.position.number))
        self._record(after.stable, after.attempts)
        self._report("members were declared gone here, so the others decide again who is needed", rejoin=True)

    def _record(self, stable: Session, attempts: tuple[Session, ...]) -> None:
        before, after = self._member_state.sessions, QuorumSessions(stable, attempts)
        if (stable, attempts) != (before.stable, before.attempts):
            self._member_state.sessions = after
            if after.founding != before.founding:
                self._member_progress.sessions_begin()
            if replaces(after.founding, before.founding):
                self._member_state.distrust()
                self._member_state.history_goes_on(before.founding)
            self._out.append(outputs.SessionsChanged(stable, attempts, self._member_state.history_founding))

    # Progress

    @property
    def _is_leaving(self) -> bool:
        """True if the others no longer count on this member."""
        return self._leaving and not self._own.pending

    def _progress(self) -> Progress | None:
        """This member's progress in the open view."""
        if self._open_view is None:
            return None
        return self._member_progress.progress(self._member_state, leaving=self._is_leaving)

    def _due_progress(self, *, alone: bool) -> Progress | None:
        """Return this member's progress if a report is due."""
        return self._member_progress.due(self._member_state, self._now, leaving=self._is_leaving, alone=alone)

    # Outputs

    def _report(self, text: str, *, rejoin: bool = False) -> None:
        self._out.append(outputs.Trouble(text, rejoin))
