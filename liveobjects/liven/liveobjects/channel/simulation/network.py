"""The simulated network: a group that is FIFO from each sender, with all its faults.

A message is bound to the view of its sender's transport and reaches the living members of that view. Each
link has its own delays, and a loss is a delay, because the transport repairs it. Views arrive late, and some
not at all if a later one is there already. Of a crashed member's messages, each other member receives its own
part. A cut makes two networks with their own views; when it heals, the members of one side are new members of
the other.
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
"""Every so many views are repeated."""
LOST_EARLY = 3
"""Every so many new members miss what is sent before they have a view."""
AGES = (*(2**bits - below for bits in (13, 16, 31) for below in (2, 9, 40)), 2**32 - 10_000)
"""First names that a service gives out after a long life: the next ones pass a power of two. A name has 32
bits."""


class HostUser(Protocol):
    """The user of a host, which receives the events of the transport."""

    def view(self, number: int, nodes: tuple[int, ...], me: int) -> None: ...
    def message(self, node: int, payload: bytes) -> None: ...
    def evicted(self) -> None: ...
    def settle(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Message:
    """A message in transit, from one incarnation of a node."""

    sender: int
    payload: bytes


@dataclass
class Host:
    """A node of the world. Each of its incarnations in the group has its own number."""

    attendant: HostUser
    name: int = 0
    installed: tuple[int, tuple[int, ...]] = (0, ())
    told: int = 0
    frozen_until: float = 0.0
    side: int = 0
    alive: bool = True
    waiting: deque[Callable[[], None]] = field(default_factory=deque)
    spoil: Callable[[bytes], bytes] | None = None
    """Changes what others receive from this node; None for a sound one."""


class World:
    """The network, the membership services, and the clock."""

    def __init__(self, seed: int, first_name: int = 1) -> None:
        self.random = random.Random(seed)  # noqa: S311  # chance, not secrets
        self.now = 0.0
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._ties = count()
        self._names = count(first_name)
        self._views = count(1)
        self.hosts: list[Host] = []
        self._named: dict[int, Host] = {}
        """The node of each name that was ever given out."""
        self._links: dict[tuple[int, int], float] = {}
        self._broken: set[tuple[int, int]] = set()
        self._dead_at: dict[int, float] = {}
        self.slow = 0.0
        """Extra seconds that a message may take on links that are lossy now."""

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        """Schedule an action."""
        self._at_time(self.now + seconds, action)

    def _at_time(self, time: float, action: Callable[[], None]) -> None:
        """Schedule an action for a time. Actions of the same time keep their order."""
        heapq.heappush(self._events, (time, next(self._ties), action))

    def run(self, seconds: float) -> None:
        """Let time pass."""
        end = self.now + seconds
        while self._events and self._events[0][0] <= end:
            self.now, _, action = heapq.heappop(self._events)
            action()
        self.now = end

    # Membership

    def join(self, host: Host, name: int = 0) -> None:
        """Let a node join on its side of the network, under a new number unless it keeps its own."""
        if host not in self.hosts:
            self.hosts.append(host)
        host.name = name or next(self._names)
        self._named[host.name] = host
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
        """Install a view at the transport. The member learns the latest one a little later."""
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
        """Repeat a view, as for a member whose line was opened late or that heard of it twice."""
        if host.installed[0] == number == host.told:
            self._say_view(host, number)

    def _say_view(self, host: Host, number: int) -> None:
        """Tell a member a view, in its own order of members."""
        nodes = host.installed[1]
        turn = host.name % len(nodes)
        host.attendant.view(number, (*nodes[turn:], *nodes[:turn]), host.name)

    def leave(self, host: Host) -> None:
        """Let a node leave in good order."""
        host.name = 0
        self._new_view(host.side)

    def crash(self, host: Host) -> None:
        """End a node. The others notice after a while."""
        host.alive = False
        self._dead_at[host.name] = self.now
        host.name = 0
        self.after(self.random.uniform(0.01, 0.1), lambda: self._new_view(host.side))

    def freeze(self, host: Host, seconds: float, *, evict: bool) -> None:
        """Stop a node's CPU. It may be excluded from the group meanwhile."""
        host.frozen_until = self.now + seconds
        self.after(seconds, lambda: self._thaw(host))
        if evict:
            name = host.name
            self.after(seconds / 2, lambda: self._evict(host, name))

    def stood_still(self, name: int, since: float) -> bool:
        """True if a node stood still at some time from `since` on."""
        return name in self._named and self._named[name].frozen_until >= since

    def _evict(self, host: Host, name: int) -> None:
        if host.alive and host.name == name:
            host.name = 0
            self._new_view(host.side)
            self._push(host, lambda: self._come_back(host))

    def take_out(self, host: Host, name: int, *, same_name: bool) -> None:
        """Take a hung program's node out of the group, as its engine does. It joins again when it hears of
        that, perhaps under the same name."""
        if not host.alive or host.name != name:
            return
        host.name = 0
        self._new_view(host.side)

        def hear() -> None:
            host.attendant.evicted()
            self.after(self.random.uniform(0.001, 1.0), lambda: self._join_again(host, name * same_name))

        self._push(host, hear)

    def _come_back(self, host: Host) -> None:
        host.attendant.evicted()
        self.after(self.random.uniform(0.001, 0.05), lambda: self._join_again(host))

    def _join_again(self, host: Host, name: int = 0) -> None:
        if host.alive and not host.name:
            self.join(host, name)

    def lose(self, host: Host, seconds: float) -> None:
        """Take away a node's place in the group for a time: it has no view at all."""
        host.name = 0
        self._new_view(host.side)
        self._push(host, host.attendant.evicted)
        self.after(seconds, lambda: self._join_again(host))

    def rejoin_as_new(self, host: Host, seconds: float = 0.0) -> None:
        """Let a node leave and rejoin, because it missed something."""
        if not seconds:
            self.after(0.0, partial(self._evict, host, host.name))
        elif host.name:
            self.after(0.0, partial(self.lose, host, seconds))

    def _thaw(self, host: Host) -> None:
        while host.alive and host.waiting and self.now >= host.frozen_until:
            host.waiting.popleft()()
        host.attendant.settle()

    def cut(self, away: Iterable[Host], side: int) -> None:
        """Cut nodes off into a network of their own, with its own views."""
        for host in away:
            host.side = side
        for each in {0, side}:
            self.after(self.random.uniform(0.01, 0.1), partial(self._new_view, each))

    def heal(self, side: int) -> None:
        """Rejoin a side with the main one. Its members come as new ones."""
        for host in self.hosts:
            if host.alive and host.side == side:
                host.side = 0
                name = host.name
                self.after(self.random.uniform(0, 0.05), partial(self._evict, host, name))

    # Messages

    def send(self, host: Host, payload: bytes) -> None:
        """Send from a node to its whole view."""
        if not host.alive or not host.name:
            return
        message = Message(host.name, payload)
        spoiled = message if host.spoil is None else Message(host.name, host.spoil(payload))
        for other in [each for each in self.hosts if each.name in host.installed[1]]:
            self._carry(host, other, message if other is host else spoiled)

    def _carry(self, host: Host, other: Host, message: Message) -> None:
        delay = 0.0 if other is host else self.random.expovariate(1 / QUICK)
        if self.random.random() < self.slow:
            delay += self.random.uniform(0, 0.05)
        link = message.sender, other.name
        arrives = max(self.now + delay, self._links.get(link, 0.0))
        self._links[link] = arrives
        self._at_time(arrives, lambda: self._arrive(host, other, link, message))

    def _arrive(self, sender: Host, host: Host, link: tuple[int, int], message: Message) -> None:
        """Deliver a message. A message that a cut stops ends the link: its two members never hear each other
        again."""
        if host.installed == (0, ()) and sum(link) % LOST_EARLY == 0:
            return  # it has just joined, and does not see itself in the sender's view yet
        if sender.side != host.side or link in self._broken or self._is_lost(*link):
            self._broken.add(link)
            return
        self._at(host, link[1], lambda: host.attendant.message(message.sender, message.payload))

    def _is_lost(self, sender: int, name: int) -> bool:
        """True if a message is lost: after a crash each receiver still gets a part, of its own length."""
        if sender not in self._dead_at:
            return False
        grace = (sender * 7919 + name * 104_729) % 1000 / 50_000
        return self.now > self._dead_at[sender] + grace

    def _at(self, host: Host, name: int, action: Callable[[], None]) -> None:
        """Run an action at a node, in this incarnation of it, as soon as it is not frozen."""

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
