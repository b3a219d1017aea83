"""The ordering object: one total order over any channel of letters that keeps each sender's order.

It finds the members by itself (`membership.py`) and runs the state machine of the ordered channel over
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from os import urandom
from secrets import randbits
from typing import Annotated, Any, Final, Generic

from liven.liveobjects.channel.adapters.membership import Happening, MembersChanged, Membership, MessageSeen
from liven.liveobjects.channel.api.endpoints import FIFO, TOTAL, ChannelClient, ChannelService, MessageClass
from liven.liveobjects.channel.history.position import IDENTITY_BYTES
from liven.liveobjects.channel.ordering import (
    ChannelBusyError,
    Delivered,
    Installed,
    OrderedChannel,
    Output,
    Run,
    Send,
    Trouble,
)
from liven.liveobjects.channel.session.typed_line import class_in
from liven.runtime.objects.context import Context
from liven.types.codec import Codec, CodecError
from liven.types.declare import Dual, provides, proxy, requires, value

LOOKS_EVERY: Final = 0.05
_NAME_BITS: Final = 62


@value(id="BD47B8810A44908507120266A54ED945", alias="liven:letter")
@dataclass(frozen=True)
class Letter:
    """A message of the ordering object on the channel below it."""

    data: bytes


@proxy(id="4BBD195D30A4C6689B1FE197651412F4", alias="liven:order")
class Order(Generic[MessageClass]):
    """Gives a FIFO channel a total order. The channel below carries letters."""

    Channel: Annotated[
        Dual[ChannelService[MessageClass], ChannelClient[MessageClass]], provides("guarantee", TOTAL)
    ]
    below: Annotated[Dual[ChannelClient[Letter], ChannelService[Letter]], requires("guarantee", FIFO)]

    def __init__(self, context: Context) -> None:
        self.context = context
        self._codec = Codec(class_in(context.external("Channel").type, "send", "message"))
        self._machine = OrderedChannel(urandom(IDENTITY_BYTES))
        self._gathering: Membership | None = None
        self._held: list[Run] = []
        self._main = True
        self._settling = False

    def below_connected(self) -> None:
        """Begin to look for other members."""
        self._gathering = Membership(randbits(_NAME_BITS) + 1, self._post, self.context.now())
        self._look()

    def below_disconnected(self) -> None:
        """Stop ordering while there is no channel. Messages wait."""
        self._gathering = None
        self._machine.detached()

    def send(self, message: MessageClass) -> None:
        """Add a message to the order."""
        try:
            self._machine.submit(self._codec.encode_compact(message))
        except (ChannelBusyError, ValueError) as error:
            self.context.report(f"a message could not be sent: {error}", "send less at a time")
        self._settle_soon()

    def receive(self, message: Letter) -> None:
        """Process a letter of the channel."""
        if self._gathering is not None:
            self._happened(self._gathering.heard(message.data, self.context.now()))

    def _post(self, data: bytes) -> None:
        self.below.peer.send(Letter(data))

    def _look(self) -> None:
        if self._gathering is not None:
            self._happened(self._gathering.tick(self.context.now()))
            self.context.call_later(LOOKS_EVERY, self._look)

    def _happened(self, happenings: list[Happening]) -> None:
        gathering = self._gathering
        assert gathering is not None
        for happening in happenings:
            match happening:
                case MessageSeen(node=node, payload=payload):
                    self._machine.heard(node, payload)
                case MembersChanged(number=number, nodes=nodes):
                    self._machine.view(number, nodes, gathering.me, self.context.now())
        self._settle()

    def _settle_soon(self) -> None:
        if not self._settling:
            self._settling = True
            self.context.call_soon(self._settle)

    def _settle(self) -> None:
        self._settling = False
        self._machine.tick(self.context.now())
        while self._gathering is not None and (outputs := self._machine.take()):
            for output in outputs:
                self._do(output)

    def _do(self, output: Output) -> None:
        match output:
            case Send(payload=payload) if self._gathering is not None:
                self._gathering.send(payload)
            case Installed(main=main, begins=begins):
                if begins:
                    self._held.clear()  # operations ordered while cut off are submitted again
                self._main = main
                self._release()
            case Delivered(run=run):
                self._held.append(run)
                self._release()
            case Trouble(text=text):
                self.context.report(text, "the channel below lost messages, although it promises fifo")

    def _release(self) -> None:
        if self._main and self.context.connected("Channel"):
            held, self._held = self._held, []
            for run in held:
                for payload in run.payloads:
                    self._deliver(payload)

    def _deliver(self, payload: bytes) -> None:
        try:
            message: Any = self._codec.decode_compact(payload, "message")
        except CodecError as error:
            self.context.report(f"a message is invalid: {error}", "it was dropped")
            return
        self.Channel.peer.receive(message)
