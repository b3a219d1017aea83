"""A process with one engine, told by lines on its input what to do; it answers with lines of JSON.

    send COUNT SIZE RATE      begins to send so many messages of that size, so many a second
    lose SHARE                loses that share of what comes in
    count                     answers what was received of whom, and every fault that was seen

Each message carries the process's own mark, its number and a checksum; each delivery is held against
that: whoever is heard twice, out of turn, with a gap or with other bytes is a fault.
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
from liven.multicast.group import Delivery, Dropped, Evicted, Joined, Lost, Refused, View
from liven.multicast.sockets import Engine, EngineConfig, default_place

_HEAD = struct.Struct("=QQI")
_STATE_FAULTS = (Lost, Dropped, Evicted, Refused)


class Member:
    """One engine in one group."""

    def __init__(self, folder: Path) -> None:
        self._engine = Engine(EngineConfig(default_place(folder)))
        self._group = self._engine.join("chat")
        self._mark = os.getpid()
        self._next = 0
        self._left = 0
        self._size = 0
        self._rate = 1.0
        self._since = 0.0
        self._begun = 0
        self._heard: dict[int, int] = {}
        self._faults: list[str] = []
        self._members = 0

    def run(self) -> None:
        line = b""
        while True:
            ready, _, _ = select.select(
                [sys.stdin.buffer, self._engine], [], [], 0.001 if self._left else 0.5
            )
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
        self._engine.close()

    def _obey(self, words: list[str]) -> None:
        if words[0] == "send":
            self._left, self._size, self._rate = int(words[1]), int(words[2]), float(words[3])
            self._since, self._begun = time.monotonic(), self._next
        elif words[0] == "lose":
            self._engine.lose(float(words[1]), seed=os.getpid())
        elif words[0] == "count":
            self._say(heard=self._heard, faults=self._faults, members=self._members, sent=self._next)

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

    def _take(self) -> None:
        for delivery in self._group.receive():
            self._check(delivery)
        for event in self._group.events():
            if isinstance(event, View):
                self._members = len(event.members)
            elif isinstance(event, Joined):
                self._say(joined=self._mark)
            elif isinstance(event, _STATE_FAULTS):
                self._faults.append(str(event))

    def _check(self, delivery: Delivery) -> None:
        mark, number, crc = _HEAD.unpack_from(delivery.payload)
        expected = self._heard.get(mark, 0)
        if number != expected:
            self._faults.append(f"message {number} of {mark} where {expected} was to come")
        if crc != zlib.crc32(delivery.payload[_HEAD.size :]):
            self._faults.append(f"message {number} of {mark} came with other bytes")
        self._heard[mark] = number + 1


if __name__ == "__main__":
    Member(Path(sys.argv[1])).run()
