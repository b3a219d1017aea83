"""Messages between the client of an ordered channel, for whom they are values, and the order of bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from liven.liveobjects.channel.ordering import ChannelBusyError
from liven.runtime.objects.context import Context
from liven.types.codec import Codec, CodecError


class Messages:
    """Those of one object's client. What cannot be sent or read is reported as the object's."""

    __slots__ = ("_context", "_name", "codec")

    def __init__(self, context: Context, name: str, codec: Codec) -> None:
        self.codec = codec
        self._context = context
        self._name = name

    def send(self, message: Any, submit: Callable[[bytes], object]) -> None:
        """Submits a message."""
        try:
            submit(self.codec.encode_compact(message))
        except (ChannelBusyError, ValueError) as error:
            what = f"{self._name}: a message could not be sent: {error}"
            self._context.report(what, "send less at a time")

    def receive(self, payloads: Sequence[bytes], receive: Callable[[Any], object]) -> None:
        """Hands over what was ordered. What is no message is left out, by all alike: all have the same
        classes."""
        decode = self.codec.decode_compact
        for payload in payloads:
            try:
                message = decode(payload, "message")
            except CodecError as error:
                advice = "a message that is none was left out, by all alike"
                self._context.report(f"{self._name}: {error}", advice)
            else:
                receive(message)
