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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from liven.liveobjects.channel.history import (
    MalformedError,
    Operation,
    Recovery,
    Voter,
)
from liven.liveobjects.channel.ordering import outputs
from liven.liveobjects.channel.ordering.channel_status import ChannelStatus
from liven.liveobjects.channel.ordering.member_state import Returned
from liven.liveobjects.channel.ordering.message_codec import OtherVersionError, decode, encode
from liven.liveobjects.channel.ordering.messages import (
    BATCH_MOST,
    Doubt,
    Fill,
    LeftOut,
    Message,
    Open,
    Plan,
    Report,
    Start,
    Unordered,
    Verdict,
    Work,
)
from liven.liveobjects.channel.ordering.open_view import GapError, OpenView
from liven.liveobjects.channel.ordering.opening.catch_up import CatchUp
from liven.liveobjects.channel.ordering.opening.decision import Decision, Seat
from liven.liveobjects.channel.ordering.opening.doubts import WAIT, Doubts
from liven.liveobjects.channel.ordering.opening.report_round import EarlyMessages, ReportRound
from liven.liveobjects.channel.ordering.opening.view_members import ViewMembers
from liven.liveobjects.channel.ordering.operations.delivered_log import DeliveredLog, Older, Run, unknown
from liven.liveobjects.channel.ordering.operations.unnumbered import UnnumberedOperations
from liven.liveobjects.channel.ordering.phase import Phase

WAIT_FOR_OTHERS: Final = 2.0
"""Seconds that returning members wait for others after everybody had left."""
REPEAT_AFTER: Final = 0.3
"""Seconds until a member repeats its report for a view that is not agreed on."""
_NO_ORPHANS: Final[Mapping[bytes, tuple[int, UnnumberedOperations]]] = {}
_WORK_BYTES: Final = 56 * 1024


