"""One endpoint across the two processes: its events, encoded by its own type, which both sides know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from liven.runtime.foreign_text import shown_value
from liven.runtime.objects.endpoint import Endpoint
from liven.runtime.objects.event_queue import Handler
from liven.runtime.tunnel.event_records import calls_of, record_of, values_of
from liven.types.codec import Codec, Codecs

SendEvent: TypeAlias = Callable[[str, bytes], object]
"""Sends an event to the other process, by its name, with its encoded values."""


class BadEventError(ValueError):
    """The other process sent an event that the endpoint does not have, or values that are not of its type."""


class EventBridge:
    """Passes what arrives at `end` to the other process, and what comes from there to the peer of `end`."""

    def __init__(self, end: Endpoint, codecs: Codecs, send: SendEvent) -> None:
        self._end = end
        self._codecs = codecs
        self._send = send
        self._calls = calls_of(end.type)
        self._outputs = dict(end.type.outputs)
        end.answering = False
        end.handle({event: self._outward(event, codecs.of(kind)) for event, kind in end.type.inputs})

    def _outward(self, event: str, codec: Codec) -> Handler:
        record, encode, send = record_of(event, self._calls), codec.encode_compact, self._send
        return lambda *values: send(event, encode(record(*values), event))

    def came(self, event: Any, data: Any) -> None:
        """Pass on an event from the other process; raise BadEventError or CodecError."""
        kind = self._outputs.get(event) if isinstance(event, str) else None
        if kind is None or not isinstance(data, bytes):
            raise BadEventError(f"{shown_value(event)} is not an event of {self._end.name}")
        record = self._codecs.of(kind).decode_compact(data, event)
        if self._end.connected:  # else the peer has left meanwhile
            self._end.emitter(event)(*values_of(event, record, self._calls))
