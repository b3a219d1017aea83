"""Monitors on connections: they find the first broken promise, its event, and the side at fault.

The types room judges; this module shows it the events of a connection and turns its verdict into a problem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from liven.runtime.objects.connection import Connection
from liven.runtime.objects.endpoint import CONNECT, DISCONNECT, Endpoint
from liven.runtime.objects.node import Node
from liven.runtime.problems import Kind, Problem
from liven.types.connection_monitor import Blame, ConnectionMonitor, KnownFormalisms, Party

Choice: TypeAlias = Callable[[Endpoint], bool]
"""Returns True for an endpoint whose connections are watched."""


def everyone(_end: Endpoint) -> bool:
    """Choose every connection."""
    return True


class PromiseMonitors:
    """Puts a monitor on each connection with a `chosen` end.

    As `node.monitors` it gets every new connection.
    """

    def __init__(self, node: Node, formalisms: KnownFormalisms, chosen: Choice = everyone) -> None:
        self._node = node
        self._formalisms = formalisms
        self._chosen = chosen

    def watch(self, connection: Connection) -> None:
        """Monitor a connection from now on, if one of its ends is chosen."""
        if any(self._chosen(end.internal()) for end in connection.ends):
            self.begin(connection)

    def begin(self, connection: Connection) -> PromiseMonitor | None:
        """Monitor a connection from now on, chosen or not; return None if it is over.

        A connection made inside the running handler still announces its connect. The past of an older one is
        unknown, and no side is blamed for it.
        """
        ends = tuple(end.internal() for end in connection.ends)
        if len(ends) != 2:
            return None
        names = _names(ends)
        watch = PromiseMonitor(self._node, connection, names, self._monitor(ends, names))
        if all(end.told for end in ends):
            watch.found_connected()
        connection.watch(watch)
        return watch

    def _monitor(self, ends: tuple[Endpoint, ...], names: dict[int, str]) -> ConnectionMonitor:
        left, right = (Party(names[id(end)], end.type.provides, end.type.requires) for end in ends)
        return ConnectionMonitor(left, right, self._formalisms)


class PromiseMonitor:
    """One connection's monitor, as the tap that the connection calls."""

    __slots__ = ("_connected", "_connection", "_monitor", "_names", "_node", "broken")

    def __init__(
        self, node: Node, connection: Connection, names: dict[int, str], monitor: ConnectionMonitor
    ) -> None:
        self._node = node
        self._connection = connection
        self._names = names
        self._monitor = monitor
        self._connected = False
        self.broken = False
        """True once a broken promise was reported."""

    def close(self) -> None:
        """Stop monitoring; promises that are still open are not judged."""
        self._connection.unwatch(self)

    def connected(self) -> None:
        """Pass on the connect once, though both sides get it one after the other."""
        if not self._connected:
            self._connected = True
            self._judge(self._monitor.connected(self._node.dispatcher.now()))

    def found_connected(self) -> None:
        """Pass on that both sides were connected before the monitoring began."""
        self._connected = True
        self._monitor.found_connected(self._node.dispatcher.now())

    def __call__(self, receiver: Endpoint, event: str, _: tuple[object, ...]) -> None:
        now = self._node.dispatcher.now()
        if event == CONNECT:
            self.connected()
        elif event == DISCONNECT:
            if self._connected:
                self._connected = False
                self._judge(self._monitor.disconnected(now))
        else:
            sender = next(name for key, name in self._names.items() if key != id(receiver))
            self._judge(self._monitor.sent(sender, event, now))

    def _judge(self, blame: Blame | None) -> None:
        if blame is not None and not self.broken:
            self.broken = True
            self._node.problems.report(_problem(blame, self._names.values()))


def _names(ends: Iterable[Endpoint]) -> dict[int, str]:
    """Return a name for each side: its path, with a number if both have the same."""
    names: dict[int, str] = {}
    for end in ends:
        name = str(end)
        names[id(end)] = name if name not in names.values() else f"{name} (2)"
    return names


def _problem(blame: Blame, names: Iterable[str]) -> Problem:
    guilty = " and ".join(blame.guilty) or "nobody: its owner could not keep that promise"
    what = f"`{blame.text}`, which {blame.owner} {blame.role}, was broken; at fault is {guilty}"
    where = tuple((blame.guilty[0] if blame.guilty else blame.owner).split("/"))
    return Problem(
        Kind.BROKEN,
        where,
        what,
        f"the connection of {' and '.join(names)} goes on; fix the side at fault or its promise",
        explanation=blame.explanation,
    )
