"""Objects that talk on a group, and set a shared value, without pause: sources for recorders."""

from __future__ import annotations

from liven.liveobjects.channel.api.endpoints import ChannelClient, ChannelService, Value, ValueClient
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, Int64, proxy

_EVERY = 0.02


@proxy(id="5A8E0C1DB5AB4B0FA2C2C4D6B7B5E301", alias="test:talker")
class Talker:
    """Sends 1, 2, 3 … on a group."""

    channel: Dual[ChannelClient[Int64], ChannelService[Int64]]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.sent = 0

    def channel_connected(self) -> None:
        self.context.call_later(_EVERY, self._send)

    def receive(self, message: Int64) -> None:
        """Ignore the message."""

    def _send(self) -> None:
        if self.context.connected("channel"):
            self.sent += 1
            self.channel.peer.send(self.sent)
            self.context.call_later(_EVERY, self._send)


@proxy(id="0B7C9A5E2D674B6C9E0F8D1A2C3B4E57", alias="test:dial")
class Dial:
    """Sets a shared value to 1, 2, 3 …"""

    value: Dual[ValueClient[Int64], Value[Int64]]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.turned = 0

    def value_connected(self) -> None:
        self.context.call_later(_EVERY, self._turn)

    def set(self, value: Int64) -> None:
        """Ignore the value."""

    def _turn(self) -> None:
        if self.context.connected("value"):
            self.turned += 1
            self.value.peer.set(self.turned)
            self.context.call_later(_EVERY, self._turn)