class OrderedChannel(ChannelStatus):
    """One member of an ordered channel."""

    def __init__(
        self,
        author: bytes,
        *,
        voter: Voter | None = None,
        stateful: bool = False,
        returned: Returned | None = None,
        inherited: Sequence[Operation] = (),
        older: Older = unknown,
    ) -> None:
        super().__init__(author, voter or Voter(author), returned, inherited, older)
        self._stateful = stateful
        self._members = ViewMembers()
        self._view: tuple[int, ...] = ()
        """The members of the view that were not left out."""
        self._me = 0
        self._name = b""
        self._early = EarlyMessages()
        self._later: tuple[tuple[int, Message], ...] = ()
        self._orphans: Mapping[bytes, tuple[int, UnnumberedOperations]] = _NO_ORPHANS
        self._report_round: ReportRound | None = None
        self._catch_up: CatchUp | None = None
        self._readers: tuple[int, ...] = ()
        self._may_leave = self._completing = False
        self._opens_at: float | None = None
        self._repeated: tuple[Message, ...] = ()
        self._repeat_at = 0.0
        self._doubts = Doubts()
        self._disputed = False
        """True if a member that was left out of this view goes on without this one."""

    @property
    def wake(self) -> float | None:
        """The time at which `tick` is next needed; None if nothing is pending."""
        if self._report_round is not None:
            return self._repeat_at if self._opens_at is None else min(self._opens_at, self._repeat_at)
        if self._catch_up is not None:
            return self._repeat_at
        if self._open_view is None:
            return None
        doubts_at = self._doubts.wake
        progress_at = self._member_progress.wake(self._member_state, self._now, leaving=self._is_leaving)
        return progress_at if doubts_at is None else min(doubts_at, progress_at or doubts_at)

    # Calls from the layer above

    def say(self, payload: bytes) -> None:
        """Send all members a message outside the order."""
        self._send(Unordered(payload))

    @property
    def view_id(self) -> bytes:
        """The identity of the open view; empty while none is open."""
        return b"" if self._open_view is None else self._name

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
        if self._members.names(number, nodes) and self.stage is not Phase.OFFLINE:
            return
        self._members.begin(number, nodes)
        self._doubts, self._disputed = Doubts(), False
        self._me = me
        self._begin_view()

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
        self._report(why, rejoin=True)

    def heard(self, node: int, payload: bytes) -> None:
        """Handle a message of a member."""
        try:
            message = decode(payload)
        except OtherVersionError:
            self._refuse(node, "runs another version of Liven", outputs.OtherVersion(node))
            return
        except MalformedError as error:
            self._refuse(node, f"sent an unreadable message: {error}")
            return
        if isinstance(message, Unordered):
            self._out.append(outputs.Heard(node, message.payload))
        elif self._is_now(message):
            self._dispatch(node, message)
        elif not self._early.keep(node, message, message.view_id, len(payload)):
            self._report("too many messages of unknown views arrived", rejoin=True)

    def tick(self, now: float) -> None:
        """Advance the time."""
        self._now = now
        if self._opens_at is not None and now >= self._opens_at:
            self._opens_at = None
            if self._view[0] == self._me:
                self._send(Open(self._name))
        if (self._report_round or self._catch_up) is not None and now >= self._repeat_at:
            self._repeat_at = now + REPEAT_AFTER
            if self._report_round is not None:  # a member may have joined after the first time
                for message in self._repeated:
                    self._send(message)
            awaited = self._awaited()
            if self._members.is_overdue(awaited, now):
                self._leave_out(awaited)
        self._doubt_the_silent(now)

    def ready(self) -> list[outputs.Output]:
        """Return the outputs that are due, and deliver what has its place now. `take` returns the rest."""
        if self._open_view is not None and self._open_view.has_order:
            self._deliver(self._open_view.past, self._open_view.deliver())
        taken, self._out = self._out, []
        return taken

    def take(self, room: int = 1 << 30) -> list[outputs.Output]:
        """Return the outputs in order, with at most about `room` bytes to send, not counting control
        messages."""
        taken = self.ready()
        if self._open_view is not None and self._open_view.has_changes:
            self._process_progress(self._open_view)
        if self._open_view is not None:
            self._work(self._open_view, room)
        elif self._leaving and not self._may_leave and self.stage is Phase.OFFLINE:
            self._tell_may_leave()
        taken += self._out
        self._out.clear()
        return taken

    # The members of a view

    def _begin_view(self) -> None:
        """Begin to gather the reports of the members that are not left out."""
        self._end_view()
        self._view, self._name = self._members.present, self._members.identity
        self.stage = Phase.GATHERING
        self._report_round = ReportRound(self._name, self._view, everybody=not self._members.left_out)
        self._repeated = (
            self._member_state.report(
                self._name,
                self.author,
                self.voter,
                self._view,
                self._orphans,
                stores=self._member_progress.stores,
            ),
        )
        self._repeat_at = self._now + REPEAT_AFTER
        self._members.restart(self._now)
        self._doubts.restart()
        self._send(self._repeated[0])
        self._dispatch_all((*self._early.take(self._members.announced_as), *self._early.take(self._name)))

    def _is_now(self, message: Message) -> bool:
        """True if a message is of the present view."""
        announced = isinstance(message, LeftOut | Doubt)
        view_id = self._members.announced_as if announced else self._name
        known = not isinstance(message, Unordered) and message.view_id == view_id
        return known and self.stage is not Phase.OFFLINE

    def _awaited(self) -> set[int]:
        """Return the members without whose messages this view does not open here."""
        if self._report_round is not None:
            return self._report_round.awaited(self._me)
        past = self._member_state.past
        return set() if self._catch_up is None else self._catch_up.awaited(past)

    def _leave_out(self, nodes: Iterable[int]) -> None:
        """Go on without members that do not answer, and say so."""
        more = self._members.leave_out(nodes)
        if more:
            if silent := tuple(node for node in more if not self._doubts.about(node)):
                self._out.append(outputs.Unanswered(silent))
            self._send(LeftOut(self._members.announced_as, self._members.left_out))
            self._begin_view()

    def _hear_left_out(self, message: LeftOut) -> None:
        """Follow a member that goes on without others, perhaps without this one."""
        if self._me in message.nodes:
            doubted = self._doubts.about(self._me)
            why = "they got no answer, or cannot follow it" if doubted else "it did not answer"
            self.detached()
            self._report(f"the others went on without this computer: {why}", rejoin=True)
        else:
            self._leave_out(message.nodes)

    def _refuse(self, node: int, why: str, told: outputs.OtherVersion | None = None) -> None:
        """Stop listening to a member in this view, and vote to go on without it: something of its is missing
        here from now on. People are `told`, or else get the reason as it is."""
        if node in self._doubts.refused:
            return
        self._doubts.refused += (node,)
        if told is not None:
            self._out.append(told)
        else:
            self._report(f"member {node} {why}", rejoin=node == self._me)
        if node in self._view and node != self._me:
            self._doubts.wait_for_votes(self._now, f"member {node} {why}; the others go on with it")
            self._doubt((node,))

    def _doubt(self, nodes: Iterable[int]) -> None:
        if self._doubts.vote(self._me, nodes):
            vote = Doubt(self._members.announced_as, self._doubts.of(self._me))
            if self._report_round is not None:
                self._repeated += (vote,)
            self._send(vote)
            self._leave_out_rejected()

    def _leave_out_rejected(self) -> None:
        """Go on without the members with most votes against them. If this is one, the others will say so."""
        self._leave_out(self._doubts.rejected(self._view) - {self._me})

    def _doubt_the_silent(self, now: float) -> None:
        """Doubt the one whose message an open view waits for. If the others do not, join again."""
        of = self._open_view
        if of is not None:
            awaited = [] if self._may_leave else of.awaited()
            if self._doubts.is_overdue(bool(awaited), of.mark, now):
                who = " and ".join(f"member {node}" for node in awaited)
                self._doubts.wait_for_votes(now, f"{who} did not answer for {WAIT:g} seconds")
                self._doubt(awaited)
        if (why := self._doubts.alone(now)) is not None:
            self._report(why, rejoin=True)

    def _settle_dispute(self) -> None:
        """Join again if a member that was left out goes on without this one, and may be in the right."""
        of = self._open_view
        if self._disputed and of is not None and not of.decision.standing.confirms:
            self._disputed = False
            self._report("another member goes on without this computer", rejoin=True)

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
        if isinstance(message, LeftOut) and node in self._members.left_out and self._me in message.nodes:
            self._disputed = True
            self._settle_dispute()
        if node not in self._view or node in self._doubts.refused:
            return
        if isinstance(message, LeftOut):
            self._hear_left_out(message)
            return
        if isinstance(message, Doubt):
            if self._doubts.vote(node, message.nodes):
                self._leave_out_rejected()
            return
        if self._open_view is not None and isinstance(message, Work):
            self._hear_work(self._open_view, node, message)
            return
        if self._lacks_what_comes_first(node, message):
            self._report(f"the first messages of member {node} in this view are missing", rejoin=True)
            return
        match message:
            case Report() | Verdict() | Open() if self._report_round is not None:
                self._members.answered(node)
                if self._report_round.lacks(node, message):
                    self._members.restart(self._now)
                self._report_round.put(node, message)
                self._gather(self._report_round)
            case Report() if node != self._me:
                # A second report means that the sender missed earlier messages. If it missed ours, this shows
                # it so. Our progress counts only from when the view is open here, so none is sent before.
                self._send(Work(self._name, 0, [], None, self._progress()))
            case Plan() | Start() | Fill() if self._catch_up is not None:
                self._members.restart(self._now)
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
        self._dispatch_all(later)

    def _dispatch_all(self, messages: Iterable[tuple[int, Message]]) -> None:
        for node, message in messages:
            if self._is_now(message):  # one of them may begin another view
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
        self._members.restart(self._now)
        self.stage = Phase.OPENING
        catch_up = self._catch_up = CatchUp(decision, self._me, reports, self._orphans)
        if decision.lost:
            self._report("no member with the state is here; a new history begins")
        if catch_up.begins:
            self._completing = False
            # Operations of a history that was only followed, or that the disk did not take, are in no branch.
            branches = not self._member_state.follows and self._member_progress.stores
            catch_up.again = not branches or catch_up.seat.recovery is not Recovery.BRANCH
            self._member_state.put_aside()
        else:
            past = self._continue_history(decision, catch_up.seat)
            if catch_up.gives:
                for message in catch_up.missing(past):
                    self._send(message)
        self._member_state.enter(decision, catch_up.seat)
        self._record(decision.stable_session, decision.attempts)
        self._dispatch_later()
        self._open_if_ready(catch_up)

    def _continue_history(self, decision: Decision, seat: Seat) -> DeliveredLog:
        if decision.donor is None:
            self._completing = False
            past = self._member_state.begin_anew(self._name)
            self._member_progress.log_begins()
            self._own.turn(0, 0, again=True)
            self._out.append(outputs.BeginEmpty())
        else:
            kept = self._member_state.restore_previous() if seat.complete else None
            if kept is not None:
                self._out.append(outputs.HistoryRestored(kept.tip))
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
            outputs.Installed(
                self._name,
                decision.seats,
                catch_up.place,
                past.tip,
                decision.standing.confirms,
                past.epochs,
                dict(past.marks),
                catch_up.begins,
                catch_up.seat.recovery,
                included,
                branched,
                decision.opened is not None and decision.opened.after < decision.opened.parent.number,
            )
        )
        self._settle_dispute()
        self._dispatch_later()

    def _move_own(self, past: DeliveredLog, *, again: bool) -> tuple[range, range]:
        """Move own operations to another history."""
        return self._own.turn(past.marks.get(self.author, 0), past.number, again=again)

    # The open phase

    def _hear_work(self, open_view: OpenView, node: int, work: Work) -> None:
        try:
            open_view.work(node, work)
        except (GapError, MalformedError) as error:
            self._refuse(node, f"sent a message that cannot be right: {error}")

    def _deliver(self, past: DeliveredLog, runs: Iterator[Run]) -> None:
        for run in runs:
            ticket = None
            if run.author == self.author:
                ticket = self._own.was_ordered(run.number, run.first, len(run.payloads))
            self._out.append(outputs.Delivered(run, past.epoch, ticket))

    def _process_progress(self, open_view: OpenView) -> None:
        """Update stable operations and sessions after members reported progress or a session began."""
        open_view.has_changes = False
        for node in open_view.diverged():
            self._refuse(node, "has another order of operations than this computer")
        if self._open_view is not open_view:
            return
        for session in open_view.sessions:
            self._record(self._member_state.sessions.stable, (*self._member_state.sessions.attempts, session))
        open_view.sessions = ()
        readers = tuple(node for node in open_view.readers if node != self._me)
        if readers != self._readers:
            self._readers = readers
            self._out.append(outputs.Readers(self._readers))
        confirms = open_view.decision.standing.confirms
        if confirms:
            self._record(*self._member_state.sessions.recorded(open_view))
        open_view.count_on(self._member_state.sessions.voters if confirms else frozenset())
        if confirms:
            self._settle(open_view)
            open_view.proposal = self._member_state.sessions.proposal(open_view)

    def _settle(self, open_view: OpenView) -> None:
        """Confirm operations that all members have that count."""
        if not open_view.is_recorded(self._member_state.sessions.stable):
            return
        past, settled = open_view.past, open_view.settled()
        if settled > past.stable.number or self._own.is_confirmed(past.stable.number):
            past.confirm(settled)
            number = past.stable.number
            self._out.append(outputs.Stable(number, self._own.was_confirmed(number)))
            past.forget(number)

    def _work(self, open_view: OpenView, room: int) -> None:
        """Send own operations, numbers and progress."""
        own = self._own
        while True:
            first, payloads = 0, list[bytes]()
            if room > 0 and own.unsent:
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
        side = not open_view.decision.standing.confirms
        out = not self._member_state.sessions.counts(self.voter)
        if not self._own.pending and (alone or side or out) and not open_view.last_with_state():
            self._tell_may_leave()

    def _tell_may_leave(self) -> None:
        self._may_leave = True
        self._out.append(outputs.MayLeave())

    def _send(self, message: Message) -> None:
        self._out.append(outputs.Send(encode(message)))
