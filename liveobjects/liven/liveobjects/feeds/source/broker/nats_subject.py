"""The messages of a subject of a NATS server, as a stream of their rows."""

from __future__ import annotations

import math
import re
from typing import Final, Generic

from liven.liveobjects.channel.api.endpoints import Value, ValueClass, ValueClient
from liven.liveobjects.feeds.source.broker.broker_stream import (
    BrokerStream,
    Connection,
    demand_library,
    login_capability,
    message_decoder,
)
from liven.liveobjects.feeds.source.broker.inbox import Inbox
from liven.liveobjects.feeds.source.host_address import host_address, host_capabilities
from liven.liveobjects.feeds.source.row_stream import ENDPOINT
from liven.runtime.capability import Capability
from liven.runtime.capability.capability import sends
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, proxy

PORTS: Final = {"tls": 4222, "nats": 4222}
_WORD: Final = r"(?:\*|[^\s.*>\x00]+)"
_SUBJECT: Final = re.compile(rf"(?:{_WORD}\.)*(?:{_WORD}|>)")
_QUEUE: Final = re.compile(r"[^\s\x00]{0,200}")
_LONGEST: Final = 1_000


@proxy(id="F22BF6252B3C643CBBAA3437E87FDDE0", alias="liven:nats", delegates=(ENDPOINT,))
class NatsSubject(Generic[ValueClass]):
    """The rows of each message of `subject`, which may have the wildcards * and >, of the server at `url`.

    Objects with the same `queue` share the messages. Messages that are sent during a cut are lost.
    `login` is the path of a file with name and password, a line each.
    """

    Endpoint: Dual[Value[ValueClass], ValueClient[ValueClass]]

    def __init__(
        self,
        context: Context,
        url: str,
        subject: str,
        format: str = "",  # noqa: A002 - the word of recipes
        queue: str = "",
        login: str = "",
        rate: float = 1000.0,
    ) -> None:
        demand_library("nats", "nats")
        address = host_address(url, PORTS)
        if len(subject) > _LONGEST or not _SUBJECT.fullmatch(subject):
            raise CallFailedError(f"{subject[:100]!r} is no subject; write words with dots, as plant.*.heat")
        if not _QUEUE.fullmatch(queue):
            raise CallFailedError(f"{queue[:100]!r} is no queue; write a word")
        decode = message_decoder(context, format)
        from liven.liveobjects.feeds.source.broker.nats_connection import NatsConnection

        def connect(inbox: Inbox) -> Connection:
            return NatsConnection(address, subject, queue, login, decode, inbox)

        self._stream = BrokerStream(context, address.url, rate, connect)

    @staticmethod
    def capabilities(url: str, login: str = "") -> tuple[Capability, ...]:
        """State what a recipe with these parameters reaches."""
        return *host_capabilities(url, PORTS), *login_capability(login), sends(math.inf)

    def on_end(self) -> None:
        """Disconnect."""
        self._stream.end()
