"""A process with one engine: it reads commands as lines on its input, and answers with lines of JSON.

    send COUNT SIZE RATE      start to send so many messages of that size, at this rate for each second
    lose SHARE                lose that share of the incoming datagrams
    churn RATE                join and leave groups of its own at this rate for each second; 0 ends it
    waits                     report the members it waits for, by the marks of those that sent something
    return                    from now on rejoin after an eviction, instead of reporting a fault
    count                     report the messages received of each sender, and every fault seen

Each message carries the mark of its process, its number and a checksum, and each delivery is checked: a
duplicate, a message out of order, a gap or changed bytes are faults. So are memory beyond a bound, and a view
that differs from another report of the same view. A process that returns was told the first number that it
lacks of each sender: that must be the one it expected, and the gap to the next message must agree with the
numbers in the messages.

    member_process.py FOLDER [--cap BYTES | --keys KEY_FILE | INTERFACE SERVICE KEY_FILE]
"""

from __future__ import annotations

import json
import os
import select
import struct
import sys
import time
import zlib
from pathlib import Path

from liven.multicast.errors import BusyError
from liven.multicast.group import Delivery, Dropped, Evicted, Joined, Lost, Missed, Refused, View
from liven.multicast.laggard import Lag
from liven.multicast.socket_engine import Engine, EngineConfig, default_place
from liven.multicast.socket_group import SocketGroup

_HEAD = struct.Struct("=QQI")
_MEMORY_MOST = 512 * 1024 * 1024
_SIDE_MOST = 60
_STATE_FAULTS = (Lost, Dropped, Evicted, Refused)


