"""The ordered channel as a machine: what comes over a FIFO group goes in, what is to be done comes out.

It makes no call of any system and knows no clock but the times that it is told. Its life is a sequence of
*regimes*, one for each view:

    gathering   everybody reports what it has; if histories met, they are judged; then all decide alike
    opening     who misses something gets it; who has nothing of this history is told where it begins
    open        operations come in, the orderer numbers them, everybody delivers them in that order

A regime ends with the next view, in whatever state it is. Operations that got no number are sent again in the
next one by their author; those of authors that are gone are numbered first, from those who have them.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
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
from liven.liveobjects.channel.ordering.fills import Fills, loose, slices
from liven.liveobjects.channel.ordering.flush import (
    NOBODY,
    Decision,
    Part,
    Seat,
    contenders,
    decide,
    needs_verdicts,
)
from liven.liveobjects.channel.ordering.inbox import Inbox
from liven.liveobjects.channel.ordering.messages import (
    BATCH_MOST,
    OPERATION_MOST,
    REGIME_BYTES,
    Beside,
    Fill,
    Held,
    Judged,
    Life,
    Message,
    Open,
    Order,
    Plan,
    Progress,
    Report,
    Start,
    Tail,
    Verdict,
    Work,
    decode,
    encode,
)
from liven.liveobjects.channel.ordering.outputs import (
    Anew,
    Delivered,
    Heard,
    Installed,
    MayLeave,
    Output,
    Send,
    SessionsChanged,
    Stable,
    TakenUp,
    Trouble,
)
from liven.liveobjects.channel.ordering.own import LIFE, Own
from liven.liveobjects.channel.ordering.past import Older, Past, Run
from liven.liveobjects.channel.ordering.regime import GapError, Regime

WAIT_FOR_OTHERS: Final = 2.0
"""How long those who return after everybody left wait for more of them."""
TELL_EVERY: Final = 0.02
"""How often a member tells at most how far it is, when it has nothing else to send."""
_EARLY_BYTES: Final = 64 * 1024 * 1024
_OLD_REGIMES: Final = 64
_WORK_BYTES: Final = 56 * 1024


class Stage(enum.Enum):
    """Where a machine is in a regime."""

    OFFLINE = "offline"
    GATHERING = "gathering"
    OPENING = "opening"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Returned:
    """What a store kept of an earlier life."""

    tip: Position
    stable: Position
    epochs: tuple[Epoch, ...]
    marks: dict[bytes, int]
    stable_session: Session
    attempts: tuple[Session, ...]


def regime_name(number: int, nodes: Sequence[int]) -> bytes:
    """The name of a view: the same for all its members, and for no other view."""
    told = b",".join(str(each).encode() for each in (number, *nodes))
    return blake2b(told, digest_size=REGIME_BYTES, person=b"liven-regime").digest()


def _unknown(_: int) -> bytes | None:
    """The chain hash at an old number, for those who keep no log."""
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
        self.stage = Stage.OFFLINE
        self._stateful = stateful
        self._older = older
        self._out: deque[Output] = deque()
        self._own = Own()
        self._begin_life(returned)
        self._shelf: tuple[Past, bytes] | None = None
        self._turns = self._since = 0
        self._logged: int | None = None
        self._view: tuple[int, ...] = ()
        self._me = 0
        self._name = b""
        self._old_names: deque[bytes] = deque(maxlen=_OLD_REGIMES)
        self._early: dict[bytes, list[tuple[int, Message, int]]] = {}
        self._early_bytes = 0
        self._later: list[tuple[int, Message]] = []
        self._orphans: dict[bytes, tuple[int, Inbox]] = {}
        self._reports: dict[int, Report] = {}
        self._verdicts: dict[int, tuple[Judged, ...]] = {}
        self._decision: Decision | None = None
        self._plan: Plan | None = None
        self._base = 0
        self._opened_early = False
        self._fills = Fills()
        self._regime: Regime | None = None
        self._leaving = self._may_leave = False
        self._told: Progress | None = None
        self._told_at = self._now = 0.0
        self._opens_at: float | None = None

    def _begin_life(self, returned: Returned | None) -> None:
        self._past: Past | None = None
        self._complete = False
        self._life = Life.FRESH
        self._turn = b""
        self._stable_session = NOBODY
        self._attempts: tuple[Session, ...] = ()
        if returned is not None:
            self._past = Past(returned.tip, returned.stable, returned.epochs, returned.marks)
            self._complete = True
            self._life = Life.RETURNED
            self._stable_session = returned.stable_session
            self._attempts = returned.attempts
            self._own = Own(returned.marks.get(self.author, 0) + LIFE)

    # What others may ask

    @property
    def position(self) -> Position:
        """The position after the last operation that was delivered."""
        return BEGINNING if self._past is None else self._past.tip

    @property
    def epochs(self) -> tuple[Epoch, ...]:
        """The epochs of the history, from the first on."""
        return () if self._past is None else self._past.epochs

    @property
    def pending(self) -> int:
        """How many own operations have no number."""
        return self._own.pending

    @property
    def unacknowledged(self) -> int:
        """How many own operations are not stable."""
        return len(self._own)

    @property
    def orders(self) -> bool:
        """Whether this member gives the numbers."""
        return self._regime is not None and self._regime.orderer is not None

    @property
    def wake(self) -> float | None:
        """When `tick` is next wanted; None if nothing is waited for."""
        if self._opens_at is not None:
            return self._opens_at
        return self._told_at + TELL_EVERY if self._regime and self._progress() != self._told else None

    def chain_at(self, number: int) -> bytes | None:
        """The chain hash after an operation that is not yet forgotten."""
        return None if self._past is None else self._past.chain_at(number)

    # What comes from above

    def submit(self, payload: bytes) -> int:
        """Takes an operation; returns its ticket. ChannelBusyError when too many wait."""
        if len(payload) > OPERATION_MOST:
            raise ValueError(f"an operation may have at most {OPERATION_MOST} bytes, not {len(payload)}")
        return self._own.submit(payload)

    def say(self, payload: bytes) -> None:
        """Tells all members something that is not ordered."""
        self._send(Beside(payload))

    def logged(self, number: int) -> None:
        """Everything up to `number` is in this member's log. Who never says so keeps its log in memory."""
        self._logged = number

    def completed(self) -> None:
        """The state at the cut is here, and what followed is applied: this member stands for its history."""
        self._complete = True
        self._shelf = None

    def leave(self) -> None:
        """Asks to leave; `MayLeave` follows, when own operations have their numbers and the session is
        without this member."""
        self._leaving = True

    # What comes from below

    def view(self, number: int, nodes: Sequence[int], me: int, now: float) -> None:
        """A view of the group, with this member's short name in it."""
        self._now = now
        self._end_regime()
        self._view, self._me = tuple(nodes), me
        self._name = regime_name(number, nodes)
        self.stage = Stage.GATHERING
        self._send(self._report())
        for node, message, size in self._early.pop(self._name, []):
            self._early_bytes -= size
            self._dispatch(node, message)

    def detached(self) -> None:
        """The group goes on without this member. Nothing is discarded; what is submitted stays pending."""
        self._end_regime()
        self._early.clear()
        self._early_bytes = 0
        self._view = ()
        self.stage = Stage.OFFLINE

    def heard(self, node: int, payload: bytes) -> None:
        """A message of a member."""
        try:
            message = decode(payload)
        except MalformedError as error:
            self._out.append(Trouble(f"member {node} sent what is no message: {error}", False))
            return
        if isinstance(message, Beside):
            self._out.append(Heard(node, message.payload))
        elif message.regime == self._name and self.stage is not Stage.OFFLINE:
            self._dispatch(node, message)
        elif message.regime not in self._old_names:
            self._keep_early(node, message, len(payload))

    def tick(self, now: float) -> None:
        """Time has passed."""
        self._now = now
        if self._opens_at is not None and now >= self._opens_at:
            self._opens_at = None
            if self._view[0] == self._me:
                self._send(Open(self._name))

    def take(self, room: int = 1 << 30) -> list[Output]:
        """What is to be done, in order; what leaves is about `room` bytes at most, except for control."""
        if self._regime is not None:
            self._advance(self._regime)
            self._work(self._regime, room)
        elif self._leaving and not self._may_leave and self.stage is Stage.OFFLINE:
            self._tell_may_leave()
        taken = list(self._out)
        self._out.clear()
        return taken

    # Ending and gathering

    def _end_regime(self) -> None:
        if self._regime is not None:
            seats = self._regime.decision.seats
            self._orphans = {
                inbox.author: (seat.node, inbox)
                for seat, inbox in zip(seats, self._regime.inboxes, strict=True)
                if inbox.arrived > inbox.delivered
            }
        if self._name:
            self._old_names.append(self._name)
        self._regime = self._decision = self._plan = self._told = self._opens_at = None
        self._reports, self._verdicts, self._later = {}, {}, []
        self._fills = Fills()
        self._base = 0
        self._opened_early = False
        self._own.begin()

    def _report(self) -> Report:
        past = self._past
        shelf = None if self._shelf is None else self._shelf[0]
        stands = past if self._complete else shelf
        following = None if self._complete or past is None else past.tip
        life = Life.LIVE if following is not None or shelf is not None else self._life
        return Report(
            regime=self._name,
            author=self.author,
            life=life,
            complete=self._complete,
            turn=self._turn if past is not None or shelf is None else self._shelf_turn(),
            turns=self._turns,
            since=self._since,
            claim=None if stands is None else stands.claim,
            following=following,
            kept_from=0 if stands is None else stands.kept_from,
            held=self._held(),
            stable_session=self._stable_session,
            attempts=self._attempts,
        )

    def _shelf_turn(self) -> bytes:
        return b"" if self._shelf is None else self._shelf[1]

    def _held(self) -> tuple[Held, ...]:
        """What is here of members that are gone, from the first that has no number on."""
        found = []
        for author, (node, inbox) in self._orphans.items():
            if node in self._view:
                continue
            done = self._past.marks.get(author, 0) if self._past is not None else 0
            if done < inbox.last:
                found.append(Held(author, max(done + 1, inbox.first), inbox.last))
        return tuple(found)

    def _keep_early(self, node: int, message: Message, size: int) -> None:
        assert not isinstance(message, Beside)
        if self._early_bytes + size > _EARLY_BYTES:
            self._early.clear()
            self._early_bytes = 0
            self._out.append(Trouble("too much came of views that are not known here", True))
            return
        self._early_bytes += size
        self._early.setdefault(message.regime, []).append((node, message, size))

    def _dispatch(self, node: int, message: Message) -> None:
        if node not in self._view:
            return
        match message:
            case Report():
                self._reports[node] = message
                self._gather()
            case Verdict(judged=judged) if len(judged) == len(self._view):
                self._verdicts[node] = judged
                self._gather()
            case Open() if node == self._view[0]:
                self._opened_early = True
                self._gather()
            case Work() if self._regime is not None:
                self._hear_work(self._regime, node, message)
            case Plan() | Start() | Fill() if self.stage is Stage.OPENING:
                self._hear_opening(message)
            case Work() | Plan() | Start() | Fill() if self.stage is not Stage.OPEN:
                self._later.append((node, message))

    def _gather(self) -> None:
        if self.stage is not Stage.GATHERING or len(self._reports) < len(self._view):
            return
        reports = {node: self._reports[node] for node in self._view}
        judges = contenders(reports) if needs_verdicts(reports) else []
        if self._me in judges and self._me not in self._verdicts:
            self._verdicts[self._me] = self._judge(reports)
            self._send(Verdict(self._name, self._verdicts[self._me]))
        if self._decision is None and all(judge in self._verdicts for judge in judges):
            verdicts = {judge: self._verdicts[judge] for judge in judges}
            self._decision = decide(self._name, reports, verdicts)
            self._opens_at = self._now + WAIT_FOR_OTHERS if self._decision.waits else None
        if self._decision is not None and (self._opened_early or not self._decision.waits):
            self._install(self._decision)

    def _judge(self, reports: dict[int, Report]) -> tuple[Judged, ...]:
        past = self._past if self._complete or self._shelf is None else self._shelf[0]
        assert past is not None
        own = past
        return tuple(
            Judged(
                report.claim is not None and own.holds(report.claim.tip, self._older),
                report.claim is not None and own.holds(report.claim.stable, self._older),
                report.following is not None and own.holds(report.following, self._older),
            )
            for report in reports.values()
        )

    # Opening

    def _seat(self, decision: Decision) -> tuple[int, Seat]:
        return next((place, seat) for place, seat in enumerate(decision.seats) if seat.node == self._me)

    def _install(self, decision: Decision) -> None:
        """The decision holds: histories that end are put aside, and what is missing is waited for."""
        if self.stage is not Stage.GATHERING:
            return
        self.stage = Stage.OPENING
        self._opens_at = None
        _, seat = self._seat(decision)
        self._turns, self._since = decision.turns, seat.since
        if decision.lost:
            self._out.append(
                Trouble("the last member that had the state is gone; a new history begins", False)
            )
        if seat.part is Part.BEGINS:
            self._put_aside()
        else:
            self._go_on(decision, seat)
            self._give_missing(decision)
        self._record(decision.stable_session, decision.attempts)
        later, self._later = self._later, []
        for node, message in later:
            self._dispatch(node, message)
        self._open_if_ready()

    def _put_aside(self) -> None:
        if self._complete and self._past is not None:
            self._shelf = self._past, self._turn
        self._past = None
        self._complete = False

    def _go_on(self, decision: Decision, seat: Seat) -> None:
        if decision.donor is None:
            self._past = Past()
            self._own.turn(0, 0, again=True)
            self._out.append(Anew())
        elif seat.complete and not self._complete and self._shelf is not None:
            self._past, _ = self._shelf
            self._shelf = None
            self._out.append(TakenUp(self._past.tip))
            self._turn_own(self._past, again=True)
        past = self._past
        assert past is not None
        self._complete = seat.complete
        self._life = Life.LIVE
        self._turn = self._name
        past.expect_nothing()
        if decision.opened is not None:
            past.expect([decision.opened])

    def _give_missing(self, decision: Decision) -> None:
        """The donor tells all what others miss, and which operations come first."""
        assert self._past is not None
        if decision.donor != self._me:
            return
        tip = self._past.number
        behind = [self._number_of(seat) for seat in decision.seats if seat.part is Part.BEHIND]
        for fill in slices(self._name, self._past, min(behind, default=tip) + 1, tip):
            self._send(fill)
        if decision.absent:
            self._send(Plan(self._name, self._tails(decision)))

    def _number_of(self, seat: Seat) -> int:
        report = self._reports[seat.node]
        if report.complete or report.following is None:
            assert report.claim is not None
            return report.claim.tip.number
        return report.following.number

    def _tails(self, decision: Decision) -> tuple[Tail, ...]:
        assert self._past is not None
        tails = []
        for author in decision.absent:
            done = self._past.marks.get(author, 0)
            best = self._best_holder(decision, author, done)
            if best is not None:
                tails.append(Tail(author, *best))
        return tuple(tails)

    def _best_holder(self, decision: Decision, author: bytes, done: int) -> tuple[int, int, int] | None:
        """Which operations of an author are held beyond its mark, and by whom."""
        best: tuple[int, int, int] | None = None
        for seat in decision.seats:
            if seat.part is Part.BEGINS:
                continue
            for held in self._reports[seat.node].held:
                more = held.author == author and held.last > done
                if more and (best is None or held.last > best[1]):
                    best = max(held.first, done + 1), held.last, seat.node
        return best

    def _hear_opening(self, message: Plan | Start | Fill) -> None:
        match message:
            case Fill():
                if self._past is not None:
                    self._past.expect(message.epochs)
                self._fills.put(message)
            case Plan():
                self._plan = message
            case Start():
                self._begin(message)
        self._open_if_ready()

    def _begin(self, start: Start) -> None:
        decision = self._decision
        if decision is None or self._past is not None or self._seat(decision)[1].part is not Part.BEGINS:
            return
        self._past = Past(start.position, start.stable, start.epochs, dict(start.marks))
        self._life = Life.LIVE
        self._turn = self._name
        self._complete = not self._stateful
        if self._complete:
            self._shelf = None

    def _open_if_ready(self) -> None:
        decision = self._decision
        if self.stage is not Stage.OPENING or decision is None or self._past is None:
            return
        _, seat = self._seat(decision)
        if seat.part is not Part.BEGINS and not self._caught_up(decision, self._past):
            return
        self._open(decision, seat, self._past)

    def _caught_up(self, decision: Decision, past: Past) -> bool:
        """Whether all that comes before the first order is here."""
        self._take_fills(past)
        if past.number < decision.tip.number:
            return False
        if not decision.absent:
            return past.number == decision.tip.number
        if self._plan is None:
            return False
        if not self._base:
            self._give_tails(decision, self._plan)
        self._take_fills(past)
        return past.number >= self._base

    def _give_tails(self, decision: Decision, plan: Plan) -> None:
        number = decision.tip.number + 1
        for tail in plan.tails:
            if tail.holder == self._me:
                inbox = self._orphans[tail.author][1]
                waiting = inbox.waiting()[tail.first - inbox.first : tail.last + 1 - inbox.first]
                for fill in loose(self._name, number, tail.author, tail.first, waiting):
                    self._send(fill)
            number += tail.last + 1 - tail.first
        self._base = number - 1

    def _take_fills(self, past: Past) -> None:
        for run in self._fills.take(past):
            self._deliver(past, run)

    def _open(self, decision: Decision, seat: Seat, past: Past) -> None:
        place, _ = self._seat(decision)
        included = branched = range(0)
        begins = seat.part is Part.BEGINS
        if begins:
            again = seat.recovery is not Recovery.BRANCH
            included, branched = self._turn_own(past, again=again)
        elif decision.donor == self._me and decision.starts:
            self._send(Start(self._name, past.tip, past.stable, past.epochs, tuple(past.marks.items())))
        if begins and decision.opened is not None:
            past.expect([decision.opened])
        self._orphans = {}
        self._plan, self._base = None, 0
        self.stage = Stage.OPEN
        self._regime = Regime(decision, place, past)
        main = decision.standing is Standing.CONTINUES
        self._out.append(
            Installed(
                self._name,
                decision.seats,
                place,
                past.tip,
                main,
                past.epochs,
                dict(past.marks),
                begins,
                seat.recovery,
                included,
                branched,
            )
        )
        later, self._later = self._later, []
        for node, message in later:
            self._dispatch(node, message)

    def _turn_own(self, past: Past, *, again: bool) -> tuple[range, range]:
        """Own operations follow another history."""
        return self._own.turn(past.marks.get(self.author, 0), past.number, again=again)

    # Open

    def _hear_work(self, regime: Regime, node: int, work: Work) -> None:
        place = next(index for index, seat in enumerate(regime.decision.seats) if seat.node == node)
        try:
            regime.work(place, work)
        except GapError as error:
            self._out.append(Trouble(f"from member {node}: {error}", True))
        except MalformedError as error:
            self._out.append(Trouble(f"from member {node}: {error}", False))

    def _advance(self, regime: Regime) -> None:
        for run in regime.deliver():
            self._deliver(regime.past, run)
        for session in regime.sessions:
            self._record(self._stable_session, (*self._attempts, session))
        regime.sessions.clear()
        self._settle(regime)

    def _deliver(self, past: Past, run: Run) -> None:
        ticket = None
        if run.author == self.author:
            ticket = self._own.was_ordered(run.number, run.first, len(run.payloads))
        self._out.append(Delivered(run, past.epoch, ticket))

    def _settle(self, regime: Regime) -> None:
        """Looks what all members have."""
        settled = regime.settled()
        past = regime.past
        main = regime.decision.standing is Standing.CONTINUES
        if main and (settled > past.stable.number or self._own.is_confirmed(past.stable.number)):
            past.confirm(settled)
            number = past.stable.number
            self._out.append(Stable(number, self._own.was_confirmed(number)))
        past.forget(min(settled, past.stable.number))
        recorded = [each for each in self._attempts if regime.recorded(each)]
        if main and recorded:
            stable = recorded[-1]
            self._record(stable, tuple(each for each in self._attempts if each.serial > stable.serial))

    def _record(self, stable: Session, attempts: tuple[Session, ...]) -> None:
        if (stable, attempts) != (self._stable_session, self._attempts):
            self._stable_session, self._attempts = stable, attempts
            self._out.append(SessionsChanged(stable, attempts))

    def _progress(self) -> Progress:
        number = 0 if self._past is None else self._past.number
        logged = number if self._logged is None else min(number, self._logged)
        serial = max((each.serial for each in self._attempts), default=self._stable_session.serial)
        return Progress(logged, serial, self._complete, self._leaving and not self._own.pending)

    def _work(self, regime: Regime, room: int) -> None:
        """Sends own operations, numbers, and how far this member is."""
        while True:
            batch = self._own.next_batch(BATCH_MOST, min(room, _WORK_BYTES)) if room > 0 else (0, [])
            order = regime.next_order(self._own.sent, regime.settled(), self._session(regime))
            self._send_work(batch, order)
            room -= sum(map(len, batch[1]))
            if not batch[1] and order is None:
                break
        if self._leaving and not self._may_leave:
            self._look_for_the_door(regime)

    def _send_work(self, batch: tuple[int, list[bytes]], order: Order | None) -> None:
        first, payloads = batch
        progress = self._progress()
        due = progress != self._told and self._now >= self._told_at + TELL_EVERY
        if payloads or order is not None or due:
            self._send(Work(self._name, first, payloads, order, progress if progress != self._told else None))
            self._told, self._told_at = progress, self._now

    def _session(self, regime: Regime) -> Session | None:
        """The session to begin, if the members are not those of the last one."""
        if self._attempts or regime.decision.standing is not Standing.CONTINUES or regime.orderer is None:
            return None
        wanted = regime.wanted()
        serial = self._stable_session.serial + 1
        if wanted == self._stable_session.members or regime.proposed >= serial:
            return None
        return Session(serial, wanted)

    def _look_for_the_door(self, regime: Regime) -> None:
        alone = len(self._view) == 1
        side = regime.decision.standing is not Standing.CONTINUES
        out = self.author not in self._stable_session.members and not self._attempts
        if not self._own.pending and (alone or side or out) and not regime.last_with_state():
            self._tell_may_leave()

    def _tell_may_leave(self) -> None:
        self._may_leave = True
        self._out.append(MayLeave())

    def _send(self, message: Message) -> None:
        self._out.append(Send(encode(message)))
