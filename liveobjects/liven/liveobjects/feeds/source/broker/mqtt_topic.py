"""The messages of a topic of an MQTT broker, as a stream of their rows."""

from __future__ import annotations

import math
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
from liven.types.declare import Dual, Int32, proxy

PORTS: Final = {"mqtts": 8883, "mqtt": 1883}
_LONGEST_TOPIC: Final = 65_535


@proxy(id="9C9CCFDD635A4F7235625D3CABF0E01B", alias="liven:mqtt", delegates=(ENDPOINT,))
class MqttTopic(Generic[ValueClass]):
    """The rows of each message of `topic`, which may have the wildcards + and #, of the broker at `url`.

    With `quality` 1, messages that are sent during a cut come later; one may come twice then.
    With 0, they are lost. `login` is the path of a file with name and password, a line each.
    """

    Endpoint: Dual[Value[ValueClass], ValueClient[ValueClass]]

    def __init__(
        self,
        context: Context,
        url: str,
        topic: str,
        format: str = "",  # noqa: A002 - the word of recipes
        quality: Int32 = 1,
        login: str = "",
        rate: float = 1000.0,
    ) -> None:
        demand_library("paho", "mqtt")
        address = host_address(url, PORTS)
        _check_topic(topic)
        if quality not in (0, 1):
            raise CallFailedError(f"a quality is 0 or 1, not {quality}")
        decode = message_decoder(context, format)
        from liven.liveobjects.feeds.source.broker.mqtt_connection import MqttConnection, MqttSession

        session = MqttSession()

        def connect(inbox: Inbox) -> Connection:
            return MqttConnection(address, topic, quality, login, session, decode, inbox)

        self._stream = BrokerStream(context, address.url, rate, connect)

    @staticmethod
    def capabilities(url: str, login: str = "") -> tuple[Capability, ...]:
        """State what a recipe with these parameters reaches."""
        return *host_capabilities(url, PORTS), *login_capability(login), sends(math.inf)

    def on_end(self) -> None:
        """Disconnect."""
        self._stream.end()


def _check_topic(topic: str) -> None:
    """Raise CallFailedError for a topic that no broker takes."""
    levels = topic.split("/")
    wrong = not topic or len(topic.encode("utf-8", "replace")) > _LONGEST_TOPIC or "\0" in topic
    wrong = wrong or any(len(one) > 1 and ("+" in one or "#" in one) for one in levels) or "#" in levels[:-1]
    if wrong:
        raise CallFailedError(
            f"{topic[:100]!r} is no topic; + stands for one level, # at the end for all below"
        )
