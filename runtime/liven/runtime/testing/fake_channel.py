"""A checkpointed channel without a network, for tests: one total order, in one process.

It keeps the replication contract: a member is initialized once, then receives every message in one order, its
own included; a new member starts from another's checkpoint. `hold` keeps messages back, so that a test sees
what an object shows before its own message returns.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from liven.runtime.objects.endpoint import ExternalEndpoint
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import opposite
from liven.runtime.objects.proxy import Proxy, ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.types.terms.endpoint_types import ObjectType


class FakeChannel:
    """One channel; `join` connects a client's endpoint to it."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.order: list[Any] = []
        """All messages in order, in neutral form."""
        self._members: list[_Member] = []
        self._held: deque[Any] | None = None

    def join(self, client: ExternalEndpoint) -> None:
        """Connect and initialize a client: the first one with nothing, later ones from a checkpoint."""
        member = _Member(self, client)
        others = [one for one in self._members if one.initialized]
        self._members.append(member)
        if others:
            others[0].end.call("checkpoint", {}).then(member.start_from)
        else:
            member.start(None)

    def leave(self, client: ExternalEndpoint) -> None:
        """Disconnect a client, as if its process were gone."""
        for member in [one for one in self._members if one.client == client]:
            member.handle.close()

    def hold(self) -> None:
        """Keep messages back from now on."""
        if self._held is None:
            self._held = deque()

    def release(self, count: int | None = None) -> None:
        """Deliver the held messages, or the first `count` of them.

        Without a count it stops holding; messages sent meanwhile come after the held ones.
        """
        held = self._held if self._held is not None else deque()
        while held and count != 0:
            self._deliver(held.popleft())
            count = None if count is None else count - 1
        if count is None:
            self._held = None

    @property
    def held(self) -> int:
        """The number of held messages."""
        return len(self._held or ())

    def send(self, message: Any) -> None:
        """Give a message, in neutral form, its place in the order, as if an absent member had sent it."""
        if self._held is not None:
            self._held.append(message)
        else:
            self._deliver(message)

    def left(self, member: _Member) -> None:
        """Handle that a member disconnected."""
        if member in self._members:
            self._members.remove(member)

    def _deliver(self, message: Any) -> None:
        self.order.append(message)
        for member in self._members:
            member.receive(message)


class _Member:
    """The channel's side of one client."""

    def __init__(self, channel: FakeChannel, client: ExternalEndpoint) -> None:
        kind = opposite(client.type)
        proxy = Proxy(channel.node, ("channel", str(client)), ObjectType((("Channel", kind),)))
        self.client = client
        self.initialized = False
        self.end = proxy.add_endpoint("Channel", kind)
        self.end.handle(
            {
                "send": lambda record: channel.send(record["message"]),
                "disconnect": lambda: channel.left(self),
            }
        )
        self.handle = ProxyHandle(proxy)
        self._waiting: list[Any] = []
        channel.node.connect(self.end.external(), client)

    def start_from(self, reply: Reply[Any]) -> None:
        """Initialize with another member's checkpoint; with nothing if that member left."""
        self.start(None if reply.error is not None else reply.value())

    def start(self, checkpoint: Any) -> None:
        """Initialize, then deliver the messages ordered since."""
        if not self.end.connected:
            return
        self.initialized = True
        self.end.send("initialize", {"checkpoint": checkpoint})
        waiting, self._waiting = self._waiting, []
        for message in waiting:
            self.receive(message)

    def receive(self, message: Any) -> None:
        """Deliver a message to the client, once it is initialized."""
        if not self.initialized:
            self._waiting.append(message)
        elif self.end.connected:
            self.end.send("receive", {"message": message})
