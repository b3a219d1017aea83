"""Values over a line: each encoded by its class, those of one turn in one message.

Both ends have the same classes (`line/type_handshake.py`), so values use the compact encoding.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.line.transport import Batch, LineBusyError, LineClosedError, LineEvent
from liven.liveobjects.channel.line.type_handshake import TypeHandshake, ValueClasses, WrongClassesError
from liven.liveobjects.channel.ordering import ChannelBusyError
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.channel.process.line_notices import LineNotices
from liven.multicast.group import Delivery, Evicted, Lost, View
from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.objects.context import Context
from liven.types.codec import Codec, CodecError
from liven.types.terms.endpoint_types import EndpointType
from liven.types.terms.value_types import Record, ValueType

_AT_ONCE: Final = 32 * 1024
"""Bytes from which a message does not wait for more values of the same turn."""
_VALUES_MOST: Final = 65_536
"""Values in one message at most."""
_SILENCE: Final = 1.0


def class_in(kind: EndpointType, event: str, parameter: str) -> ValueType:
    """Return the class of one parameter of an incoming event."""
    record = dict(kind.inputs)[event]
    assert isinstance(record, Record)
    return dict(record.fields)[parameter]


class TypedLine:
    """One object's connection to a group. It receives its own values, too, like all members."""

    def __init__(
        self,
        context: Context,
        name: str,
        value: ValueType,
        hear: Callable[[int, Any], object],
        told: Callable[[LineEvent], object] | None = None,
        *,
        kind: str = "group",
    ) -> None:
        system = self._system = context.service(ChannelSystem)
        value_classes = system.value_classes(ValueClasses.of(kind, MessageClass=value))
        system.entered(name, value_classes)
        self._context = context
        self._codec = Codec(value)
        self._hear = hear
        self._told = told or (lambda _: None)
        self._waiting: list[bytes] = []
        self._waiting_bytes = 0
        self._complained = False
        self._gate = None if system.rates is None else system.rates.gate(name)
        self._drain: Entry | None = None
        self.name = name
        self._notices = LineNotices(system, name, lambda: self.me, self._send_notice)
        self.meeting = TypeHandshake(
            system.transport,
            name,
            value_classes,
            context.from_outside(self._batch),
            context.from_outside(self._refused),
        )

    @property
    def me(self) -> int:
        """This member's node; 0 while it is not in a view."""
        return self.meeting.line.me

    def say(self, value: Any) -> None:
        """Send a value, in neutral form, to all."""
        data = self._codec.encode_compact(value)
        try:
            admitted = self._gate is None or self._gate.admit(data)
        except ChannelBusyError as error:
            self._complain(f"a message was dropped: {error}", "send less at a time")
            return
        if admitted:
            self._add(data)
        else:
            self._say_later()

    def _say_later(self) -> None:
        delay = None if self._gate is None else self._gate.delay()
        if delay is not None and self._drain is None:
            self._drain = self._context.call_later(delay, self._say_due)

    def _say_due(self) -> None:
        self._drain = None
        if self._gate is not None:
            for data in self._gate.due():
                self._add(data)
            self._say_later()

    def _add(self, data: bytes) -> None:
        self._waiting.append(data)
        self._waiting_bytes += len(data)
        if self._waiting_bytes >= _AT_ONCE:
            self._flush()
        elif len(self._waiting) == 1:
            self._context.call_soon(self._flush)

    def close(self) -> None:
        """Send what waits, and leave."""
        for data in () if self._gate is None else self._gate.rest():
            self._add(data)
        self._flush()
        self._system.left(self.name)
        self._notices.close()
        self.meeting.line.leave()

    def _flush(self) -> None:
        values, self._waiting, self._waiting_bytes = self._waiting, [], 0
        if not values:
            return
        try:
            self.meeting.line.send(msgpack.packb(values))
        except LineBusyError as error:
            self._complain(f"{len(values)} messages could not be sent: {error}", "send less at a time")
        except LineClosedError as error:
            self._complain(f"{len(values)} messages could not be sent: {error}", "open the channel again")
        else:
            self._complained = False

    def _batch(self, batch: Batch) -> None:
        for event in batch.events:
            self._event(event)
        for message in batch.messages:
            if not self._notices.takes(message):
                for value in self._values(message):
                    self._hear(message.sender, value)

    def _send_notice(self, payload: bytes) -> None:
        with suppress(LineBusyError, LineClosedError):  # the recorder asks again in the next view
            self.meeting.line.send(payload)

    def _values(self, message: Delivery) -> list[Any]:
        try:
            packed = msgpack.unpackb(message.payload, max_array_len=_VALUES_MOST)
            return [self._codec.decode_compact(data, "message") for data in packed]
        except (CodecError, TypeError, ValueError, msgpack.UnpackException) as error:
            self._complain(f"member {message.sender} sent an invalid message: {error}", "it was dropped")
            return []

    def _event(self, event: LineEvent) -> None:
        if isinstance(event, View):
            self._notices.view(event)
        elif isinstance(event, Evicted):
            what = f"{self.name}: this computer was cut off while the others continued"
            self._context.report(what, "it reconnects by itself; messages of the meantime are missing")
            self._context.call_later(_SILENCE, self.meeting.rejoin)
        elif isinstance(event, Lost):
            what = f"{self.name}: messages {event.first} to {event.last} of member {event.sender} are lost"
            self._context.report(what, "it ended while sending them, and nobody has them")
        self._told(event)

    def _refused(self, error: WrongClassesError) -> None:
        raise error

    def _complain(self, what: str, advice: str) -> None:
        """Report a problem once, until something is sent again."""
        if not self._complained:
            self._complained = True
            self._context.report(f"{self.name}: {what}", advice)
