"""The ordered channel: messages of all members come to all in one order.

It keeps nothing: who joins gets what comes from then on. What is said by somebody who is cut off comes when
they are back.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Generic

from liven.liveobjects.channel import ordering
from liven.liveobjects.channel.conductor import Conductor
from liven.liveobjects.channel.dialect import Dialect, Meeting, WrongDialectError
from liven.liveobjects.channel.endpoints import TOTAL, ChannelClient, ChannelService, MessageClass
from liven.liveobjects.channel.history.position import IDENTITY_BYTES
from liven.liveobjects.channel.ordering import ChannelBusyError, Delivered, Output, Trouble
from liven.liveobjects.channel.speech import class_in
from liven.liveobjects.channel.system import ChannelSystem
from liven.liveobjects.channel.transport import Receiver
from liven.runtime.context import Context
from liven.types.codec import Codec, CodecError
from liven.types.declare import Dual, provides, proxy


@proxy(id="B255B7AEBA12CA991088E0AA1E158C99", alias="liven:ordered-group-channel")
class OrderedGroupChannel(Generic[MessageClass]):
    """The group called `name`, with one order of all its messages."""

    Channel: Annotated[
        Dual[ChannelService[MessageClass], ChannelClient[MessageClass]], provides("guarantee", TOTAL)
    ]

    def __init__(self, context: Context, name: str) -> None:
        self.context = context
        self.name = name
        self.conductor: Conductor | None = None
        value = class_in(context.external("Channel").type, "send", "message")
        self._dialect = Dialect.of(MessageClass=value)
        self._codec = Codec(value)

    def Channel_connected(self) -> None:
        """Joins the group."""
        self.context.service(ChannelSystem).entered(self.name)
        channel = ordering.OrderedChannel(secrets.token_bytes(IDENTITY_BYTES))
        self.conductor = Conductor(channel, self.context, self._join, self._told)

    def Channel_disconnected(self) -> None:
        """Leaves it."""
        if self.conductor is not None:
            self.context.service(ChannelSystem).left(self.name)
            self.conductor.close()
            self.conductor = None

    def send(self, message: MessageClass) -> None:
        """Gives a message its place in the order."""
        if self.conductor is None:
            return
        try:
            self.conductor.submit(self._codec.encode_compact(message))
        except ChannelBusyError as error:
            self.context.report(f"{self.name}: a message was not taken: {error}", "send less at a time")

    def _join(self, receiver: Receiver) -> Meeting:
        outside = self.context.from_outside
        batch: Receiver = outside(receiver)
        transport = self.context.service(ChannelSystem).transport
        return Meeting(transport, self.name, self._dialect, batch, outside(self._refused))

    def _refused(self, error: WrongDialectError) -> None:
        raise error

    def _told(self, output: Output) -> None:
        match output:
            case Delivered(run=run):
                for payload in run.payloads:
                    self._receive(payload)
            case Trouble(text=text):
                self.context.report(f"{self.name}: {text}", "it goes on without that")

    def _receive(self, payload: bytes) -> None:
        try:
            message: Any = self._codec.decode_compact(payload, "message")
        except CodecError as error:
            self.context.report(f"{self.name}: what came is no message here: {error}", "it was left out")
            return
        if self.context.connected("Channel"):
            self.Channel.peer.receive(message)
