"""A replica: what an ordered channel tells goes in, what the objects here must do comes out.

It makes no call of any system and knows no clock but the times that it is told. A member that begins asks
one that has the state; what is ordered meanwhile waits here. The state that comes may be of any position
from the cut on: what waits and is in it already is dropped. A member that was asked and is gone, silent or
unable is replaced by another.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from liven.liveobjects.channel.history import BEGINNING, Epoch, MalformedError, Recovery
from liven.liveobjects.channel.ordering import (
    Anew,
    ChannelBusyError,
    Delivered,
    Heard,
    Installed,
    OrderedChannel,
    Output,
    Run,
    Seat,
    SessionsChanged,
    Stable,
    Stage,
    TakenUp,
    Trouble,
)
from liven.liveobjects.channel.replica import control as own
from liven.liveobjects.channel.replica import wire
from liven.liveobjects.channel.replica.account import Account, Parcel
from liven.liveobjects.channel.replica.effects import (
    Apply,
    Arriving,
    Begin,
    Branched,
    Controlled,
    Effect,
    TakeState,
    Tell,
)
from liven.liveobjects.channel.replica.giving import Givings
from liven.liveobjects.channel.replica.keeping import Keeping
from liven.liveobjects.channel.replica.strays import Strays
from liven.liveobjects.channel.replica.transfer import Taking

PATIENCE: Final = 3.0
"""How long a member that was asked for its state may be silent."""
ALONE_AFTER: Final = 5.0
"""How long a replica that has a state on its disk waits for a view before it shows that state."""
KEPT_AFTER: Final = 0.05
"""How long an operation waits for its place before it is kept on disk; at once where nobody gives places."""
_KEEPING: Final = 0
"""The request of a state for the log; those of others count from 1."""


class Replica:
    """One member of a checkpointed channel."""

    def __init__(
        self, channel: OrderedChannel, keeping: Keeping, refusal: Callable[[bytes], str | None]
    ) -> None:
        self.channel = channel
        self.account = Account()
        self.begun = False
        """Whether the objects here have a state."""
        self.main = False
        """Whether what is ordered is confirmed."""
        self.stirred: Callable[[], object] = lambda: None
        """Called when the disk has what it was given, as the ordered channel has something to say then."""
        self._keeping = keeping
        self._refusal = refusal
        self._effects: deque[Effect] = deque()
        self._givings = Givings()
        self._seats: tuple[Seat, ...] = ()
        self._wait: _Wait | None = None
        self._strays = Strays(keeping.strays)
        self._serial = 0
        self._kept_at: Account | None = None
        self._alone_at: float | None = None
        self._keep_at: float | None = None

    @property
    def waits(self) -> bool:
        """Whether the state of a history is on its way."""
        return self._wait is not None

    @property
    def wake(self) -> float | None:
        """When `tick` is next wanted."""
        times = (self._keep_at, self._alone_at if self._wait is None else self._wait.until)
        return min((each for each in times if each is not None), default=None)

    def start(self, now: float) -> None:
        """The channel is being joined. Where nobody can be reached, what is on the disk is shown all the
        same, after a while; what is submitted then waits for its place in the order."""
        if self._keeping.found is not None and not self.begun:
            self._alone_at = now + ALONE_AFTER

    def submit(self, payload: bytes, now: float) -> int:
        """Takes an operation; its ticket. ChannelBusyError, ValueError."""
        ticket = self.channel.submit(payload)
        if self.channel.stage is not Stage.OPEN:
            self._keep_own()
        elif self._keep_at is None:
            self._keep_at = now + KEPT_AFTER
        return ticket

    def close(self) -> None:
        """The process ends: what has no place in the order is kept, to be brought in by the next life."""
        self._keep_own()
        self._keeping.leave()

    def _keep_own(self) -> None:
        """Keeps on disk what was submitted and is not there yet."""
        self._keep_at = None
        self._keeping.enter(self.channel.own_after(self._keeping.journal.last))

    def _keep_rest(self) -> None:
        """Keeps on disk just what is still to be brought in."""
        self._keep_at = None
        self._keeping.settle(self.channel.own, self._strays.all)

    def take(self) -> list[Effect]:
        """What is to be done, in order."""
        taken = list(self._effects)
        self._effects.clear()
        return taken

    def tick(self, now: float) -> None:
        """Time has passed."""
        if self._alone_at is not None and now >= self._alone_at:
            self._alone_at = None
            if self._wait is None:
                self._begin_from_disk()
        if self._keep_at is not None and now >= self._keep_at:
            self._keep_own()
        if self._wait is not None and now >= self._wait.until:
            self._wait_longer(self._wait, now)

    def taken(self, request: int, state: bytes | None, why: str = "") -> None:
        """A state that was wanted."""
        if request == _KEEPING:
            if state is not None and self._kept_at is not None and self._wait is None:
                self._keep_own()  # the log that told of what has its place is cut
                self._keeping.checkpoint(self._kept_at, Parcel(state))
            self._kept_at = None
            return
        self._say(*self._givings.taken(request, state, why, self._keeping.parcel))

    # What the ordered channel tells

    def told(self, output: Output, now: float) -> None:
        """Takes in what the ordered channel tells."""
        match output:
            case Delivered():
                self._delivered(output, now)
            case Heard(payload=payload):
                self._heard(payload, now)
            case Installed():
                self._installed(output, now)
            case Anew():
                self._anew()
            case TakenUp():
                self._wait = None
            case Stable():
                self._stable(output.number)
            case SessionsChanged(stable=stable, attempts=attempts):
                self._keeping.sessions(stable, attempts)
            case Trouble(text=text):
                self._tell(text, "it goes on without that")

    def _anew(self) -> None:
        self._wait = None
        self.account = Account()
        self._effects.append(Begin(None))
        self._start_over(Parcel(None))

    def _start_over(self, parcel: Parcel) -> None:
        """Another history goes on here. What of the other is in no branch, and not in this, is brought in."""
        self.begun = True
        self._keep_rest()
        self._keeping.start_over(self.account, parcel)
        self._keeping.release()

    def _stable(self, number: int) -> None:
        self._keeping.stable(number)
        self._strays.stable(number)
        journal = self._keeping.journal
        over = not self.channel.unacknowledged and not self._strays.all
        if journal.is_long or (over and not journal.is_empty):
            self._keep_rest()

    def _begin_from_disk(self) -> None:
        """The state of an earlier life is that of the history that goes on."""
        found = self._keeping.found
        if self.begun or found is None:
            return
        self.begun = True
        self.account = found.account.copy()
        self._begin_with(found.parcel)
        self._effects.extend(Apply(own.for_objects(run.payloads)) for run, _ in found.runs)
        for run, epoch in found.runs:
            self.account.add(run, epoch)
        self._keeping.release()

    def _begin_with(self, parcel: Parcel) -> None:
        self._effects.append(Begin(parcel.state))
        if parcel.after:
            self._effects.append(Apply(own.for_objects(parcel.after)))

    def _installed(self, installed: Installed, now: float) -> None:
        self.main, self._seats = installed.main, installed.seats
        self._alone_at = None
        self._givings.only_to({seat.author for seat in installed.seats})
        self._bring_in(installed, now)
        if installed.begins:
            self._keep_branch(installed)
            self._wait = _Wait(
                Account(installed.position, installed.position, installed.epochs, dict(installed.marks)), now
            )
            self._ask_next(self._wait, now)
        elif self._wait is not None:
            self._reconsider(self._wait, now)
        else:
            self._begin_from_disk()

    def _bring_in(self, installed: Installed, now: float) -> None:
        """What other replicas of this machine left, and what is in no history, is submitted anew; what is in
        a branch stays there until a person decides."""
        branched = self.account.marks if installed.recovery is Recovery.BRANCH else {}
        if not self._strays.all:
            return
        missing = self._strays.missing(installed.marks, branched, installed.position.number)
        try:
            while missing:
                self.submit(missing[0].payload, now)
                missing.popleft()
        except ChannelBusyError:
            self._strays.keep(missing)
        self._keep_own()
        self._keep_rest()

    def _keep_branch(self, installed: Installed) -> None:
        kept = None
        if installed.recovery is Recovery.BRANCH:
            kept = self._keeping.branch(installed.marks)
        if kept is not None:
            self._effects.append(Branched(kept[0]))

    def _delivered(self, delivered: Delivered, now: float) -> None:
        if self._wait is not None:
            self._wait.put(delivered, self._epoch(delivered))
            self._try_begin(self._wait, now)
            return
        self._begin_from_disk()
        self._apply(delivered, self._epoch(delivered))

    def _epoch(self, delivered: Delivered) -> Epoch | None:
        return next((each for each in self.channel.epochs if each.identity == delivered.epoch), None)

    def _apply(self, delivered: Delivered, epoch: Epoch | None) -> None:
        run = delivered.run
        self.account.add(run, epoch)
        self._perform(run)
        self._keeping.add(run, epoch, self._logged)
        if self._keeping.wants_checkpoint and self._kept_at is None:
            self._kept_at = self.account.copy()
            self._keeping.begin_checkpoint()
            self._effects.append(TakeState(_KEEPING))

    def _logged(self, number: int) -> None:
        self.channel.logged(number)
        self.stirred()

    def _perform(self, run: Run) -> None:
        """Has objects apply a run; what is the channel's own is done at its place among it."""
        start = 0
        for index in [place for place, each in enumerate(run.payloads) if own.is_control(each)]:
            self._pass_on(run.payloads[start:index])
            self._control(run.author, run.payloads[index])
            start = index + 1
        self._pass_on(run.payloads[start:] if start else run.payloads)

    def _pass_on(self, payloads: list[bytes]) -> None:
        if payloads:
            self._effects.append(Apply(payloads))

    def _control(self, author: bytes, payload: bytes) -> None:
        try:
            self._effects.append(Controlled(author, own.decode(payload)))
        except MalformedError as error:
            self._tell(str(error), "it was left out, by all alike")

    # The state of others

    def _ask_next(self, wait: _Wait, now: float) -> None:
        """Asks the next of those who have the state, in the order of their seats."""
        able = [seat.author for seat in self._seats if seat.complete and seat.author != self.channel.author]
        self._serial += 1
        whom = wait.ask(able, self._serial, now)
        if whom is not None:
            self._say(wire.Ask(whom, self.channel.author, self._serial, wait.account.position.number))

    def _reconsider(self, wait: _Wait, now: float) -> None:
        present = [seat.author for seat in self._seats if seat.complete]
        if wait.whole:
            self._try_begin(wait, now)
        elif wait.whom not in present:
            self._ask_next(wait, now)

    def _wait_longer(self, wait: _Wait, now: float) -> None:
        wait.until = now + PATIENCE
        if wait.whole:
            self._try_begin(wait, now)
        if self._wait is wait and self.channel.may_complete:
            self._ask_next(wait, now)

    def _heard(self, payload: bytes, now: float) -> None:
        try:
            message = wire.decode(payload)
        except MalformedError as error:
            self._tell(f"a member said what is no message: {error}", "it goes on without that")
            return
        match message:
            case wire.Ask(whom=whom) if whom == self.channel.author:
                self._asked(message)
            case wire.More(whom=whom) if whom == self.channel.author:
                self._say(*self._givings.more(message))
            case wire.Head() | wire.Slice() | wire.Unable() if message.asker == self.channel.author:
                if self._wait is not None and message.serial == self._wait.serial:
                    self._answered(self._wait, message, now)

    def _asked(self, ask: wire.Ask) -> None:
        able = self.begun and self._wait is None and self.account.position.number >= ask.least
        request = self._givings.ask(ask, self.account.position) if able else None
        if request is None:
            self._say(wire.Unable(ask.asker, ask.serial, "it has no state to give now"))
        else:
            self._effects.append(TakeState(request))

    def _answered(self, wait: _Wait, message: wire.Head | wire.Slice | wire.Unable, now: float) -> None:
        wait.until = now + PATIENCE
        try:
            match message:
                case wire.Head() if wait.taking is None:
                    wait.taking = Taking(message)
                    self._try_begin(wait, now)
                case wire.Slice() if wait.taking is not None:
                    wait.taking.put(message)
                    self._effects.append(Arriving(wait.taking.got, wait.taking.head.size))
                    before = wait.taking.wants()
                    if before is not None and wait.whom is not None:
                        self._say(wire.More(wait.whom, self.channel.author, wait.serial, before))
                    self._try_begin(wait, now)
                case wire.Unable():
                    wait.postpone(now)
        except MalformedError as error:
            self._tell(f"a state that came was refused: {error}", "another member is asked")
            self._ask_next(wait, now)

    def _try_begin(self, wait: _Wait, now: float) -> None:
        """Begins, when all of the state is here and all that comes before it in the order. Not while a view
        is being agreed on: the others were told that this member stands for what it had."""
        if not self.channel.may_complete:
            return
        try:
            parcel = wait.complete()
            why = None
            if parcel is not None and parcel.state is not None:
                why = self._refusal(parcel.state)
        except MalformedError as error:
            parcel, why = None, str(error)
        if why is not None:
            self._tell(f"a state that came was refused: {why}", "another member is asked")
            self._ask_next(wait, now)
            return
        if parcel is None:
            return
        self._wait = None
        self.account = wait.account
        self._begin_with(parcel)
        self._start_over(parcel)
        for delivered, epoch in wait.following():
            self._apply(delivered, epoch)
        self.channel.completed()

    def _say(self, *messages: wire.Message) -> None:
        for message in messages:
            self.channel.say(wire.encode(message))

    def _tell(self, what: str, advice: str) -> None:
        self._effects.append(Tell(what, advice))


