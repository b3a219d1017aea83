"""The state machine of an ordered channel: group events go in, outputs come out.

It makes no system calls and knows only the times that are passed in. Each view of the group goes through
three phases:

    gathering   all members report what they have; forked histories are judged; then all decide alike
    opening     members receive what they lack; newcomers are told where this history begins
    open        operations come in, the orderer numbers them, and all deliver them in that order

A view ends with the next one, in whatever phase it is. Authors send operations that got no number again in
the next view. Operations of members that are gone are numbered first, from members who hold them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from liven.liveobjects.channel.history import (
    BEGINNING,
    Epoch,
    MalformedError,
    Position,
    Recovery,
    Session,
    Standing,
)
from liven.liveobjects.channel.ordering.catch_up import CatchUp
from liven.liveobjects.channel.ordering.decision import Decision, Seat
from liven.liveobjects.channel.ordering.delivered_log import DeliveredLog, Older, Run
from liven.liveobjects.channel.ordering.member_state import MemberState, Returned
from liven.liveobjects.channel.ordering.messages import (
    BATCH_MOST,
    OPERATION_MOST,
    Fill,
    Message,
    Open,
    Plan,
    Progress,
    Report,
    Start,
    Unordered,
    Verdict,
    Work,
    decode,
    encode,
)
from liven.liveobjects.channel.ordering.open_view import GapError, OpenView
from liven.liveobjects.channel.ordering.outputs import (
    BeginEmpty,
    Delivered,
    Heard,
    HistoryRestored,
    Installed,
    MayLeave,
    Output,
    Send,
    SessionsChanged,
    Stable,
    Trouble,
)
from liven.liveobjects.channel.ordering.own_operations import NUMBERS_PER_INCARNATION, OwnOperations
from liven.liveobjects.channel.ordering.phase import Phase, view_identity
from liven.liveobjects.channel.ordering.progress import MemberProgress
from liven.liveobjects.channel.ordering.quorum_sessions import QuorumSessions
from liven.liveobjects.channel.ordering.report_round import EarlyMessages, ReportRound
from liven.liveobjects.channel.ordering.unnumbered import UnnumberedOperations

WAIT_FOR_OTHERS: Final = 2.0
"""Seconds that returning members wait for others after everybody had left."""
REPEAT_AFTER: Final = 0.3
"""Seconds until a member repeats its report for a view that is not agreed on."""
_NO_ORPHANS: Final[Mapping[bytes, tuple[int, UnnumberedOperations]]] = {}
_WORK_BYTES: Final = 56 * 1024


def _unknown(_: int) -> bytes | None:
    """Return no chain hash: for members without a log."""
    return None


class OrderedChannel:
    """One member of an ordered channel."""

    def __init__(
        self,
        author: bytes,
        *,
        stateful: bool = False,
        returned: Returned | None = None,
        older: Older = _unknown,
    ) -> None:
        self.author = author
        self.stage = Phase.OFFLINE
        self._stateful = stateful
        self._member_state = MemberState(returned, older)
        self._lives = 1 if returned is None else returned.lives + 1
        self._own = OwnOperations((self._lives - 1) * NUMBERS_PER_INCARNATION)
        if returned is not None:
            mark = returned.marks.get(author, 0)
            self._own = OwnOperations(self._own.last, returned.own, mark, returned.tip.number)
        self._out: list[Output] = []
        self._view: tuple[int, ...] = ()
        self._me = 0
        self._name = b""
        self._early = EarlyMessages()
        self._later: tuple[tuple[int, Message], ...] = ()
        self._orphans: Mapping[bytes, tuple[int, UnnumberedOperations]] = _NO_ORPHANS
        self._report_round: ReportRound | None = None
        self._catch_up: CatchUp | None = None
        self._open_view: OpenView | None = None
        self._member_progress = MemberProgress()
        self._leaving = self._may_leave = self._completing = self._held = False
        self._now = 0.0
        self._opens_at: float | None = None
        self._repeated: tuple[Message, ...] = ()
        self._repeat_at = 0.0

    # Queries

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
    def pending(self) -> int:
        """Number of own operations without a number."""
        return self._own.pending

    @property
    def unacknowledged(self) -> int:
        """Number of own operations that are not stable."""
        return len(self._own)

    @property
    def is_nearly_full(self) -> bool:
        """True if so many own operations wait that callers should not begin new ones."""
        return self._own.is_nearly_full

    @property
    def own(self) -> tuple[tuple[int, bytes], ...]:
        """Own operations that are not stable, each with its number."""
        return self._own.all

    def own_after(self, number: int) -> list[tuple[int, bytes]]:
        """Return own operations that are not stable and were submitted after `number`."""
        return self._own.after(number)

    @property
    def orders(self) -> bool:
        """True if this member is the orderer."""
        return self._open_view is not None and self._open_view.orderer is not None

    @property
    def wake(self) -> float | None:
        """The time at which `tick` is next needed; None if nothing is pending."""
        if self._report_round is not None:
            return self._repeat_at if self._opens_at is None else min(self._opens_at, self._repeat_at)
        if self._open_view is None:
            return None
        return self._member_progress.wake(self._member_state, self._now, leaving=self._is_leaving)

    def chain_at(self, number: int) -> bytes | None:
        """Return the chain hash after an operation, while it is remembered."""
        return None if self._member_state.past is None else self._member_state.past.chain_at(number)

    def kept(self) -> Returned | None:
        """Return what a store should keep beside state and log for the next start; None while there is
        nothing."""
        return self._member_state.kept(self._lives, self._own.all)

    # Calls from the layer above

    def submit(self, payload: bytes) -> int:
        """Accept an operation and return its ticket. Raises ChannelBusyError when too many wait."""
        if len(payload) > OPERATION_MOST:
            raise ValueError(
                f"an operation has {len(payload) / 1e6:.1f} MB; the limit is {OPERATION_MOST / 1e6:.1f} MB"
            )
        return self._own.submit(payload)

    def say(self, payload: bytes) -> None:
        """Send all members a message outside the order."""
        self._send(Unordered(payload))

    def logged(self, number: int) -> None:
        """Report that the log has everything up to `number`. Without such reports, the log is kept in
        memory."""
        self._member_progress.logged(number)

    def log_begins(self) -> None:
        """Report that the log starts over with a history of which it holds nothing yet."""
        self._member_progress.log_begins()

    def hold(self) -> None:
        """Send no own operations until `free`: another incarnation could reuse their numbers."""
        self._held = True

    def free(self) -> None:
        """Resume sending own operations."""
        self._held = False

    def recorded(self, serial: int) -> None:
        """Report that sessions up to `serial` are on disk. The member does not announce them earlier: one
        that forgets a session after a power cut must not have counted for it."""
        self._member_progress.recorded(serial)

    @property
    def may_complete(self) -> bool:
        """True if a state may be put in place now. False while a view is being agreed on: the others know
        what this member has, and may still need its previous state."""
        return self.stage is not Phase.GATHERING

    def completed(self) -> None:
        """Report that the state at the cut is in place and later operations were applied. While
        `may_complete` is false, this counts from the next view that keeps this history."""
        if self.may_complete:
            self._member_state.completed()
        else:
            self._completing = True

    def leave(self) -> None:
        """Ask to leave. `MayLeave` follows once own operations are numbered and the session excludes this
        member."""
        self._leaving = True

    # Calls from the group

    def view(self, number: int, nodes: Sequence[int], me: int, now: float) -> None:
        """Install a view of the group. `me` is this member's node, and the nodes may have any order. A
        repeated view is ignored, because its messages come only once."""
        self._now = now
        nodes = sorted(nodes)
        name = view_identity(number, nodes)
        if name == self._name and self.stage is not Phase.OFFLINE:
            return
        self._end_view()
        self._view, self._me = tuple(nodes), me
        self._name = name
        self.stage = Phase.GATHERING
        self._report_round = ReportRound(self._name, self._view)
        self._repeated = (self._member_state.report(self._name, self.author, self._view, self._orphans),)
        self._repeat_at = now + REPEAT_AFTER
        self._send(self._repeated[0])
        for node, message in self._early.take(self._name):
            self._dispatch(node, message)

    def detached(self) -> None:
        """Handle exclusion from the group. Nothing is discarded, and own operations stay pending."""
        self._end_view()
        self._early.clear()
        self._view = ()
        self.stage = Phase.OFFLINE

    def discard_history(self, why: str) -> None:
        """Discard this member's history and rejoin as new. Own operations that the others do not have are
        sent again."""
        self.detached()
        self._orphans = _NO_ORPHANS
        self._completing = False
        self._member_state.discard_history()
        self._out.append(Trouble(why, True))

    def heard(self, node: int, payload: bytes) -> None:
        """Handle a message of a member."""
        try:
            message = decode(payload)
        except MalformedError as error:
            self._out.append(Trouble(f"member {node} sent an invalid message: {error}", False))
            return
        if isinstance(message, Unordered):
            self._out.append(Heard(node, message.payload))
        elif message.view_id == self._name and self.stage is not Phase.OFFLINE:
            self._dispatch(node, message)
        elif not self._early.keep(node, message, message.view_id, len(payload)):
            self._out.append(Trouble("too many messages of unknown views arrived", True))

    def tick(self, now: float) -> None:
        """Advance the time."""
        self._now = now
        if self._opens_at is not None and now >= self._opens_at:
            self._opens_at = None
            if self._view[0] == self._me:
                self._send(Open(self._name))
        if self._report_round is not None and now >= self._repeat_at:
            self._repeat_at = now + REPEAT_AFTER  # a member may have joined after the first time
            for message in self._repeated:
                self._send(message)

    def ready(self) -> list[Output]:
        """Return the outputs that are due, and deliver what has its place now. `take` returns the rest."""
        if self._open_view is not None and self._open_view.has_order:
            self._deliver(self._open_view.past, self._open_view.deliver())
        taken, self._out = self._out, []
        return taken

    def take(self, room: int = 1 << 30) -> list[Output]:
        """Return the outputs in order, with at most about `room` bytes to send, not counting control
        messages."""
        taken = self.ready()
        if self._open_view is not None:
            if self._open_view.has_changes:
                self._process_progress(self._open_view)
            self._work(self._open_view, room)
        elif self._leaving and not self._may_leave and self.stage is Phase.OFFLINE:
            self._tell_may_leave()
        taken += self._out
        self._out.clear()
        return taken

    # The gathering phase

    def _end_view(self) -> None:
        if self._completing:
            self._completing = False
            self._member_state.completed()
        if self._open_view is not None:
            seats = self._open_view.decision.seats
            self._orphans = {
                inbox.author: (seat.node, inbox)
                for seat, inbox in zip(seats, self._open_view.inboxes, strict=True)
                if inbox.arrived > inbox.delivered
            }
        self._early.past(self._name)
        self._open_view = self._catch_up = self._report_round = self._opens_at = None
        self._later = ()
        self._member_progress.begin()
        self._own.begin()

    def _dispatch(self, node: int, message: Message) -> None:
        if node not in self._view:
            return
        if self._open_view is not None and isinstance(message, Work):
            self._hear_work(self._open_view, node, message)
            return
        if self._lacks_what_comes_first(node, message):
            self._out.append(Trouble(f"the first messages of member {node} in this view are missing", True))
            return
        match message:
            case Report() | Verdict() | Open() if self._report_round is not None:
                self._report_round.put(node, message)
                self._gather(self._report_round)
            case Report() if node != self._me:
                # A second report means that the sender missed earlier messages. If it missed ours, this shows
                # it so. Our progress counts only from when the view is open here, so none is sent before.
                self._send(Work(self._name, 0, [], None, self._progress()))
            case Plan() | Start() | Fill() if self._catch_up is not None:
                self._catch_up.put(node, message, self._member_state.past)
                self._open_if_ready(self._catch_up)
            case Work() | Plan() | Start() | Fill() if self._open_view is None:
                self._later += ((node, message),)

    def _lacks_what_comes_first(self, node: int, message: Message) -> bool:
        """True if the transport lost a message that is not repeated. Members report before they work, and
        donors send the start before they work. A member that sends a verdict is still gathering and will
        report again."""
        if self._report_round is not None:
            gathers = isinstance(message, Report | Verdict)
            return not gathers and not self._report_round.knows(node)
        return (
            self._catch_up is not None and isinstance(message, Work) and self._catch_up.lacks_start_of(node)
        )

    def _dispatch_later(self) -> None:
        later, self._later = self._later, ()
        for node, message in later:
            self._dispatch(node, message)

    def _gather(self, report_round: ReportRound) -> None:
        if (reports := report_round.asks(self._me)) is not None:
            self._repeated += (report_round.judged(self._me, self._member_state.judge(reports)),)
            self._send(self._repeated[-1])
        waited = report_round.decision is not None
        decision = report_round.decide()
        if decision is not None and decision.waits and not waited:
            self._opens_at = self._now + WAIT_FOR_OTHERS
        if decision is not None and report_round.may_open:
            self._install(decision, report_round.reports)

    # The opening phase

    def _install(self, decision: Decision, reports: dict[int, Report]) -> None:
        """Carry out the decision: set losing histories aside and wait for missing operations."""
        self._report_round = self._opens_at = None
        self.stage = Phase.OPENING
        catch_up = self._catch_up = CatchUp(decision, self._me, reports, self._orphans)
        self._member_state.enter(decision, catch_up.seat)
        if decision.lost:
            self._out.append(Trouble("no member with the state is here; a new history begins", False))
        if catch_up.begins:
            self._completing = False
            # Operations of a history that was only followed are in no branch.
            catch_up.again = self._member_state.follows or catch_up.seat.recovery is not Recovery.BRANCH
            self._member_state.put_aside()
        else:
            past = self._continue_history(decision, catch_up.seat)
            if catch_up.gives:
                for message in catch_up.missing(past):
                    self._send(message)
        self._record(decision.stable_session, decision.attempts)
        self._dispatch_later()
        self._open_if_ready(catch_up)

    def _continue_history(self, decision: Decision, seat: Seat) -> DeliveredLog:
        if decision.donor is None:
            self._completing = False
            past = self._member_state.begin_anew(self._name)
            self._member_progress.log_begins()
            self._own.turn(0, 0, again=True)
            self._out.append(BeginEmpty())
        else:
            kept = self._member_state.restore_previous() if seat.complete else None
            if kept is not None:
                self._out.append(HistoryRestored(kept.tip))
                self._move_own(kept, again=True)
                self._completing = False
            past = self._member_state.continue_history(self._name, complete=seat.complete)
            if self._completing:
                self._completing = False
                self._member_state.completed()
        past.expect_nothing()
        past.expect([] if decision.opened is None else [decision.opened])
        return past

    def _open_if_ready(self, catch_up: CatchUp) -> None:
        if self._catch_up is not catch_up:
            return
        if catch_up.begins:
            if catch_up.start is not None:
                self._begin(catch_up, catch_up.start)
            return
        past = self._member_state.past
        assert past is not None
        self._deliver(past, catch_up.take(past))
        for message in catch_up.tails(past):
            self._send(message)
        self._deliver(past, catch_up.take(past))
        if catch_up.caught_up(past):
            if catch_up.gives and catch_up.decision.starts:
                self._send(Start(self._name, past.tip, past.stable, past.epochs, tuple(past.marks.items())))
            self._open(catch_up, past, range(0), range(0))

    def _begin(self, catch_up: CatchUp, start: Start) -> None:
        self._member_state.begin_at(start)
        if not self._stateful:
            self._member_state.completed()
        past = self._member_state.past
        assert past is not None
        past.expect([] if catch_up.decision.opened is None else [catch_up.decision.opened])
        self._open(catch_up, past, *self._move_own(past, again=catch_up.again))

    def _open(self, catch_up: CatchUp, past: DeliveredLog, included: range, branched: range) -> None:
        decision = catch_up.decision
        self._catch_up = None
        self._orphans = _NO_ORPHANS
        self._repeated = ()
        self.stage = Phase.OPEN
        self._open_view = OpenView(decision, catch_up.place, past)
        self._out.append(
            Installed(
                self._name,
                decision.seats,
                catch_up.place,
                past.tip,
                decision.standing is Standing.CONTINUES,
                past.epochs,
                dict(past.marks),
                catch_up.begins,
                catch_up.seat.recovery,
                included,
                branched,
            )
        )
        self._dispatch_later()

    def _move_own(self, past: DeliveredLog, *, again: bool) -> tuple[range, range]:
        """Move own operations to another history."""
        return self._own.turn(past.marks.get(self.author, 0), past.number, again=again)

    # The open phase

    def _hear_work(self, open_view: OpenView, node: int, work: Work) -> None:
        try:
            open_view.work(node, work)
        except GapError as error:
            self._out.append(Trouble(f"from member {node}: {error}", True))
        except MalformedError as error:
            self._out.append(Trouble(f"from member {node}: {error}", False))

    def _deliver(self, past: DeliveredLog, runs: Iterator[Run]) -> None:
        for run in runs:
            ticket = None
            if run.author == self.author:
                ticket = self._own.was_ordered(run.number, run.first, len(run.payloads))
            self._out.append(Delivered(run, past.epoch, ticket))

    def _process_progress(self, open_view: OpenView) -> None:
        """Update stable operations and sessions after members reported progress or a session began."""
        open_view.has_changes = False
        for session in open_view.sessions:
            self._record(self._member_state.sessions.stable, (*self._member_state.sessions.attempts, session))
        open_view.sessions = ()
        if open_view.decision.standing is Standing.CONTINUES:
            self._settle(open_view)
            open_view.proposal = self._member_state.sessions.proposal(open_view)

    def _settle(self, open_view: OpenView) -> None:
        """Confirm operations that all members have."""
        past, settled = open_view.past, open_view.settled()
        if settled > past.stable.number or self._own.is_confirmed(past.stable.number):
            past.confirm(settled)
            number = past.stable.number
            self._out.append(Stable(number, self._own.was_confirmed(number)))
            past.forget(number)
        self._record(*self._member_state.sessions.recorded(open_view))

    def _record(self, stable: Session, attempts: tuple[Session, ...]) -> None:
        before, after = self._member_state.sessions, QuorumSessions(stable, attempts)
        if (stable, attempts) != (before.stable, before.attempts):
            self._member_state.sessions = after
            if after.founding != before.founding:
                self._member_progress.sessions_begin()
            self._out.append(SessionsChanged(stable, attempts))

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

    def _work(self, open_view: OpenView, room: int) -> None:
        """Send own operations, numbers and progress."""
        own = self._own
        while True:
            first, payloads = 0, list[bytes]()
            if room > 0 and own.unsent and not self._held:
                first, payloads = own.next_batch(BATCH_MOST, min(room, _WORK_BYTES))
                room -= sum(map(len, payloads))
            order = open_view.next_order(own.sent)
            if not payloads and order is None:
                break
            self._send(Work(self._name, first, payloads, order, self._due_progress(alone=False)))
        if (progress := self._due_progress(alone=True)) is not None:
            self._send(Work(self._name, 0, [], None, progress))
        if self._leaving and not self._may_leave:
            self._leave_if_allowed(open_view)

    def _leave_if_allowed(self, open_view: OpenView) -> None:
        alone = len(self._view) == 1
        side = open_view.decision.standing is not Standing.CONTINUES
        out = not self._member_state.sessions.counts(self.author)
        if not self._own.pending and (alone or side or out) and not open_view.last_with_state():
            self._tell_may_leave()

    def _tell_may_leave(self) -> None:
        self._may_leave = True
        self._out.append(MayLeave())

    def _send(self, message: Message) -> None:
        self._out.append(Send(encode(message)))
