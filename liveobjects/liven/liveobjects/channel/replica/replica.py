"""The state machine of a replica: outputs of the ordered channel go in, work for objects and disk comes out.

It makes no system calls and knows only the times that are passed in. A newcomer asks a member for the state
and buffers later operations. The state may be of any position from the cut on; buffered operations that it
includes are dropped. If the donor leaves, is silent or declines, the next one is asked.

Replicas compare their states at agreed numbers (`comparison/agreement.py`). One that is wrong continues with
its state until the right one has arrived, and then begins with that.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from liven.liveobjects.channel.history import BEGINNING, Epoch, MalformedError, Position
from liven.liveobjects.channel.ordering import (
    BeginEmpty,
    ChannelBusyError,
    Delivered,
    Heard,
    HistoryRestored,
    Installed,
    OrderedChannel,
    Output,
    Run,
    Seat,
    SessionsChanged,
    Stable,
    Trouble,
)
from liven.liveobjects.channel.replica import control_operations as own
from liven.liveobjects.channel.replica import wire
from liven.liveobjects.channel.replica.comparison.agreement import Finding, Replayed, Result
from liven.liveobjects.channel.replica.comparison.mismatch_texts import mismatch_text
from liven.liveobjects.channel.replica.comparison.schedule import ComparisonSchedule
from liven.liveobjects.channel.replica.disk.checkpointing import Checkpointing
from liven.liveobjects.channel.replica.disk.own_operations import StoredOwnOperations
from liven.liveobjects.channel.replica.disk.persistence import Persistence
from liven.liveobjects.channel.replica.effects import (
    Apply,
    Arriving,
    Begin,
    Branched,
    Controlled,
    Effect,
    Notify,
    Replay,
    TakeDigest,
    TakeState,
)
from liven.liveobjects.channel.replica.resubmission import becomes_branch, resubmission_warning
from liven.liveobjects.channel.replica.state_position import Parcel, StatePosition
from liven.liveobjects.channel.replica.state_transfer.donor import StateDonor
from liven.liveobjects.channel.replica.state_transfer.receiver import PATIENCE, StateWait, author_at, earliest
from liven.liveobjects.channel.replica.state_transfer.slices import EncodedState, IncomingState

REFRESH_EVERY: Final = 10.0
"""Least seconds between two states that a replica without objects fetches, or attempts to write its log."""
_ROUNDS_MOST: Final = 2


class Replica:
    """One member of a replicated channel."""

    def __init__(
        self,
        channel: OrderedChannel,
        persistence: Persistence,
        refusal: Callable[[bytes], str | None],
        *,
        every: int = 0,
        objects: Callable[[], bool] = lambda: True,
    ) -> None:
        self.channel = channel
        self.state_position = StatePosition()
        self.begun = False
        """True if the objects have a state."""
        self.main = False
        """True if operations are confirmed here."""
        self.when_written: Callable[[], object] = lambda: None
        """Called when the disk has finished writing, because the ordered channel may have something to
        send."""
        self._persistence = persistence
        self._refusal = refusal
        self._effects: list[Effect] = []
        self._donor = StateDonor()
        self.seats: tuple[Seat, ...] = ()
        """The members of the present view."""
        self._view_id = b""
        self._wait: StateWait | None = None
        self._serial = 0
        self._checkpointing = Checkpointing()
        if persistence.on_disk:
            channel.logged(0)
            channel.recorded(0)
        self._returned_at = channel.position.number
        if persistence.found is not None:
            persistence.found_is_durable(self._logged, self._recorded)
        self.own_operations = StoredOwnOperations(channel, persistence)
        self.when_due: Callable[[], object] = lambda: None
        """Called when `tick` is needed at once, because the disk takes data again."""
        persistence.when_changed = self._disk_changed
        persistence.when_branched = lambda name: self._effects.append(Branched(name))
        channel.stores(stores=persistence.stores)
        self._comparison = ComparisonSchedule(channel.author, every)
        self._objects = objects
        """True if objects here can return their state. If not, the state of another member replaces a long
        log."""
        self._fresh_at = 0.0
        self._repair: StateWait | None = None
        self._now = 0.0

    @property
    def waits(self) -> bool:
        """True while the state of a history is on its way."""
        return self._wait is not None

    @property
    def wake(self) -> float | None:
        """The time at which `tick` is next needed."""
        waits = [None if each is None else each.until for each in (self._wait, self._repair)]
        again = self._fresh_at if self._can_rewrite else None
        compared = self._comparison.wake if self._may_judge else None
        return earliest(compared, self.own_operations.due, again, *waits)

    @property
    def _can_rewrite(self) -> bool:
        """True if the log is incomplete and the disk has room for it again."""
        return self._persistence.lacks and self._persistence.wants_checkpoint

    def is_own(self, author: bytes) -> bool:
        """True for this life of the replica, and for former ones that left operations."""
        return author in self._persistence.lives

    def start(self) -> None:
        """Show the state on disk before there is a view. Submitted operations wait for their places, and if
        the history of the others replaces this one, the objects begin again with theirs."""
        self._begin_from_disk()

    def submit(self, payload: bytes, now: float) -> int:
        """Submit an operation and return its ticket. Raises ChannelBusyError or ValueError."""
        ticket = self.channel.submit(payload)
        self.own_operations.submitted(now)
        return ticket

    def close(self) -> None:
        """Store operations without a place for the next incarnation, as the process ends."""
        self.own_operations.store()
        self._persistence.leave()

    def take(self) -> list[Effect]:
        """Return the effects to carry out, in order."""
        taken, self._effects = self._effects, []
        return taken

    def tick(self, now: float) -> None:
        """Advance the time."""
        self._now = now
        self.own_operations.tick(now)
        if self._can_rewrite and self.begun and self._wait is None and now >= self._fresh_at:
            self._take_checkpoint()
            self._fresh_at = now + REFRESH_EVERY
        if self._wait is not None and now >= self._wait.until:
            self._wait_timed_out(self._wait, now)
        if self._repair is not None and now >= self._repair.until:
            self._ask_next(self._repair, now)
        if self._comparison.is_mark_due(now, orders=self.channel.orders):
            with suppress(ChannelBusyError):  # states are then compared later
                self.submit(own.encode(own.Mark()), now)
        self._judge(now)

    def taken(self, request: int, state: EncodedState | None, why: str = "") -> None:
        """Accept a requested state."""
        if request < 0:
            books = self._checkpointing.end(request)
            if state is not None and books is not None and self._wait is None and self._repair is None:
                self.own_operations.store()  # cutting the log removes the places of own operations
                if (history := self.channel.kept()) is not None:
                    books = books.settled(history.stable)
                self._persistence.checkpoint(books, state.data, self._logged)
            return
        self._say(*self._donor.taken(request, state, why, self._persistence.parcel))

    # Outputs of the ordered channel

    def handle(self, output: Output, now: float) -> None:
        """Process an output of the ordered channel."""
        self._now = now
        match output:
            case Delivered():
                self._delivered(output, now)
            case Heard(node=node, payload=payload):
                self._heard(author_at(self.seats, node), payload, now)
            case Installed():
                self._installed(output, now)
            case BeginEmpty():
                self._anew()
            case HistoryRestored():
                self._wait = None
                self._restart_comparison()
            case Stable():
                self._persistence.stable(output.number)
                self.own_operations.stable()
            case SessionsChanged(stable=stable, attempts=attempts, history_founding=founded):
                self._persistence.sessions(stable, attempts, self._recorded, founded)
            case Trouble():
                self._tell(output.text, output.consequence)

    def _anew(self) -> None:
        self._wait = None
        self._restart_comparison()
        self.state_position = StatePosition()
        self._effects.append(Begin(None))
        self._start_over(Parcel(None))

    def _start_over(self, parcel: Parcel) -> None:
        """Store another history. Own operations that are neither in it nor in a branch are submitted
        again."""
        self.begun = True
        self._checkpointing.forget()
        self.own_operations.store_unsettled()
        self.channel.log_begins()
        self._persistence.start_over(self.state_position, parcel, self._logged)
        self._persistence.release()

    def _begin_from_disk(self) -> None:
        """Show the state of the earlier incarnation, as its history continues."""
        found = self._persistence.found
        if self.begun or found is None:
            return
        self.begun = True
        self.state_position = found.state_position.copy()
        self._begin_with(found.parcel, found.state_position.position)
        self._effects.extend(Apply(own.for_objects(run.taken)) for run, _ in found.runs)
        for run, epoch in found.runs:
            self.state_position.add(run, epoch)
        self._persistence.release()

    def _begin_with(self, parcel: Parcel, position: Position) -> None:
        self._effects.append(Begin(parcel.state, position, parcel.after))
        if parcel.after:
            self._effects.append(Apply(own.for_objects(parcel.after)))

    def _installed(self, installed: Installed, now: float) -> None:
        self.main, self.seats, self._view_id = installed.main, installed.seats, installed.view_id
        self._donor.keep_only({seat.author for seat in installed.seats})
        self._check_identity(installed)
        self._comparison.seated(installed.seats)
        passed = installed.position.number - max(self._returned_at, self.state_position.position.number)
        if told := resubmission_warning(self.channel.own, installed.marks, passed):
            self._tell(*told)
        if installed.begins:
            self._restart_comparison()
            marks = self.state_position.marks if self.begun else self._persistence.found_marks
            if becomes_branch(installed, marks, self.channel.own):
                self._keep_branch(installed.marks)
            books = StatePosition(installed.position, BEGINNING, installed.epochs, dict(installed.marks))
            self._wait = StateWait(books.settled(self.channel.stable), now)
            self._ask_next(self._wait, now)
        elif self._wait is not None:
            self._reconsider(self._wait, now)
        else:
            self._begin_from_disk()
            if self._repair is not None:
                self._reconsider(self._repair, now)
        own.begin_epoch(installed, self.channel)

    def _check_identity(self, installed: Installed) -> None:
        """Take another identity if somebody else has the same: the older one keeps it."""
        same = [seat for seat in installed.seats if seat.voter.identity == self.channel.voter.identity]
        if same[0].author != self.channel.author:
            self._persistence.become_another_voter()
            self.channel.rejoin_as(
                self._persistence.voter, "another computer runs with a copy of the data of this one"
            )

    def _keep_branch(self, marks: dict[bytes, int], *, apart: bool = False) -> None:
        if (kept := self._persistence.branch(marks, apart=apart)) is not None:
            self._effects.append(Branched(kept[0]))

    def _delivered(self, delivered: Delivered, now: float) -> None:
        if self._wait is not None:
            self._wait.put(delivered, self._epoch(delivered))
            self._try_begin(self._wait, now)
            return
        if not self.begun:
            self._begin_from_disk()
        self._apply(delivered, self._epoch(delivered))
        if self._repair is not None:
            self._repair.put(delivered, self._epoch(delivered))
            self._try_begin(self._repair, now)

    def _epoch(self, delivered: Delivered) -> Epoch | None:
        for epoch in reversed(self.channel.epochs):  # nearly always the last one
            if epoch.identity == delivered.epoch:
                return epoch
        return None

    def _apply(self, delivered: Delivered, epoch: Epoch | None) -> None:
        run = delivered.run
        self.state_position.add(run, epoch)
        self._perform(run)
        lacked = self._persistence.lacks
        self._persistence.add(run, epoch, self._logged)
        if self._persistence.lacks and not lacked:
            what = "the disk takes no data, so changes from now on are not stored on this computer"
            self._tell(what, "free some space, and everything will be stored")
        self._take_checkpoint()

    def _take_checkpoint(self) -> None:
        """Begin a checkpoint if the log is long, or incomplete and can be written again."""
        wanted = self._persistence.wants_checkpoint and self._repair is None
        if not wanted or self._checkpointing.is_under_way:
            return
        if not self._objects():
            self._refresh()
        else:
            self._persistence.begin_checkpoint()
            self._effects.append(TakeState(self._checkpointing.begin(self.state_position)))

    def _disk_changed(self) -> None:
        """Vote no longer while the disk takes no data, and again when the log is complete."""
        self.channel.stores(stores=self._persistence.stores)
        if self._persistence.stores:
            self.own_operations.store()
        self.when_written()
        if self._persistence.lacks:
            self.when_due()

    def _logged(self, number: int) -> None:
        self.channel.logged(number)
        self.when_written()

    def _recorded(self, serial: int) -> None:
        self.channel.recorded(serial)
        self.when_written()

    def _refresh(self) -> None:
        """Fetch the state of another member to replace a long log."""
        if self._now >= self._fresh_at:
            self._fresh_at = self._now + REFRESH_EVERY
            self._fetch(self._now)

    def _fetch(self, now: float, *, lost: bool = False) -> None:
        self._repair = StateWait(self.state_position.copy(), now, lost=lost)
        self._ask_next(self._repair, now)

    def restore(self, now: float, *, lost: bool = True) -> None:
        """Fetch the state from another replica. It is `lost` if the local objects that had it are gone and
        the log is incomplete."""
        if self._wait is None and self._repair is None:
            self._fetch(now, lost=lost)

    def _perform(self, run: Run) -> None:
        """Apply a run to the objects. Control operations take effect at their places, and states are compared
        after the agreed numbers."""
        start, payloads = 0, run.taken
        for place in own.special_places(run, self._comparison.every):
            payload = payloads[place]
            passed = place if own.is_control(payload) else place + 1
            self._pass_on(payloads[start:passed])
            marked = passed == place and self._control(run.original(place).author, payload)
            number = run.number + place
            if self._comparison.is_at(number, marked=marked):
                self._comparison.begin(number, run.chains[place])
                self._effects.append(TakeDigest(number))
            start = place + 1
        self._pass_on(payloads[start:] if start else payloads)

    def _pass_on(self, payloads: list[bytes]) -> None:
        if payloads:
            self._effects.append(Apply(payloads))
            self._comparison.applied(self._now)

    def _control(self, author: bytes, payload: bytes) -> bool:
        """Process a control operation. Return True for a mark."""
        try:
            control = own.decode(payload)
        except MalformedError as error:
            self._tell(str(error), "all members dropped it")
            return False
        self._effects.append(Controlled(author, control))
        return isinstance(control, own.Mark)

    # Comparison of states

    def digested(self, number: int, digest: bytes) -> None:
        """Report the digest that was asked for; empty if no object has one."""
        said = self._comparison.digest(number, digest)
        if said is not None and self._wait is None and not self._is_wrong:
            self._say(said)

    def replayed(self, number: int, outcome: Replayed) -> None:
        """Report the result of a replay."""
        self._say(wire.ReplayResult(self.channel.author, number, int(outcome)))

    @property
    def _is_wrong(self) -> bool:
        """True if the present state is known to be wrong."""
        return self._repair is not None and bool(self._repair.right)

    def _restart_comparison(self) -> None:
        """Restart the comparison with another history."""
        self._comparison.begin_anew()
        self._repair = None

    @property
    def _may_judge(self) -> bool:
        """False while a view is being agreed on: members that have installed it may already report digests of
        another history, with which this member is about to begin, too."""
        return self.channel.view_id == self._view_id

    def _judge(self, now: float) -> None:
        if not self._may_judge:
            return
        # a seat does not show that a member got the state meanwhile
        members = {seat.author for seat in self.seats}
        for result in self._comparison.judge(members, now):
            self._follow(result, now)

    def _follow(self, result: Result, now: float) -> None:
        """Act on the result of a comparison."""
        if (told := mismatch_text(result, self.seats)) is not None:
            self._tell(*told)
        match result.finding:
            case Finding.SPLIT:
                self._effects.append(Replay(result.number))
            case Finding.WE_DIFFER:
                self._fetch_right_state(result, now)
            case Finding.WE_ORDER_OTHERWISE:
                self._rejoin_with_majority(result.number)

    def _fetch_right_state(self, result: Result, now: float) -> None:
        """Fetch the right state. A state that agrees with its own log is kept as a branch."""
        if result.true:
            self._keep_branch(self.state_position.marks, apart=True)
        self._comparison.forget()
        self._repair = StateWait(self.state_position.copy(), now, result.who)
        self._ask_next(self._repair, now)

    def _rejoin_with_majority(self, number: int) -> None:
        """Rejoin without the present history, which is kept as a branch."""
        self._keep_branch(self.state_position.marks, apart=True)
        self._restart_comparison()
        self.channel.discard_history(
            f"the order of operations here differs from that of the others after {number}"
        )

    def _repaired(self, wait: StateWait, parcel: Parcel) -> None:
        self._repair = None
        self._checkpointing.forget()
        self._begin_with(parcel, wait.state_position.position)
        self.own_operations.store_unsettled()  # cutting the log removes the places of own operations
        self._persistence.start_over(wait.state_position, parcel, self._logged)
        for delivered, epoch in wait.following():
            self._pass_on(own.for_objects(delivered.run.taken))
            self._persistence.add(delivered.run, epoch, self._logged)

    # State transfer

    def _ask_next(self, wait: StateWait, now: float) -> None:
        """Ask the next member that has the state, in order of seats."""
        self._serial += 1
        whom = wait.ask(wait.able(self.seats, self.channel.author), self._serial, now)
        if whom is None and wait.lost:
            self._restart_without_state()
        elif wait is self._repair and (whom is None or (wait.rounds >= _ROUNDS_MOST and not wait.lost)):
            self._repair = None
            if wait.right:  # these members may be fixing themselves or be gone: all compare once more
                self._comparison.again(now)
        elif whom is not None:
            self._say(wire.Ask(whom, self.channel.author, self._serial, wait.state_position.position.number))

    def _refuse(self, wait: StateWait, why: str, now: float) -> None:
        """Reject a malformed state and ask another member. When all were asked, start again after a while."""
        if wait.is_new_reason(why):
            self._tell(f"a received state was refused: {why}", "another member is asked")
        if wait.all_asked(wait.able(self.seats, self.channel.author)):
            wait.postpone(now, PATIENCE)
        else:
            self._ask_next(wait, now)

    def _restart_without_state(self) -> None:
        """Start over if nobody has the state. A log on disk is not given up: a member with the state may
        still come."""
        if not self._persistence.on_disk:
            self._repair = None
            self.channel.discard_history("all members with the state are gone")

    def _reconsider(self, wait: StateWait, now: float) -> None:
        present = [seat.author for seat in self.seats if seat.complete or seat.author in wait.right]
        if wait.whole:
            self._try_begin(wait, now)
        elif wait.whom not in present:
            self._ask_next(wait, now)

    def _wait_timed_out(self, wait: StateWait, now: float) -> None:
        wait.until = now + PATIENCE
        if wait.whole:
            self._try_begin(wait, now)
        if self._wait is wait and self.channel.may_complete:
            self._ask_next(wait, now)

    def _heard(self, author: bytes | None, payload: bytes, now: float) -> None:
        try:
            message = wire.decode(payload)
        except MalformedError as error:
            self._tell(f"a member sent an invalid message: {error}", "it continues without that")
            return
        match message:
            case wire.Ask(whom=whom) if whom == self.channel.author:
                self._asked(message)
            case wire.Grant(whom=whom) if whom == self.channel.author:
                self._say(*self._donor.more(message))
            case wire.Head() | wire.Slice() | wire.Declined() if message.asker == self.channel.author:
                for wait in (self._wait, self._repair):
                    if wait is not None and (author, message.serial) == (wait.whom, wait.serial):
                        self._answered(wait, message, now)
            case wire.Digest() | wire.ReplayResult() if self._comparison.every and message.author == author:
                self._comparison.heard(message, now)
                self._judge(now)

    def _asked(self, ask: wire.Ask) -> None:
        able = (
            self.begun
            and self._wait is None
            and not self._is_wrong
            and self.state_position.position.number >= ask.least
        )
        request = self._donor.ask(ask, self.state_position.position) if able else None
        if request is None:
            self._say(wire.Declined(ask.asker, ask.serial, "it has no state to send now"))
        else:
            self._effects.append(TakeState(request))

    def _answered(self, wait: StateWait, message: wire.Head | wire.Slice | wire.Declined, now: float) -> None:
        try:
            match message:
                case wire.Head() if wait.taking is None:
                    wait.taking, wait.until = IncomingState(message), now + PATIENCE
                    self._try_begin(wait, now)
                case wire.Slice() if wait.taking is not None:
                    wait.taking.put(message)
                    wait.until = now + PATIENCE
                    self._effects.append(Arriving(wait.taking.got, wait.taking.head.size))
                    before = wait.taking.wants()
                    if before is not None and wait.whom is not None:
                        self._say(wire.Grant(wait.whom, self.channel.author, wait.serial, before))
                    self._try_begin(wait, now)
                case wire.Declined():
                    wait.postpone(now)
        except MalformedError as error:
            self._refuse(wait, str(error), now)

    def _try_begin(self, wait: StateWait, now: float) -> None:
        """Begin with the state when it and everything before it has arrived. While a view is being agreed on
        this must wait: the others count on the previous state."""
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
            self._refuse(wait, why, now)
            return
        if parcel is None:
            return
        if wait is self._repair:
            self._repaired(wait, parcel)
            return
        self._wait = None
        self.state_position = wait.state_position
        self._begin_with(parcel, wait.state_position.position)
        self._start_over(parcel)
        for delivered, epoch in wait.following():
            self._apply(delivered, epoch)
        self.channel.completed()

    def _say(self, *messages: wire.Message) -> None:
        for message in messages:
            self.channel.say(wire.encode(message))

    def _tell(self, what: str, advice: str) -> None:
        self._effects.append(Notify(what, advice))