class _Wait:
    """The wait for a state: who was asked, what came of it, and what was ordered meanwhile."""

    def __init__(self, account: Account, now: float) -> None:
        self.account = account
        """The books at the cut; at the state's position once that was reached."""
        self.whom: bytes | None = None
        self.serial = 0
        self.until = now + PATIENCE
        self.taking: Taking | None = None
        self._asked: list[bytes] = []
        self._buffered: deque[tuple[Delivered, Epoch | None]] = deque()
        self._cut = account.copy()

    def ask(self, able: list[bytes], serial: int, now: float) -> bytes | None:
        """Whom to ask: those that were not asked in this round come first."""
        fresh = [each for each in able if each not in self._asked]
        if not fresh:
            self._asked, fresh = [], able
        self.whom = fresh[0] if fresh else None
        if self.whom is not None:
            self._asked.append(self.whom)
        self.serial, self.taking, self.until = serial, None, now + PATIENCE
        return self.whom

    def postpone(self, now: float) -> None:
        """Who was asked cannot: the next is asked soon."""
        self.until = now + 0.1
        self.taking = None

    @property
    def whole(self) -> bool:
        """Whether all of a state is here."""
        return self.taking is not None and self.taking.whole

    def put(self, delivered: Delivered, epoch: Epoch | None) -> None:
        """What was ordered meanwhile."""
        self._buffered.append((delivered, epoch))

    def complete(self) -> Parcel | None:
        """The state, once it and what precedes it are here; MalformedError if it is of another history."""
        if self.taking is None or not self.taking.whole:
            return None
        position = self.taking.head.position
        account = self._cut.copy()
        if position.number < account.position.number:
            raise MalformedError("the state is older than what was asked for")
        for delivered, epoch in self._buffered:
            if delivered.run.last <= position.number:
                account.add(delivered.run, epoch)
        if account.position.number < position.number:
            return None
        if account.position.chain != position.chain and position != BEGINNING:
            raise MalformedError("the state is of another history")
        parcel = Parcel.unpacked(self.taking.state())
        self.account = account
        return parcel

    def following(self) -> list[tuple[Delivered, Epoch | None]]:
        """What was ordered after the state."""
        number = self.account.position.number
        return [each for each in self._buffered if each[0].run.last > number]
