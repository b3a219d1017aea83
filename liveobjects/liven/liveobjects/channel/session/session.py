"""The session of one shared channel in a process: it connects its replica with the line, the disk and the
objects.

All objects of one process that have a channel open are one replica. The session lasts as long as one of them
is connected. It joins the group, keeps the log, and leaves in good order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from msgpack import UnpackException  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.branches.problems import BranchProblems
from liven.liveobjects.channel.compact_rows import Rows, with_row
from liven.liveobjects.channel.history import MalformedError
from liven.liveobjects.channel.line.transport import Receiver
from liven.liveobjects.channel.line.type_handshake import TypeHandshake, ValueClasses, WrongClassesError
from liven.liveobjects.channel.members.confirmation import Confirmation
from liven.liveobjects.channel.members.known_members import KnownMembers
from liven.liveobjects.channel.ordering import (
    ChannelBusyError,
    Delivered,
    Heard,
    Installed,
    MayLeave,
    OrderedChannel,
    OtherVersion,
    Output,
    Phase,
    Readers,
    Stable,
    Unanswered,
)
from liven.liveobjects.channel.process.archive import Archive
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.channel.process.recordings import Notice, Says, is_notice, unpacked
from liven.liveobjects.channel.replica import (
    Apply,
    Arriving,
    Begin,
    Branched,
    Controlled,
    Effect,
    Notify,
    Persistence,
    Replay,
    Replayed,
    Replica,
    TakeDigest,
    TakeState,
)
from liven.liveobjects.channel.replica.comparison.schedule import COMPARE_EVERY
from liven.liveobjects.channel.replica.control_operations import Claims, Settles
from liven.liveobjects.channel.replica.disk.adopted_logs import adopt
from liven.liveobjects.channel.replica.disk.journal import MARK
from liven.liveobjects.channel.replica.disk.kept_branches import Branches
from liven.liveobjects.channel.replica.state_transfer.slices import EncodedState
from liven.liveobjects.channel.session.archiving import Archiving
from liven.liveobjects.channel.session.client import Client
from liven.liveobjects.channel.session.delivery_queue import AT_ONCE
from liven.liveobjects.channel.session.local_comparison import LocalComparison
from liven.liveobjects.channel.session.order_driver import OrderDriver
from liven.liveobjects.channel.session.state_requests import Got, StateRequests
from liven.liveobjects.channel.session.unconfirmed import UnconfirmedNotice
from liven.liveobjects.channel.store import Store
from liven.liveobjects.channel.store.other_processes import OtherProcesses
from liven.liveobjects.channel.store.records import StoreFullError
from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.problems import Kind, Problem

LEAVES_WITHIN: Final = 2.0
"""Seconds that a session may take to leave in good order."""
_WAITING_MOST: Final = 10_000
"""Operations that may wait until the replica is created."""
_BEGUN_MOST: Final = 9_000
"""Operations that may wait before objects are told that the channel is full."""


class ChannelSession:
    """One shared channel of a process, and the objects that have it open."""

    __slots__ = (
        "_alarm",
        "_archivings",
        "_driver",
        "_due",
        "_leaving",
        "_members",
        "_name",
        "_persistence",
        "_recovered",
        "_refusal",
        "_replica",
        "_system",
        "_unconfirmed",
        "_unsent",
        "_value_classes",
        "arriving",
        "asking",
        "clients",
    )

    def __init__(
        self,
        system: ChannelSystem,
        name: str,
        value_classes: ValueClasses | None,
        refusal: Callable[[bytes], str | None],
    ) -> None:
        self.clients: tuple[Client, ...] = ()
        self.asking: StateRequests[Client] = StateRequests(self)
        self.arriving: tuple[int, int] | None = None
        """Bytes received of the state, and its size; None if none is on its way."""
        self._system = system
        self._name = name
        self._value_classes = value_classes
        self._refusal = refusal
        self._replica: Replica | None = None
        self._persistence: Persistence | None = None
        self._members: KnownMembers | None = None
        self._unconfirmed: UnconfirmedNotice | None = None
        self._driver: OrderDriver | None = None
        self._alarm: Entry | None = None
        self._due = 0.0
        self._unsent: Rows[bytes] = ()
        self._leaving = False
        self._recovered: BranchProblems | None = None
        self._archivings: tuple[Archiving, ...] = ()
        system.when_free(name, self._start)

    @property
    def has_objects(self) -> bool:
        """True if there are objects that can return their state."""
        return bool(self.clients)

    @property
    def in_use(self) -> bool:
        """True if an object or an archive uses the channel."""
        return bool(self.clients) or self._name in self._system.archives

    def archive(self) -> None:
        """Begin to pass the confirmed order to those archives of this channel that do not get it yet."""
        replica = self._replica
        if replica is not None:
            for archive in self._system.archives_of(self._name):
                if self._archiving(archive) is None:
                    self._begin_archive(archive, replica)

    def _begin_archive(self, archive: Archive, replica: Replica) -> None:
        store, archiving = self._system.store, Archiving(archive)
        self._archivings = (*self._archivings, archiving)
        archiving.begin(replica, None if store is None else store.open(self._name))
        archiving.seated(replica.seats)
        if self._is_recorder(archive):
            self._say(Says.RECORDS, archive.title)
        if not store:
            self.archive_state(archive)

    def stop_archive(self, archive: Archive) -> None:
        """Pass nothing on to an archive any more, and say so if it is a recorder."""
        if self._archiving(archive) is not None:
            self._archivings = tuple(each for each in self._archivings if each.archive is not archive)
            if self._is_recorder(archive):
                self._say(Says.STOPS)

    def _archiving(self, archive: Archive) -> Archiving | None:
        return next((each for each in self._archivings if each.archive is archive), None)

    def _is_recorder(self, archive: Archive) -> bool:
        """Return True if members are told of an archive."""
        return archive not in self._system.histories.get(self._name, ())

    def _say(self, says: Says, recording: str = "") -> None:
        """Tell all members something about recording, if there is a view; every view begins with it."""
        if self._replica is not None and self._replica.channel.stage is Phase.OPEN:
            channel = self._replica.channel
            channel.say(Notice(says, channel.author, self._system.own_name(), recording).packed())
            self._settle()

    def _heard(self, node: int, payload: bytes) -> None:
        """Take what a member says about recording. Nobody can say it for another one."""
        try:
            notice = unpacked(payload)
        except MalformedError as error:
            self._tell(f"a member sent an invalid message: {error}", "it continues without that")
            return
        seats = () if self._replica is None else self._replica.seats
        if not any(seat.node == node and seat.author == notice.author for seat in seats):
            return
        if self._system.recordings.heard(self._name, notice):
            self._say(Says.OBJECTS if self._system.objects_to_recording() else Says.AGREES)
        for each in self._archivings:
            each.archive.heard(notice)

    def archive_state(self, archive: Archive) -> None:
        """Pass the present state to an archive: from an object here, or else, for a recorder, from another
        member."""
        replica, archiving = self._replica, self._archiving(archive)
        if replica is None or archiving is None or not replica.begun:
            return
        able = self.asking.able()
        if able is None and not self._is_recorder(archive):
            return
        if able is None:
            replica.restore(self._system.dispatcher.now(), lost=False)
            self._settle()
            return

        def got(state: EncodedState | None, _: str) -> None:
            if state is not None and archiving in self._archivings:
                archiving.state(position, state.parcel)

        position = replica.state_position.position
        self.asking.ask(able, got)

    @property
    def author(self) -> bytes:
        """The author of this process's operations; empty until the session has joined."""
        return b"" if self._replica is None else self._replica.channel.author

    @property
    def begun(self) -> bool:
        """True if there is a state."""
        return self._replica is not None and self._replica.begun

    @property
    def recovered(self) -> BranchProblems:
        """The branches that wait for a person's decision; most channels have none."""
        if self._recovered is None:
            self._recovered = self._made_recovered()
        return self._recovered

    def _made_recovered(self) -> BranchProblems:
        system, store = self._system, self._system.store
        branches = None if store is None else Branches(store.open(self._name), store.open)
        return BranchProblems(
            self._name, branches, self.submit, system.report, lambda: system.viewer, system.is_in_use
        )

    def _tell_recovered(self) -> None:
        recovered = self._made_recovered()
        if recovered.names:
            self._recovered = recovered
            recovered.tell_all()

    @property
    def unacknowledged(self) -> int:
        """Number of this process's operations that some member may lack."""
        waiting = 0 if self._replica is None else self._replica.channel.unacknowledged
        return len(self._unsent) + waiting

    @property
    def full(self) -> str:
        """The reason why callers should not begin more; empty while there is room."""
        replica = self._replica
        many = len(self._unsent) >= _BEGUN_MOST if replica is None else replica.channel.is_nearly_full
        if not many:
            return ""
        awaited = "" if self._unconfirmed is None else self._unconfirmed.awaited
        if awaited:
            return f"{self.unacknowledged:,} changes are not confirmed: waiting for {awaited}"
        return f"{self.unacknowledged:,} changes are still being sent; wait until some have arrived"

    @property
    def absent(self) -> tuple[bytes, ...] | None:
        """The members that are not here and on whom confirmation depends; None while that is undecided."""
        channel = None if self._replica is None else self._replica.channel
        return None if channel is None or channel.stage is not Phase.OPEN else channel.absent

    @property
    def confirmation(self) -> Confirmation:
        """Return what the present state waits for before it is confirmed."""
        return Confirmation(alone=True) if self._unconfirmed is None else self._unconfirmed.confirmation

    def declare_gone(self, members: Collection[bytes]) -> None:
        """Go on without absent members, because a person says that they will not come back."""
        if self._unconfirmed is not None:
            self._unconfirmed.declare_gone(members)

    def submit(self, payload: bytes) -> None:
        """Add an operation to the order. Raises ChannelBusyError or ValueError."""
        if self._replica is None:
            if len(self._unsent) >= _WAITING_MOST:
                raise ChannelBusyError("the channel has not begun, and too many changes wait")
            self._unsent = with_row(self._unsent, payload)
            return
        try:
            self._submit(self._replica, payload)
        except ChannelBusyError as error:
            raise ChannelBusyError(self.full or str(error)) from error
        self._settle()

    def _settle(self) -> None:
        if self._driver is not None:
            self._driver.settle_soon()

    def _submit(self, replica: Replica, payload: bytes) -> None:
        if replica.own_operations.will_store_soon:  # as for every operation within this 0.05 seconds
            replica.channel.submit(payload)
        else:
            replica.submit(payload, self._system.dispatcher.now())
            due = replica.own_operations.due
            if self._unconfirmed is not None:
                self._unconfirmed.begin()
            if due is not None and (self._alarm is None or self._due > due):
                self._set_alarm(replica)

    def leave(self) -> None:
        """Leave in good order, or after a short time anyway."""
        self._leaving = True
        if self._driver is not None:
            self._system.leaving.add(self._name)
            self._driver.leave()
            self._system.dispatcher.call_later(LEAVES_WITHIN, self._gone)

    def _start(self) -> None:
        """Join, once an earlier session of the channel in this process has left."""
        if self._leaving and not self._unsent:
            return
        replica = self._replica = self._made()
        unsent, self._unsent = self._unsent, ()
        for payload in unsent:
            replica.submit(payload, self._system.dispatcher.now())
        if self._leaving:
            replica.close()  # operations submitted meanwhile wait on disk
            return
        self._driver = OrderDriver(replica.channel, self._system.dispatcher, self._join, self._told)
        self._driver.settle_soon()
        self._watch(replica, self._driver)
        replica.when_written = self._driver.settle_soon
        replica.when_due = lambda: self._system.dispatcher.call_soon(self._tick_now)
        self.archive()
        self._system.dispatcher.call_soon(self._begin_with_log)  # when the object that opens it is here
        self._work(replica)
        self._tell_recovered()

    def _begin_with_log(self) -> None:
        if self._replica is not None and self._driver is not None:
            self._replica.start()
            self._work(self._replica)

    def _watch(self, replica: Replica, driver: OrderDriver) -> None:
        """Watch the confirmation of changes, so that people know whom it waits for."""
        persistence, system = self._persistence, self._system
        assert persistence is not None
        own, store = replica.channel.voter.identity, persistence.note_members
        members = self._members = KnownMembers(persistence.members, own, system.name_of, store)
        self._unconfirmed = UnconfirmedNotice(
            system,
            self._name,
            replica.channel,
            members,
            driver.settle_soon,
            of_all=lambda: not self.has_objects,
        )
        if replica.channel.unacknowledged:
            self._unconfirmed.begin()

    def _observe(self, output: Output, members: KnownMembers, notice: UnconfirmedNotice) -> None:
        """Follow who is here, and what is confirmed."""
        match output:
            case Installed(seats=seats):
                members.seated(seats)
            case Delivered() if not self.has_objects:
                notice.begin()
            case Stable():
                members.look(self._system.dispatcher.now())
                notice.confirmed()

    def _made(self) -> Replica:
        store = self._system.store
        kept = store.open(self._name) if store is not None else None
        if store is not None and store.other_processes is not None:
            self._gather(store, store.other_processes)
        opened = None if store is None else store.open
        persistence = Persistence(kept, opened, lacks_store=self._system.lacks_store)
        if persistence.trouble:
            what = f"its stored data is damaged and was copied to {persistence.aside}: {persistence.trouble}"
            self._tell(what, "the readable part and the state of the others are used")
        returned = persistence.returned
        machine = OrderedChannel(
            persistence.author,
            voter=persistence.voter,
            stateful=True,
            returned=returned,
            inherited=persistence.inherited,
            older=persistence.chain_at,
        )
        self._persistence = persistence
        return Replica(
            machine, persistence, self._refusal, every=COMPARE_EVERY, objects=lambda: self.has_objects
        )

    def _gather(self, store: Store, other_processes: OtherProcesses) -> None:
        """Adopt what other processes of the user left of the channel, before it first begins here."""
        for other_log in other_processes.having(self._name, MARK + self._name):
            try:
                why = adopt(store.open(self._name), store.open, other_log)
            except (ValueError, OSError, StoreFullError, UnpackException) as error:
                why = str(error)
                other_log.close()
            if why:
                self._tell(f"the data of another program could not be adopted: {why}", "it is left unchanged")

    def _join(self, receiver: Receiver) -> TypeHandshake:
        """Return the group's line with the handshake about value classes."""
        return TypeHandshake(self._system.transport, self._name, self._value_classes, receiver, self._refused)

    def _told(self, output: Output) -> None:
        if isinstance(output, Heard) and is_notice(output.payload):
            self._heard(output.node, output.payload)
        elif isinstance(output, MayLeave):
            self._gone()
        elif isinstance(output, OtherVersion):
            self._system.report(self._system.of_other_version(self._name, output.node))
        elif isinstance(output, Unanswered):
            self._system.report(self._system.unanswered(self._name, output.nodes))
        elif isinstance(output, Readers):
            self._system.readers_changed(self._name, output.nodes)
        elif self._replica is not None:
            if isinstance(output, Installed):
                self._installed({seat.author for seat in output.seats})
            if self._members is not None and self._unconfirmed is not None:
                self._observe(output, self._members, self._unconfirmed)
            for archiving in self._archivings:
                archiving.observe(output, self._replica)
            self._replica.handle(output, self._system.dispatcher.now())
            self._work(self._replica)

    def _installed(self, authors: set[bytes]) -> None:
        """Follow who is here."""
        if self._recovered is not None:
            self._recovered.only(authors)
        self._system.recordings.keep(self._name, authors)
        for each in self._archivings:
            if self._is_recorder(each.archive):
                self._say(Says.RECORDS, each.archive.title)

    def _work(self, replica: Replica) -> None:
        effects = replica.take()
        many = len(effects) > 1 and _operations_in(effects) > AT_ONCE
        for effect in effects:
            if isinstance(effect, Apply):
                for client in self.clients:
                    client.deliver(effect.payloads, many=many)
            else:
                self._do(replica, effect)
        self._set_alarm(replica)

    def _set_alarm(self, replica: Replica) -> None:
        wake = replica.wake
        if wake is None or (self._alarm is not None and self._due <= wake):
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._due = wake
        delay = max(0.0, wake - self._system.dispatcher.now())
        self._alarm = self._system.dispatcher.call_later(delay, self._tick)

    def _tick(self) -> None:
        self._alarm = None
        self._tick_now()

    def _tick_now(self) -> None:
        replica = self._replica
        if replica is not None and self._driver is not None:
            replica.tick(self._system.dispatcher.now())
            self._work(replica)
            self._driver.settle_soon()

    def _do(self, replica: Replica, effect: Effect) -> None:
        match effect:
            case Begin(state=state):
                self.arriving = None
                for archiving in self._archivings:
                    archiving.began(effect)
                for client in self.clients:
                    client.begin(state)
            case TakeState(request=request):
                self._ask(lambda state, why: self._taken(replica, request, state, why))
            case Arriving(got=got, size=size):
                self.arriving = got, size
            case Notify(what=what, advice=advice):
                self._tell(what, advice)
            case TakeDigest(number=number):
                self._report_digest(lambda digest: self._answer(lambda: replica.digested(number, digest)))
            case Replay(number=number):
                self._compare_with_log(
                    lambda outcome: self._answer(lambda: replica.replayed(number, outcome))
                )
            case Branched(name=name):
                self.recovered.tell(name)
            case Controlled(author=author, control=Claims(branch=name)):
                self.recovered.claimed(name, author, own=replica.is_own(author))
            case Controlled(author=author, control=Settles(branch=name)):
                self.recovered.settled(name, author, own=replica.is_own(author))

    def _ask(self, got: Got) -> None:
        """Ask an object here for its state."""
        able = self.asking.able()
        if able is None:
            got(None, "no object has the state here now")
        else:
            self.asking.ask(able, got)

    def _report_digest(self, got: Callable[[bytes], object]) -> None:
        """Ask the objects here for one digest of their state."""
        LocalComparison(
            [client for client in self.clients if client.ready],
            self._compare_object_with_log,
            self._tell,
            got,
        )

    def _compare_with_log(self, got: Callable[[Replayed], object]) -> None:
        """Let a worker replay the log, and compare the result with an object's state."""
        self._compare_object_with_log(self.asking.able(), got)

    def _compare_object_with_log(self, able: Client | None, got: Callable[[Replayed], object]) -> None:
        found = self._persistence.parcel() if self._persistence is not None else None
        if able is None or found is None:
            got(Replayed.UNKNOWN)
        else:
            able.compare_with_log(found[1], got)

    def _answer(self, answer: Callable[[], object]) -> None:
        answer()
        self._settle()

    def begin_alone(self, client: Client) -> None:
        """Begin an object from the log, because no other one here has the state. It waits for the end of this
        turn, when the objects have received everything in the log."""
        self._system.dispatcher.call_soon(lambda: self._begin_from_log(client))

    def _begin_from_log(self, client: Client) -> None:
        replica, persistence = self._replica, self._persistence
        if (
            replica is None
            or persistence is None
            or client not in self.clients
            or client.ready
            or client.begins
        ):
            return
        if self.asking.able() is not None:
            self.asking.give(client)
            return
        found = persistence.parcel()
        if found is not None and found[0].chain == replica.state_position.position.chain:
            client.begin_again(found[1])
        else:
            replica.restore(self._system.dispatcher.now())
            self._work(replica)
            self._settle()

    def _taken(self, replica: Replica, request: int, state: EncodedState | None, why: str) -> None:
        replica.taken(request, state, why)
        self._settle()

    def _gone(self) -> None:
        if self._driver is not None:
            self._driver.close()
            self._driver = None
            if self._alarm is not None:
                self._alarm.cancel()
            if self._replica is not None:
                self._replica.close()
            if self._unconfirmed is not None:
                self._unconfirmed.close()
            self._system.has_left(self._name)

    def _refused(self, error: WrongClassesError) -> None:
        if self._driver is not None:
            self._driver.close()
        for client in self.clients:
            client.refuse(error)

    def _tell(self, what: str, advice: str) -> None:
        self._system.report(Problem(Kind.PEER, ("channels", self._name), what, advice))


def _operations_in(effects: list[Effect]) -> int:
    return sum(len(each.payloads) for each in effects if isinstance(each, Apply))
