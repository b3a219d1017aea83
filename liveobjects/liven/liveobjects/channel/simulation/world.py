"""A group that is FIFO from each sender, and everything that may happen to it.

A message is bound to the view its sender's transport is in, and reaches the members of that view who live.
Each link has delays of its own; a loss is a delay, as the transport repairs it. Views are told late, and some
of them not at all when a later one is there already. What a crashed member sent reaches each of the others up
to a place of its own. A cut makes two worlds with views of their own; when it heals, the members of one side
are new members of the other.
"""

from __future__ import annotations

import heapq
import random
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Protocol

QUICK = 0.0005
TOLD_AGAIN = 3
"""Every so many views are told twice."""
LOST_EARLY = 3
"""To every so many of those who have just joined, what is sent before they have a view does not come."""


class Attendant(Protocol):
    """Whoever sits on a node: is told what the transport tells."""

    def view(self, number: int, nodes: tuple[int, ...], me: int) -> None: ...
    def message(self, node: int, payload: bytes) -> None: ...
    def evicted(self) -> None: ...
    def settle(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Message:
    """On its way from a life of a node."""

    sender: int
    payload: bytes


@dataclass
class Host:
    """A node of the world; each of its lives in the group has a short name of its own."""

    attendant: Attendant
    name: int = 0
    installed: tuple[int, tuple[int, ...]] = (0, ())
    told: int = 0
    frozen_until: float = 0.0
    side: int = 0
    alive: bool = True
    waiting: deque[Callable[[], None]] = field(default_factory=deque)


class World:
    """The network, the membership services, and the clock."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311  # chance, not secrets
        self.now = 0.0
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._ties = count()
        self._names = count(1)
        self._views = count(1)
        self.hosts: list[Host] = []
        self._links: dict[tuple[int, int], float] = {}
        self._broken: set[tuple[int, int]] = set()
        self._dead_at: dict[int, float] = {}
        self.slow = 0.0
        """How much longer a message may take, for links that are lossy now."""

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        """Has something done later."""
        self._at_time(self.now + seconds, action)

    def _at_time(self, time: float, action: Callable[[], None]) -> None:
        """Has something done at a time; of two with one time, in the order in which that was asked."""
        heapq.heappush(self._events, (time, next(self._ties), action))

    def run(self, seconds: float) -> None:
        """Lets time pass."""
        end = self.now + seconds
        while self._events and self._events[0][0] <= end:
            self.now, _, action = heapq.heappop(self._events)
            action()
        self.now = end

    # Membership

    def join(self, host: Host) -> None:
        """Has a node join on its side of the network; it gets a new name."""
        if host not in self.hosts:
            self.hosts.append(host)
        host.name = next(self._names)
        host.installed, host.told = (0, ()), 0
        self._new_view(host.side)

    def _members(self, side: int) -> tuple[int, ...]:
        return tuple(
            sorted(host.name for host in self.hosts if host.alive and host.name and host.side == side)
        )

    def _new_view(self, side: int) -> None:
        view = next(self._views), self._members(side)
        for host in self.hosts:
            if host.alive and host.name in view[1]:
                self.after(self.random.expovariate(1 / QUICK), partial(self._install, host, view))

    def _install(self, host: Host, view: tuple[int, tuple[int, ...]]) -> None:
        """The transport installs a view; the member is told a little later, and only of the last."""
        if host.alive and host.name in view[1] and view[0] > host.installed[0]:
            host.installed = view
            lag = self.random.expovariate(1 / QUICK)
            self.after(lag, lambda: self._at(host, host.name, lambda: self._tell(host, view[0])))

    def _tell(self, host: Host, number: int) -> None:
        if host.installed[0] == number > host.told:
            host.told = number
            self._say_view(host, number)
            if number % TOLD_AGAIN == 0:
                self.after(QUICK, partial(self._at, host, host.name, lambda: self._repeat(host, number)))

    def _repeat(self, host: Host, number: int) -> None:
        """A view is told again, as to somebody whose line was opened late, or who heard of it twice."""
        if host.installed[0] == number == host.told:
            self._say_view(host, number)

    def _say_view(self, host: Host, number: int) -> None:
        """Each is told its members in another order."""
        nodes = host.installed[1]
        turn = host.name % len(nodes)
        host.attendant.view(number, (*nodes[turn:], *nodes[:turn]), host.name)

    def leave(self, host: Host) -> None:
        """Has a node leave in good order."""
        host.name = 0
        self._new_view(host.side)

    def crash(self, host: Host) -> None:
        """Ends a node; the others learn it after a while."""
        host.alive = False
        self._dead_at[host.name] = self.now
        host.name = 0
        self.after(self.random.uniform(0.01, 0.1), lambda: self._new_view(host.side))

    def freeze(self, host: Host, seconds: float, *, evict: bool) -> None:
        """Takes a node's CPU away; it may be put out of the group meanwhile."""
        host.frozen_until = self.now + seconds
        self.after(seconds, lambda: self._thaw(host))
        if evict:
            name = host.name
            self.after(seconds / 2, lambda: self._evict(host, name))

    def _evict(self, host: Host, name: int) -> None:
        if host.alive and host.name == name:
            host.name = 0
            self._new_view(host.side)
            self._push(host, lambda: self._come_back(host))

    def _come_back(self, host: Host) -> None:
        host.attendant.evicted()
        self.after(self.random.uniform(0.001, 0.05), lambda: self._join_again(host))

    def _join_again(self, host: Host) -> None:
        if host.alive and not host.name:
            self.join(host)

    def lose(self, host: Host, seconds: float) -> None:
        """Takes a node's place in the group away, for so long: it has no view at all."""
        host.name = 0
        self._new_view(host.side)
        self._push(host, host.attendant.evicted)
        self.after(seconds, lambda: self._join_again(host))

    def come_again(self, host: Host) -> None:
        """Has a node leave and join again, as it missed something."""
        self.after(0.0, partial(self._evict, host, host.name))

    def _thaw(self, host: Host) -> None:
        while host.alive and host.waiting and self.now >= host.frozen_until:
            host.waiting.popleft()()
        host.attendant.settle()

    def cut(self, away: Iterable[Host], side: int) -> None:
        """Cuts some nodes off: they are a network of their own, with views of its own."""
        for host in away:
            host.side = side
        for each in {0, side}:
            self.after(self.random.uniform(0.01, 0.1), partial(self._new_view, each))

    def heal(self, side: int) -> None:
        """Joins a side to the main one: its members come as new ones."""
        for host in self.hosts:
            if host.alive and host.side == side:
                host.side = 0
                name = host.name
                self.after(self.random.uniform(0, 0.05), partial(self._evict, host, name))

    # Messages

    def send(self, host: Host, payload: bytes) -> None:
        """Sends from a node to all of its view."""
        if not host.alive or not host.name:
            return
        message = Message(host.name, payload)
        for other in [each for each in self.hosts if each.name in host.installed[1]]:
            self._carry(host, other, message)

    def _carry(self, host: Host, other: Host, message: Message) -> None:
        delay = 0.0 if other is host else self.random.expovariate(1 / QUICK)
        if self.random.random() < self.slow:
            delay += self.random.uniform(0, 0.05)
        link = message.sender, other.name
        arrives = max(self.now + delay, self._links.get(link, 0.0))
        self._links[link] = arrives
        self._at_time(arrives, lambda: self._arrive(host, other, link, message))

    def _arrive(self, sender: Host, host: Host, link: tuple[int, int], message: Message) -> None:
        """What a cut keeps from arriving ends the link: its two members never hear of each other again."""
        if host.installed == (0, ()) and sum(link) % LOST_EARLY == 0:
            return  # it has just joined, and is not in the sender's view yet as far as it knows
        if sender.side != host.side or link in self._broken or self._is_lost(*link):
            self._broken.add(link)
            return
        self._at(host, link[1], lambda: host.attendant.message(message.sender, message.payload))

    def _is_lost(self, sender: int, name: int) -> bool:
        """After a crash each receiver still gets a little: how long is its own."""
        if sender not in self._dead_at:
            return False
        grace = (sender * 7919 + name * 104_729) % 1000 / 50_000
        return self.now > self._dead_at[sender] + grace

    def _at(self, host: Host, name: int, action: Callable[[], None]) -> None:
        """Has something happen at a node, in this life of it, as soon as it is not frozen."""

        def act() -> None:
            if host.alive and host.name == name:
                action()
                host.attendant.settle()

        self._push(host, act)

    def _push(self, host: Host, action: Callable[[], None]) -> None:
        if self.now < host.frozen_until or host.waiting:
            host.waiting.append(action)
        else:
            action()
