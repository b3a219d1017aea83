"""Messages of an ordered channel: values for the client, bytes in the order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from liven.liveobjects.channel.ordering import ChannelBusyError
from liven.runtime.objects.context import Context
from liven.types.codec import Codec, CodecError


class TypedMessages:
    """The messages of one object's client. Invalid ones are reported as that object's problem."""

    __slots__ = ("_context", "_name", "codec")

    def __init__(self, context: Context, name: str, codec: Codec) -> None:
        self.codec = codec
        self._context = context
        self._name = name

    def send(self, message: Any, submit: Callable[[bytes], object]) -> None:
        """Encode and submit a message."""
        try:
            submit(self.codec.encode_compact(message))
        except (ChannelBusyError, ValueError) as error:
            what = f"{self._name}: a message could not be sent: {error}"
            self._context.report(what, "send less at a time")

    def receive(self, payloads: Sequence[bytes], receive: Callable[[Any], object]) -> None:
        """Decode and deliver ordered messages. Invalid ones are dropped, at all members alike, as all have
        the same classes."""
        decode = self.codec.decode_compact
        for payload in payloads:
            try:
                message = decode(payload, "message")
            except CodecError as error:
                advice = "an invalid message was dropped by all members"
                self._context.report(f"{self._name}: {error}", advice)
            else:
                receive(message)
