"""One end of a measured flow in Python; see `multicast.py`, and `flow.c` for the same in C."""

from __future__ import annotations

import json
import resource
import struct
import sys
import time
import zlib
from pathlib import Path

from liven.multicast.errors import BusyError
from liven.multicast.group import Demoted, Dropped, Evicted, Lost, Refused, Stable, View
from liven.multicast.service_process import Place
from liven.multicast.sockets import Engine, EngineConfig

_HEAD = struct.Struct("=QQIIII")
_UNSENT_MOST = 4096


def cpu_seconds() -> float:
    """What this process took so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def say(**facts: object) -> None:
    """Prints one line of JSON."""
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


class End:
    """A member of the one group."""

    def __init__(self, words: list[str]) -> None:
        self._size, self._seconds = int(words[0]), float(words[1])
        self._receivers, self._mark = int(words[3]), int(words[4])
        service = Path(words[6])
        self._engine = Engine(
            EngineConfig(
                Place(service, service.with_suffix(".lock")),
                cluster=self._mark,
                start_service=False,
                settings={"packet_size": int(words[5])},
                keys=Path(words[7]) if len(words) > 7 else None,
                publish=False,
            )
        )
        self._group = self._engine.join("flow")
        self._members = 0
        self._stable = 0
        while self._members <= self._receivers:
            self._engine.wait(0.01)
            self._look()
        say(ready=True)

    def _look(self) -> None:
        for event in self._group.events():
            if isinstance(event, View):
                self._members = len(event.members)
            elif isinstance(event, Stable):
                self._stable = event.number
            elif isinstance(event, Demoted | Dropped | Evicted | Lost | Refused):
                raise SystemExit(f"python_flow: {event}, {self._engine.stats()}")

    def send(self) -> None:
        """Sends as fast as it goes, and waits until all have everything."""
        sys.stdin.readline()
        rest = self._size - _HEAD.size
        bodies = [bytes([value]) * rest for value in range(256)]
        sums = [zlib.crc32(body) for body in bodies]
        begun = time.monotonic()
        number, over = 0, False
        while not over:
            last = int(time.monotonic() - begun > self._seconds)
            for _ in range(64):
                value = number & 255
                head = _HEAD.pack(number, 0, self._mark, last, self._size, sums[value])
                try:
                    self._group.send(head + bodies[value])
                except BusyError:
                    self._engine.wait(0.001)
                    break
                number += 1
                if last:
                    over = True
                    break
            self._group.receive()
            self._look()
            self._engine.poll()
        while self._stable < number:
            self._engine.wait(0.01)
            self._group.receive()
            self._look()
        say(sent=number, seconds=time.monotonic() - begun, cpu=cpu_seconds())

    def receive(self) -> None:
        """Takes everything, and holds it against what was sent."""
        due = wrong = repeated = gaps = last = 0
        first = end = 0.0
        while not last:
            self._engine.wait(0.1)
            batch = self._group.receive()
            if batch:
                end = time.monotonic()
                first = first or end
            for delivery in batch:
                payload = delivery.payload
                number, _, mark, last, size, checksum = _HEAD.unpack_from(payload)
                if (
                    mark != self._mark
                    or size != len(payload)
                    or checksum != zlib.crc32(payload[_HEAD.size :])
                ):
                    wrong += 1
                repeated += number < due
                gaps += max(0, number - due)
                due = number + 1
            self._look()
        say(
            received=due - gaps,
            gaps=gaps,
            repeated=repeated,
            wrong=wrong,
            seconds=end - first,
            cpu=cpu_seconds(),
            p50=0,
            p99=0,
        )
        sys.stdin.readline()  # stays until the sender has heard of everything


def main() -> int:
    """Does what the words say: python send|receive SIZE SECONDS RATE RECEIVERS PORT PACKET SERVICE [KEYS]."""
    end = End(sys.argv[3:])
    if sys.argv[2] == "send":
        end.send()
    else:
        end.receive()
    return 0


if __name__ == "__main__":
    sys.exit(main())
