"""The engine: a member of the cluster on real sockets, with a thread of its own below.

An `Engine` is a `Node` and its groups are `Group`s, as in the simulation. Nothing is ever called from
the engine's thread: whoever owns the engine watches `fileno()` and calls `poll()`, which files what came
with the groups and asks payload functions for their payloads.
"""

from __future__ import annotations

import hashlib
import secrets
import select
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from liven.multicast.errors import MulticastError
from liven.multicast.group import Delivery, GroupEvent, GroupPolicy, Left, Payload
from liven.multicast.notices import LEFT, MEMBERS, STOPPED, VIEW_CHANGED, event_of
from liven.multicast.service_process import Place, ensure_service
from liven.multicast.udp_door import DELIVERY, FAILED, NOTICE, WANT, Item, Socket, failure

_WHOLE_NODE = 0xFFFFFFFF
_STOP_WITHIN = 2.0


def group_identity(name: str) -> int:
    """The 128-bit name of the group that people call `name`."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=16, person=b"liven-group").digest())


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """What an engine is told at its start. The default stays on loopback and asks for nothing else."""

    place: Place
    interface: str = "127.0.0.1"
    cluster: int = 1
    start_service: bool = True
    """Whether a membership service is started when none is found."""
    settings: dict[str, int] = field(default_factory=dict)
    """Settings of the core by name."""


class SocketGroup:
    """This engine's part in one group."""

    def __init__(self, engine: Engine, name: str, number: int) -> None:
        self._engine = engine
        self._name = name
        self._number = number
        self._deliveries: deque[Delivery] = deque()
        self._events: deque[GroupEvent] = deque()

    @property
    def name(self) -> str:
        """The name by which the cluster knows the group."""
        return self._name

    def send(self, payload: Payload) -> int:
        """Sends to all members; returns the ticket that later events name."""
        return self._engine.send(self._number, payload)

    def receive(self, limit: int | None = None) -> list[Delivery]:
        """Takes what was delivered, oldest first, at most `limit`."""
        count = len(self._deliveries) if limit is None else min(limit, len(self._deliveries))
        taken = [self._deliveries.popleft() for _ in range(count)]
        if taken:
            self._engine.consumed(self._number, len(taken), sum(len(each.payload) for each in taken))
        return taken

    def events(self) -> list[GroupEvent]:
        """Takes what was told beside messages, oldest first."""
        taken = list(self._events)
        self._events.clear()
        return taken

    def leave(self) -> None:
        """Leaves; `Left` follows."""
        self._engine.leave(self._number)

    def deliver(self, delivery: Delivery) -> None:
        """Files a message; called by the engine alone."""
        self._deliveries.append(delivery)

    def tell(self, event: GroupEvent) -> None:
        """Files an event; called by the engine alone."""
        self._events.append(event)


class Engine:
    """A member of the cluster on real sockets."""

    def __init__(self, config: EngineConfig) -> None:
        if config.start_service:
            ensure_service(config.place, config.cluster)
        settings = {
            "cluster": config.cluster,
            "id_high": secrets.randbits(64),
            "id_low": secrets.randbits(64) | 1,
            "incarnation": time.time_ns(),
            "seed": secrets.randbits(64),
            **config.settings,
        }
        self._socket = Socket(settings, config.interface, str(config.place.socket))
        self._groups: dict[int, SocketGroup] = {}
        self._names: dict[str, int] = {}
        self._makers: dict[int, Payload] = {}
        self._tickets = 0
        self._numbers = 0
        self._stopped = False
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(leave=kind is None)

    def close(self, *, leave: bool = True) -> None:
        """Ends the engine; leaves its groups in good order first, if that takes no more than a moment."""
        if self._closed:
            return
        self._closed = True
        if leave and self._groups:
            self._socket.stop()
            self._await_stop(time.monotonic() + _STOP_WITHIN)
        self._socket.close()

    def fileno(self) -> int:
        """Readable when `poll()` has something to do."""
        return self._socket.fileno()

    def wait(self, seconds: float) -> bool:
        """Waits until there is something to poll for, and polls; for those without a loop."""
        ready, _, _ = select.select([self], [], [], seconds)
        if ready:
            self.poll()
        return bool(ready)

    def poll(self) -> None:
        """Files everything that came. Raises MulticastError when the engine has ended by itself."""
        while items := self._socket.take():
            for item in items:
                self._file(item)

    def join(self, name: str, policy: GroupPolicy | None = None) -> SocketGroup:
        """Joins the group called `name`; `Joined` follows."""
        if name in self._names:
            raise MulticastError(-7, f"this engine is in group {name!r} already")
        chosen = policy or GroupPolicy()
        number = self._numbers
        self._socket.join(
            number,
            group_identity(name),
            (int(chosen.slow), chosen.queue_messages, chosen.queue_bytes, chosen.tell_stable),
        )
        self._numbers += 1
        group = SocketGroup(self, name, number)
        self._groups[number] = group
        self._names[name] = number
        return group

    def stats(self) -> dict[str, int]:
        """Everything that the member measured, by name."""
        return self._socket.stats()

    def lose(self, share: float, seed: int = 1) -> None:
        """Loses this share of all datagrams that come in, on purpose; for tests and measurements."""
        self._socket.lose(round(share * 1_000_000), seed)

    def send(self, group: int, payload: Payload) -> int:
        """Sends; called by a group."""
        self._tickets += 1
        ticket = self._tickets
        data = payload if isinstance(payload, bytes) else None
        if data is None:
            self._makers[ticket] = payload
        self._socket.send(group, data, ticket)
        return ticket

    def consumed(self, group: int, messages: int, size: int) -> None:
        """Tells the core that messages were taken; called by a group."""
        if not self._closed:
            self._socket.consumed(group, messages, size)

    def leave(self, group: int) -> None:
        """Leaves; called by a group."""
        self._socket.leave(group)

    def _file(self, item: Item) -> None:
        if item.kind == DELIVERY:
            group = self._groups.get(item.group)
            if group is not None:
                group.deliver(Delivery(item.sender, item.number, item.payload, time.monotonic()))
        elif item.kind == NOTICE:
            self._notice(item)
        elif item.kind == WANT:
            self._supply(item)
        elif item.kind == FAILED:
            raise failure(item.code, "the engine has ended")

    def _notice(self, item: Item) -> None:
        if item.notice == STOPPED:
            self._stopped = True
        known = self._groups.get(item.group)
        # What concerns the whole node is told in each of its groups.
        groups = list(self._groups.values()) if item.group == _WHOLE_NODE else [known] if known else []
        if item.notice == VIEW_CHANGED and known is not None:
            self._socket.ask_members(item.group)
        if item.notice == MEMBERS and known is None:
            return
        event = event_of(item.notice, item)
        for group in groups:
            if event is not None:
                group.tell(event)
        if item.notice == LEFT:
            self._forget(item.group)

    def _forget(self, number: int) -> None:
        group = self._groups.pop(number, None)
        if group is not None:
            self._names.pop(group.name, None)

    def _supply(self, item: Item) -> None:
        maker = self._makers.pop(item.cookie, None)
        payload = maker(item.amount) if callable(maker) else None
        self._socket.supply(item.group, payload, item.cookie)

    def _await_stop(self, limit: float) -> None:
        while not self._stopped and time.monotonic() < limit:
            self.wait(max(0.0, limit - time.monotonic()))
        for group in list(self._groups.values()):
            if self._stopped:
                group.tell(Left())


def default_place(runtime: Path) -> Place:
    """Where the membership service of this user is found, below the folder for sockets."""
    return Place(runtime / "membership", runtime / "membership.lock")
