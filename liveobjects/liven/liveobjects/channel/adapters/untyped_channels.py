"""Typed channels over untyped ones: as bytes, as XML, and over two joined channels.

All three have their original ids. They require nothing of the channel below, because files of the original
program do not state its guarantees, and so give no guarantees either.
"""

from __future__ import annotations

import os
from typing import Any, Final, Generic

from liven.liveobjects.channel.adapters.any_value import AnyValueCodec, Serializable
from liven.liveobjects.channel.adapters.base import Adapter, UnfitError
from liven.liveobjects.channel.adapters.xml_values import NotAValueError, from_xml, to_xml
from liven.liveobjects.channel.api.endpoints import (
    ChannelService,
    CheckpointClass,
    CheckpointedClient,
    MessageClass,
)
from liven.liveobjects.channel.objects.local import checkpoint_class
from liven.liveobjects.channel.session.typed_line import class_in
from liven.runtime.objects.context import Context
from liven.types.codec import Codec, CodecError
from liven.types.declare import Dual, proxy
from liven.types.terms.value_types import ValueType

_XML: Final = b"xml"
_MARK_BYTES: Final = 16


class XmlValueCodec:
    """Encodes values of one class as serializable values with XML inside, and decodes them."""

    def __init__(self, kind: ValueType) -> None:
        self._codec = Codec(kind)

    def put(self, given: Any) -> Serializable:
        """Encode a value as XML."""
        return Serializable(_XML, to_xml(self._codec.check(given)))

    def take(self, given: Serializable) -> Any:
        """Decode a value. Raises UnfitError if it is of another class."""
        if given.kind != _XML:
            raise UnfitError("it is not XML")
        try:
            return self._codec.check(from_xml(given.data), "value")
        except (CodecError, NotAValueError) as error:
            raise UnfitError(str(error)) from None


class _Typed(Adapter):
    """A typed channel over an untyped one."""

    seals: type[AnyValueCodec | XmlValueCodec] = AnyValueCodec

    def begin(self, context: Context) -> None:
        super().begin(context)
        kind = context.external("Channel").type
        self._messages = self.seals(class_in(kind, "send", "message"))
        self._states = self.seals(checkpoint_class(kind))

    def lower(self, message: Any) -> Any:
        return self._messages.put(message)

    def lift(self, message: Any) -> Any:
        return self._messages.take(message)

    def lower_state(self, state: Any) -> Any:
        return self._states.put(state)

    def lift_state(self, state: Any) -> Any:
        return self._states.take(state)


@proxy(id="89BF6594F5884B6495F5CD78C5372FC6", alias="liven:channel-1")
class TypedChannel(_Typed, Generic[MessageClass, CheckpointClass]):
    """A typed channel over one that carries any value."""

    Channel: Dual[ChannelService[MessageClass], CheckpointedClient[MessageClass, CheckpointClass]]
    underlying_untyped_channel: Dual[
        CheckpointedClient[Serializable, Serializable], ChannelService[Serializable]
    ]
    below_name = "underlying_untyped_channel"

    def __init__(self, context: Context) -> None:
        self.begin(context)

    def Channel_connected(self) -> None:
        """Deliver queued messages to the client."""
        self.connected_above()

    def underlying_untyped_channel_connected(self) -> None:
        """Send queued messages to the channel."""
        self.connected_below()


@proxy(id="7EB42417EB864FF485F685025C447808", alias="liven:xml-channel")
class XmlChannel(_Typed, Generic[MessageClass, CheckpointClass]):
    """A typed channel over one that carries any value, with values as XML."""

    Channel: Dual[ChannelService[MessageClass], CheckpointedClient[MessageClass, CheckpointClass]]
    underlyingchannel: Dual[CheckpointedClient[Serializable, Serializable], ChannelService[Serializable]]
    below_name = "underlyingchannel"
    seals = XmlValueCodec

    def __init__(self, context: Context) -> None:
        self.begin(context)

    def Channel_connected(self) -> None:
        """Deliver queued messages to the client."""
        self.connected_above()

    def underlyingchannel_connected(self) -> None:
        """Send queued messages to the channel."""
        self.connected_below()


@proxy(
    id="5F9564F39310453AAAC9787D2034C071", alias="liven:switch", delegates=("channel1", "channel2", "Channel")
)
class Switch(Generic[MessageClass, CheckpointClass]):
    """Joins two channels: messages in either are copied to the other, and the client uses the first.

    A switch marks the messages it copies, and no switch copies a marked message. Two switches between the
    same channels therefore form no loop, although messages may then arrive twice.
    """

    Channel: Dual[ChannelService[Serializable], CheckpointedClient[Serializable, CheckpointClass]]
    channel1: Dual[CheckpointedClient[Serializable, CheckpointClass], ChannelService[Serializable]]
    channel2: Dual[CheckpointedClient[Serializable, CheckpointClass], ChannelService[Serializable]]

    def __init__(self, context: Context) -> None:
        first, second = _First(context, self), _Second(context, self)
        context.serve("Channel", first)
        context.serve("channel1", first)
        context.serve("channel2", second)
        self.first, self.second = first, second


class _First(Adapter):
    """The first channel, which the client uses, with messages copied from the second."""

    below_name = "channel1"

    def __init__(self, context: Context, switch: Any) -> None:
        self.begin(context)
        self._switch = switch

    def __getattr__(self, name: str) -> Any:
        if name in ("Channel", "channel1"):
            return getattr(self._switch, name)
        raise AttributeError(name)

    def connected(self) -> None:
        """Begin when both of its endpoints are connected."""
        if self.context.connected("Channel") and not self._served:
            self.connected_above()
        if self.context.connected("channel1"):
            self.connected_below()

    def receive(self, message: Serializable) -> None:
        """Deliver a message of the first channel, and copy it to the second unless it came from there."""
        super().receive(message)
        self._switch.second.bring(message)

    def bring(self, message: Serializable) -> None:
        """Copy a message of the second channel."""
        if message.mark is None:
            self.send(_marked(message))


class _Second:
    """The second channel. Its state is not used, because the first has one."""

    def __init__(self, context: Context, switch: Any) -> None:
        self._context = context
        self._switch = switch

    def receive(self, message: Serializable) -> None:
        """Process a message of the second channel."""
        self._switch.first.bring(message)

    def initialize(self, checkpoint: Any) -> None:
        """Ignore the state."""

    def checkpoint(self) -> Any:
        """Return the state of the client, which has received the messages of both channels."""
        return self._switch.first.checkpoint()

    def bring(self, message: Serializable) -> None:
        """Copy a message of the first channel."""
        if message.mark is None and self._context.connected("channel2"):
            self._switch.channel2.peer.send(_marked(message))


def _marked(message: Serializable) -> Serializable:
    return Serializable(message.kind, message.data, os.urandom(_MARK_BYTES))
