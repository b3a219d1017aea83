"""Monitors on connections: which promise was broken first, by what, and whose fault it is.

The types room judges; here it is told what happens on a connection, and its verdict becomes a problem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from liven.runtime.connection import Connection
from liven.runtime.endpoint import CONNECT, DISCONNECT, Endpoint
from liven.runtime.node import Node
from liven.runtime.problems import Kind, Problem
from liven.types.monitor import Blame, ConnectionMonitor, KnownFormalisms, Party

Choice: TypeAlias = Callable[[Endpoint], bool]
"""Says of an endpoint whether its connections are to be watched."""


def everyone(_end: Endpoint) -> bool:
    """Every connection."""
    return True


class Monitors:
    """Puts a monitor on each connection it is given, if one of its ends is `chosen`. Set as
    `node.monitors`, it is given every new one."""

    def __init__(self, node: Node, formalisms: KnownFormalisms, chosen: Choice = everyone) -> None:
        self._node = node
        self._formalisms = formalisms
        self._chosen = chosen

    def watch(self, connection: Connection) -> None:
        """Watches from now on. A connection made inside a handler is told of its connect still; of one that
        was told already, the monitor is told here."""
        ends = tuple(end.internal() for end in connection.ends)
        if len(ends) == 2 and any(self._chosen(end) for end in ends):
            names = _names(ends)
            watch = _Watch(self._node, names, self._monitor(ends, names))
            if all(end.told for end in ends):
                watch.connected()
            connection.watch(watch)

    def _monitor(self, ends: tuple[Endpoint, ...], names: dict[int, str]) -> ConnectionMonitor:
        left, right = (Party(names[id(end)], end.type.provides, end.type.requires) for end in ends)
        return ConnectionMonitor(left, right, self._formalisms)


class _Watch:
    """One connection's monitor, as the tap that the connection calls."""

    __slots__ = ("_connected", "_monitor", "_names", "_node", "_reported")

    def __init__(self, node: Node, names: dict[int, str], monitor: ConnectionMonitor) -> None:
        self._node = node
        self._names = names
        self._monitor = monitor
        self._connected = False
        self._reported = False

    def connected(self) -> None:
        """Both sides are told, one after the other; the monitor hears it once."""
        if not self._connected:
            self._connected = True
            self._judge(self._monitor.connected(self._node.dispatcher.now()))

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
        if blame is not None and not self._reported:
            self._reported = True
            self._node.problems.report(_problem(blame, self._names.values()))


def _names(ends: Iterable[Endpoint]) -> dict[int, str]:
    """What each side is called: its path, with a number where both have the same."""
    names: dict[int, str] = {}
    for end in ends:
        name = str(end)
        names[id(end)] = name if name not in names.values() else f"{name} (2)"
    return names


def _problem(blame: Blame, names: Iterable[str]) -> Problem:
    guilty = " and ".join(blame.guilty) or "nobody: it was not a promise that its owner could keep"
    what = f"`{blame.text}`, which {blame.owner} {blame.role}, was broken; at fault is {guilty}"
    where = tuple((blame.guilty[0] if blame.guilty else blame.owner).split("/"))
    return Problem(
        Kind.BROKEN,
        where,
        what,
        f"the connection of {' and '.join(names)} goes on; mend the side at fault or its promise",
        explanation=blame.explanation,
    )
