"""Members of one channel, each in a process object of its own within this process, with a client that
counts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from liven.liveobjects.channel.api.endpoints import ChannelClient, ChannelService, CheckpointedClient
from liven.liveobjects.channel.objects.group import GroupChannel
from liven.liveobjects.channel.objects.ordered import OrderedGroupChannel
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.testing import Processes
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, proxy
from liven.types.terms.value_types import TEXT

FOLDER = "home/bench"
MESSAGE = "x" * 100


@proxy(id="F000563D5DE8889BCF3A2D7434424BFC", alias="bench:client")
class Client:
    """Counts the messages that arrive."""

    channel: Dual[ChannelClient[str], ChannelService[str]]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.count = 0
        self.heard: Callable[[str], object] = lambda _: None

    def receive(self, message: str) -> None:
        self.count += 1
        self.heard(message)

    def send(self, message: str) -> None:
        self.channel.peer.send(message)


@proxy(id="AA64D14D0DF07303609DE7523F8D44F2", alias="bench:replica")
class ReplicaClient:
    """The same on a checkpointed channel."""

    channel: Dual[CheckpointedClient[str, str], ChannelService[str]]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.count = 0
        self.heard: Callable[[str], object] = lambda _: None

    def initialize(self, checkpoint: str | None) -> None:
        """Do nothing: there is no state."""

    def receive(self, message: str) -> None:
        self.count += 1
        self.heard(message)

    def checkpoint(self) -> str:
        return ""

    def send(self, message: str) -> None:
        self.channel.peer.send(message)


KINDS: dict[str, tuple[type, type, tuple[Any, ...]]] = {
    "group": (GroupChannel, Client, (TEXT,)),
    "ordered": (OrderedGroupChannel, Client, (TEXT,)),
    "shared": (SharedChannel, ReplicaClient, (TEXT, TEXT)),
}


class Members:
    """The members of a channel of one kind, on a hub."""

    def __init__(self, kind: str, members: int, ends: ExitStack) -> None:
        channel, client, classes = KINDS[kind]
        self.house = ends.enter_context(Processes())
        self.clients: list[Any] = []
        self._held: list[object] = []
        for _ in range(members):
            process = self.house.process()
            process.node.monitors = None  # as in a program, which watches only on request
            one, other = process.build(client), process.build(channel, *classes, name=f"{FOLDER}/{kind}")
            process.connect(one, "channel", other, "Channel")
            self._held += (one, other)
            self.clients.append(one.instance)
            self.house.advance(3)

    def send(self, senders: int, burst: int, rounds: int) -> None:
        """Let each of the first members send so many bursts, until every message has reached everybody."""
        due = [client.count + senders * burst * rounds for client in self.clients]
        for _ in range(rounds):
            for client in self.clients[:senders]:
                for _ in range(burst):
                    client.send(MESSAGE)
            self.house.settle()
        while [client.count for client in self.clients] != due:
            self.house.advance(0.01)