class Member:
    """One engine in one group."""

    def __init__(self, config: EngineConfig) -> None:
        self._engine = Engine(config)
        self._group = self._engine.join("chat")
        self._mark = os.getpid()
        self._next = 0
        self._left = 0
        self._size = 0
        self._rate = 1.0
        self._since = 0.0
        self._begun = 0
        self._heard: dict[int, int] = {}
        self._marks: dict[int, int] = {}
        self._faults: list[str] = []
        self._members = 0
        self._views: dict[int, list[int]] = {}
        self._memory = 0
        self._pause = 0.0
        self._said_at = 0.0
        self._churn = 0.0
        self._churned = 0
        self._churn_since = 0.0
        self._side: list[SocketGroup] = []
        self._returns = False
        self._due: dict[int, int] = {}
        """The engine's number of the next message, by its sender."""
        self._missed: dict[int, int] = {}
        self._gaps: list[int] = []
        self._lives = 1
        self._pending = 0

    def run(self) -> None:
        line = b""
        while True:
            busy = self._left or self._churn
            ready, _, _ = select.select([sys.stdin.buffer, self._engine], [], [], 0.001 if busy else 0.5)
            if sys.stdin.buffer in ready:
                line += os.read(0, 4096)
                if not line:
                    break
                while b"\n" in line:
                    text, line = line.split(b"\n", 1)
                    self._obey(text.decode().split())
            self._engine.poll()
            self._send()
            self._take()
            self._come_and_go()
        self._engine.close()

    def _obey(self, words: list[str]) -> None:
        if words[0] == "send":
            self._left, self._size, self._rate = int(words[1]), int(words[2]), float(words[3])
            self._since, self._begun = time.monotonic(), self._next
            self._said_at = self._pause = 0.0
        elif words[0] == "lose":
            self._engine.lose(float(words[1]), seed=os.getpid())
        elif words[0] == "return":
            self._returns = True
        elif words[0] == "churn":
            self._churn, self._churned, self._churn_since = float(words[1]), 0, time.monotonic()
        elif words[0] == "waits":
            laggards = self._engine.laggards()
            self._say(waits=[self._marks.get(one.node, 0) for one in laggards if one.lag is Lag.SILENT])
        elif words[0] == "count":
            self._look_at_memory()
            self._say(
                heard=self._heard,
                faults=self._faults,
                members=self._members,
                sent=self._next,
                views=self._views,
                memory=self._memory,
                pause=self._pause,
                churned=self._churned,
                gaps=self._gaps,
                lives=self._lives,
                pending=self._pending,
            )

    def _look_at_memory(self) -> None:
        stats = self._engine.stats()
        self._memory = max(self._memory, stats["memory_bytes"])
        self._pending = max(self._pending, stats["pending_bytes"])
        if self._memory > _MEMORY_MOST:
            self._faults.append(f"the engine holds {self._memory} bytes")

    def _say(self, **facts: object) -> None:
        sys.stdout.write(json.dumps(facts) + "\n")
        sys.stdout.flush()

    def _send(self) -> None:
        due = self._begun + int((time.monotonic() - self._since) * self._rate)
        while self._left and self._next < due:
            body = bytes([self._next % 256]) * (self._size - _HEAD.size)
            try:
                self._group.send(_HEAD.pack(self._mark, self._next, zlib.crc32(body)) + body)
            except BusyError:
                return
            self._next += 1
            self._left -= 1
            now = time.monotonic()
            self._pause = max(self._pause, now - self._said_at if self._said_at else 0.0)
            self._said_at = now

    def _come_and_go(self) -> None:
        """Join and leave in turns, at the requested rate; ignore the events."""
        due = int((time.monotonic() - self._churn_since) * self._churn)
        while self._churn and self._churned < due:
            self._churned += 1
            if self._churned % 2 and len(self._side) < _SIDE_MOST:
                self._side.append(self._engine.join(f"side {self._mark} {self._churned}"))
            elif self._side:
                self._side.pop(0).leave()
        for group in self._side:
            group.receive()
            group.events()

    def _take(self) -> None:
        for delivery in self._group.receive():
            self._check(delivery)
        for event in self._group.events():
            if isinstance(event, View):
                self._members = len(event.members)
                names = sorted(member.node for member in event.members)
                if self._views.setdefault(event.number, names) != names:
                    self._faults.append(f"view {event.number} was {self._views[event.number]}, is {names}")
            elif isinstance(event, Joined):
                if self._lives == 1:
                    self._say(joined=self._mark)
            elif isinstance(event, Missed) and self._returns:
                self._note_missed(event)
            elif isinstance(event, Evicted) and self._returns:
                self._come_back()
                return
            elif isinstance(event, _STATE_FAULTS):
                self._faults.append(str(event))

    def _note_missed(self, event: Missed) -> None:
        if event.first != self._due.pop(event.sender, 0):
            self._faults.append(f"{event} is not what was to come")
        self._missed[event.sender] = event.first

    def _come_back(self) -> None:
        if self._due:
            self._faults.append(f"of {sorted(self._due)} it was not told what it lacks")
        self._engine.rejoin()
        self._group = self._engine.join("chat")
        self._lives += 1

    def _note_gap(self, delivery: Delivery, own: int) -> None:
        """Record the gap before the first message of a sender since the return: as reported, and by the
        numbers."""
        gap = delivery.number - self._missed.pop(delivery.sender)
        if gap != own or gap < 0:
            self._faults.append(f"{gap} of {delivery.sender} are lacking by number, {own} by its own")
        self._gaps.append(gap)

    def _check(self, delivery: Delivery) -> None:
        mark, number, crc = _HEAD.unpack_from(delivery.payload)
        expected = self._heard.get(mark, 0)
        self._marks[delivery.sender] = mark
        if delivery.sender in self._missed:
            self._note_gap(delivery, number - expected)
        elif number != expected:
            self._faults.append(f"message {number} of {mark} where {expected} was to come")
        if crc != zlib.crc32(delivery.payload[_HEAD.size :]):
            self._faults.append(f"message {number} of {mark} came with other bytes")
        self._heard[mark] = number + 1
        if mark != self._mark:
            self._due[delivery.sender] = delivery.number + 1


def config_of(words: list[str]) -> EngineConfig:
    """Return a configuration on loopback, with a service started on demand; or on an interface, with a remote
    one."""
    place = default_place(Path(words[0]))
    if len(words) == 1:
        return EngineConfig(place)
    if words[1] == "--cap":
        return EngineConfig(place, settings=dict.fromkeys(("window_floor", "window_cap"), int(words[2])))
    if words[1] == "--keys":
        return EngineConfig(place, keys=Path(words[2]))
    interface, service, keys = words[1:]
    return EngineConfig(place, interface=interface, service=service, keys=Path(keys))


if __name__ == "__main__":
    Member(config_of(sys.argv[1:])).run()
