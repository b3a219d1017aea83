"""Messages of an ordered channel: values for the client, bytes in the order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from liven.liveobjects.channel.ordering import ChannelBusyError
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.channel.process.rate_limits import RateGate
from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.objects.context import Context
from liven.types.codec import Codec, CodecError


class TypedMessages:
    """The messages of one object's client. Invalid ones are reported as that object's problem. Messages
    beyond the rate limit of the object wait here."""

    __slots__ = ("_context", "_drain", "_gate", "_name", "_refusing", "_system", "codec")

    def __init__(self, context: Context, name: str, codec: Codec, system: ChannelSystem) -> None:
        self.codec = codec
        self._context = context
        self._name = name
        self._system = system
        self._gate: RateGate | None = None
        self._drain: Entry | None = None
        self._refusing = False
        """True while messages are refused, so that only the first of them is a problem."""

    @property
    def full(self) -> str:
        """The reason why the client should not send now; empty while it may."""
        return "" if self._gate is None else self._gate.full

    def send(self, message: Any, submit: Callable[[bytes], object]) -> None:
        """Encode and submit a message, now or once the rate limit allows it."""
        try:
            data = self.codec.encode_compact(message)
            if self._admits(data):
                submit(data)
            else:
                self._send_later(submit)
            self._refusing = False
        except (ChannelBusyError, ValueError) as error:
            self._complain(error)

    def flush(self, submit: Callable[[bytes], object]) -> None:
        """Submit everything that waits: the object leaves, and nothing that it sent is lost."""
        if self._drain is not None:
            self._drain.cancel()
            self._drain = None
        if self._gate is not None:
            self._submit(self._gate.rest(), submit)

    def _admits(self, data: bytes) -> bool:
        if self._system.rates is None:
            return True
        if self._gate is None:
            self._gate = self._system.rates.gate(self._name)
        return self._gate.admit(data)

    def _send_later(self, submit: Callable[[bytes], object]) -> None:
        delay = None if self._gate is None else self._gate.delay()
        if delay is not None and self._drain is None:
            self._drain = self._context.call_later(delay, lambda: self._send_due(submit))

    def _send_due(self, submit: Callable[[bytes], object]) -> None:
        self._drain = None
        if self._gate is not None:
            self._submit(self._gate.due(), submit)
            self._send_later(submit)

    def _submit(self, waiting: list[bytes], submit: Callable[[bytes], object]) -> None:
        for data in waiting:
            try:
                submit(data)
            except (ChannelBusyError, ValueError) as error:
                self._complain(error)

    def _complain(self, error: Exception) -> None:
        if not self._refusing:
            self._refusing = isinstance(error, ChannelBusyError)
            self._context.report(f"{self._name}: a message could not be sent: {error}", "send less at a time")

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
