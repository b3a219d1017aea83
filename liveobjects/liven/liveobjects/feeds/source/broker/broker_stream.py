"""The part of a source from a broker that runs on the thread of all objects."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Final, Protocol

from liven.liveobjects.feeds.source.broker.inbox import Arrival, Inbox
from liven.liveobjects.feeds.source.formats.decoded import Decode
from liven.liveobjects.feeds.source.formats.format_table import FormatError, decoder
from liven.liveobjects.feeds.source.row_stream import ENDPOINT, RowStream, row_type
from liven.runtime.capability import Capability, CapabilityKind
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.context import Context

LONGEST_MESSAGE: Final = 1 << 20
FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 60.0
"""Seconds between two attempts to connect."""


class Connection(Protocol):
    """A connection with a thread of its own, which connects again until it is stopped."""

    def start(self) -> None:
        """Connect."""

    def stop(self) -> None:
        """Disconnect, without waiting for it."""


Connect = Callable[[Inbox], Connection]


class BrokerStream:
    """Gives the rows of a connection, which lasts as long as a client is connected."""

    def __init__(self, context: Context, name: str, rate: float, connect: Connect) -> None:
        self._context = context
        self._name = name
        self._connect = connect
        self._connection: Connection | None = None
        self._inbox: Inbox | None = None
        self._stream = RowStream(context, rate, self._start, self._stop)
        context.serve(ENDPOINT, self._stream)

    def end(self) -> None:
        """Disconnect, and release everything."""
        self._stop()
        if self._inbox is not None:
            self._inbox.close()

    def _start(self) -> None:
        if self._inbox is None:
            self._inbox = Inbox()
            self._context.watch_fd(self._inbox.fd, self._news)
        if self._connection is None:
            self._connection = self._connect(self._inbox)
            self._connection.start()
        self._take()

    def _stop(self) -> None:
        if self._connection is not None:
            self._connection.stop()
            self._connection = None

    def _news(self) -> None:
        assert self._inbox is not None
        states, dropped = self._inbox.news()
        faults = self._stream.faults
        for state in states:
            if state:
                faults.trouble(f"{self._name}: {state}", "it is tried again")
            else:
                faults.fine()
        if dropped:
            what = f"{dropped:,} messages were lost: they come faster than this object may give them"
            faults.refuse(self._name, what)
        self._take()

    def _take(self) -> None:
        """Give what has come, unless earlier rows wait."""
        assert self._inbox is not None
        if self._stream.waiting or not self._context.connected(ENDPOINT):
            return
        for arrival in self._inbox.take(self._stream.group):
            self._give(arrival)

    def _give(self, arrival: Arrival) -> None:
        faults = self._stream.faults
        for fault in arrival.found.faults:
            place = f", row {fault.row:,}" if fault.row > 1 else ""
            faults.refuse(f"{self._name}, a message of {arrival.topic[:100]}{place}", fault.reason)
        faults.count(arrival.found.refused - len(arrival.found.faults))

        def given() -> None:
            arrival.done()
            self._context.call_soon(self._take)

        self._stream.give(arrival.found.rows, given)


def message_decoder(context: Context, name: str) -> Decode:
    """Return the decoder of a format for the type that a recipe asks for; raise CallFailedError."""
    try:
        return decoder(name, row_type(context))
    except FormatError as error:
        raise CallFailedError(str(error)) from None


def demand_library(module: str, extra: str) -> None:
    """Raise CallFailedError if the library of a broker is not installed."""
    if find_spec(module) is None:
        raise CallFailedError(f"this needs a library that is not installed: pip install 'liven[{extra}]'")


def login_capability(login: str) -> tuple[Capability, ...]:
    """Return the capability of reading the file with name and password."""
    return (Capability(CapabilityKind.READ_FILE, login),) if login else ()
