"""The ordered channel as an object: all messages to all members in one order, even across failures.

A computer that is cut off from the majority receives nothing until it is back; its messages wait.
"""

from __future__ import annotations

from os import urandom
from typing import Annotated, Any, Final, Generic

from liven.liveobjects.channel.api.endpoints import TOTAL, ChannelClient, ChannelService, MessageClass
from liven.liveobjects.channel.history import MalformedError
from liven.liveobjects.channel.history.position import IDENTITY_BYTES
from liven.liveobjects.channel.line.transport import Receiver
from liven.liveobjects.channel.line.type_handshake import TypeHandshake, ValueClasses, WrongClassesError
from liven.liveobjects.channel.members.known_members import KnownMembers
from liven.liveobjects.channel.ordering import (
    BeginEmpty,
    ChannelBusyError,
    Delivered,
    Heard,
    HistoryRestored,
    Installed,
    MayLeave,
    OrderedChannel,
    OtherVersion,
    Output,
    Phase,
    Run,
    Seat,
    Stable,
    Trouble,
    Unanswered,
)
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.channel.process.recordings import Notice, Says, is_notice, unpacked
from liven.liveobjects.channel.process.titles import report_title
from liven.liveobjects.channel.session.order_driver import OrderDriver
from liven.liveobjects.channel.session.typed_line import class_in
from liven.liveobjects.channel.session.typed_messages import TypedMessages
from liven.liveobjects.channel.session.unconfirmed import UnconfirmedNotice
from liven.runtime.capability.capability import Capability, joins_channel
from liven.runtime.objects.context import Context
from liven.runtime.problems import Kind, Problem
from liven.types.codec import Codec
from liven.types.declare import Dual, provides, proxy

LEAVES_WITHIN: Final = 2.0
"""Seconds that a session may take to leave in good order."""


class OrderedSession:
    """One ordered channel of a process, and the objects that have it open."""

    def __init__(self, system: ChannelSystem, name: str, value_classes: ValueClasses) -> None:
        self.clients: list[OrderedGroupChannel[Any]] = []
        self._system = system
        self._name = name
        self._value_classes = value_classes
        self._held: list[Run] = []
        self._main = True
        self._machine = OrderedChannel(urandom(IDENTITY_BYTES))
        self._driver: OrderDriver | None = None
        self._members = KnownMembers(b"", self._machine.author, system.name_of, lambda _: None)
        self._unconfirmed = UnconfirmedNotice(
            system, name, self._machine, self._members, self._settle, logs=False
        )
        self._leaving = False
        self._seats: tuple[Seat, ...] = ()
        system.when_free(name, self._begin)

    def submit(self, payload: bytes) -> None:
        """Add a message to the order. Raises ChannelBusyError or ValueError."""
        try:
            self._machine.submit(payload)
        except ChannelBusyError as error:
            awaited = self._unconfirmed.awaited
            raise ChannelBusyError(f"{error}" + f"; waiting for {awaited}" * bool(awaited)) from error
        self._unconfirmed.begin()
        self._settle()

    def _settle(self) -> None:
        if self._driver is not None:
            self._driver.settle_soon()

    def leave(self) -> None:
        """Leave in good order, or after a short time anyway: the others treat a silent member as failed."""
        self._leaving = True
        if self._driver is not None:
            self._system.leaving.add(self._name)
            self._driver.leave()
            self._system.dispatcher.call_later(LEAVES_WITHIN, self._gone)

    def _begin(self) -> None:
        """Join, once an earlier session of the channel in this process has left."""
        if not self._leaving:
            self._driver = OrderDriver(self._machine, self._system.dispatcher, self._join, self._told)
            self._driver.settle_soon()

    def _join(self, receiver: Receiver) -> TypeHandshake:
        return TypeHandshake(self._system.transport, self._name, self._value_classes, receiver, self._refused)

    def _told(self, output: Output) -> None:
        match output:
            case Installed(main=main, begins=begins, seats=seats):
                self._members.seated(seats)
                self._seats = tuple(seats)
                self._system.recordings.keep(self._name, {seat.author for seat in seats})
                if begins:
                    self._held.clear()  # operations ordered while cut off are submitted again
                self._main = main
                self._release()
            case BeginEmpty() | HistoryRestored():
                self._held.clear()
            case Delivered(run=run):
                self._held.append(run)
                self._release()
            case Heard(node=node, payload=payload) if is_notice(payload):
                self._heard(node, payload)
            case Stable():
                self._unconfirmed.confirmed()
            case OtherVersion(node=node):
                self._system.report(self._system.of_other_version(self._name, node))
            case Unanswered(nodes=nodes):
                self._system.report(self._system.unanswered(self._name, nodes))
            case Trouble():
                where = ("channels", self._name)
                self._system.report(Problem(Kind.PEER, where, output.text, output.consequence))
            case MayLeave():
                self._gone()

    def _heard(self, node: int, payload: bytes) -> None:
        """Take what a member says about recording. Nobody can say it for another one."""
        try:
            notice = unpacked(payload)
        except MalformedError:
            return
        if any(seat.node == node and seat.author == notice.author for seat in self._seats):
            self.noticed(node, notice)

    def noticed(self, node: int, notice: Notice) -> None:  # noqa: ARG002
        """Note who records, and answer whether the person here objects."""
        if self._system.recordings.heard(self._name, notice):
            self.say(Says.OBJECTS if self._system.objects_to_recording() else Says.AGREES)

    def say(self, says: Says, recording: str = "") -> None:
        """Tell all members something about recording, if there is a view."""
        if self._machine.stage is Phase.OPEN:
            own = self._machine.author
            self._machine.say(Notice(says, own, self._system.own_name(), recording).packed())
            self._settle()

    def _release(self) -> None:
        """Deliver what is confirmed."""
        if self._main:
            held, self._held = self._held, []
            payloads = [payload for run in held for payload in run.payloads]
            for client in tuple(self.clients) if payloads else ():
                client.deliver(payloads)

    def _gone(self) -> None:
        if self._driver is not None:
            self._driver.close()
            self._driver = None
            self._unconfirmed.close()
            self._system.has_left(self._name)

    def _refused(self, error: WrongClassesError) -> None:
        if self._driver is not None:
            self._driver.close()
        for client in tuple(self.clients):
            client.refuse(error)


@proxy(id="55C16D652529A71518F37CCCE6BF35F4", alias="liven:ordered-group-channel")
class OrderedGroupChannel(Generic[MessageClass]):
    """The ordered channel over the group called `name`."""

    Channel: Annotated[
        Dual[ChannelService[MessageClass], ChannelClient[MessageClass]], provides("guarantee", TOTAL)
    ]

    def __init__(self, context: Context, name: str) -> None:
        self.context = context
        self.name = name
        value = class_in(context.external("Channel").type, "send", "message")
        self._system = context.service(ChannelSystem)
        self._messages = TypedMessages(context, name, Codec(value), self._system)
        self._value_classes = self._system.value_classes(ValueClasses.of("ordered", MessageClass=value))
        self._session: OrderedSession | None = None
        self.deliver = context.from_outside(self._deliver)
        self.refuse = context.from_outside(self._refuse)

    @staticmethod
    def capabilities(name: str) -> tuple[Capability, ...]:
        """State what a recipe with this parameter reaches."""
        return joins_channel(name)

    def Channel_connected(self) -> None:
        """Join the channel."""
        self._system.entered(self.name, self._value_classes)
        report_title(self.context, self.name)
        session = self._session = self._system.shared(OrderedSession, self.name, self._made)
        session.clients.append(self)

    def Channel_disconnected(self) -> None:
        """Leave the channel. The process leaves the group with its last object."""
        session, self._session = self._session, None
        if session is None:
            return
        self._messages.flush(session.submit)
        session.clients.remove(self)
        self._system.left(self.name)
        if not session.clients:
            self._system.drop_session(self.name)
            session.leave()

    def on_end(self) -> None:
        """Leave the channel."""
        self.Channel_disconnected()

    def send(self, message: MessageClass) -> None:
        """Add a message to the order."""
        if self._session is not None:
            self._messages.send(message, self._session.submit)

    def _made(self) -> OrderedSession:
        return OrderedSession(self._system, self.name, self._value_classes)

    def _deliver(self, payloads: list[bytes]) -> None:
        if self.context.connected("Channel"):
            self._messages.receive(payloads, self.Channel.peer.receive)

    def _refuse(self, error: WrongClassesError) -> None:
        raise error
