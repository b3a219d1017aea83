"""One end of a flow in Python: `python_end.py MODE send|receive NAME=VALUE...`; see `flows.py`, flow/flow.h.

python messages many at a time, both ways; they are written and checked by the same code as in C callbacks a
function for each message, which checks it here asyncio a program of asyncio, which takes what came whenever
the engine wakes its loop groups joins groups, and says how much memory the process has before and after
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import json
import os
import resource
import select
import struct
import sys
import time
import zlib
from array import array
from functools import partial
from pathlib import Path

import numpy

from liven.multicast.engine import sockets
from liven.multicast.engine.keyring import new_keyring
from liven.multicast.errors import BusyError
from liven.multicast.group import (
    Delivery,
    Demoted,
    Dropped,
    Evicted,
    GroupEvent,
    GroupPolicy,
    Lost,
    Refused,
    SlowPolicy,
    View,
)
from liven.multicast.message_batch import Batch
from liven.multicast.service_process import ServicePaths
from liven.multicast.socket_engine import Engine, EngineConfig
from liven.multicast.socket_group import SocketGroup

GROUP = "flow"
_HEAD = struct.Struct("=QQIHHII")
_AT_ONCE = 240
_SAMPLES = 100_000
_FAULTS = (Demoted, Dropped, Evicted, Lost, Refused)
_STEPS = (0, 4096, 8192)


def say(**facts: object) -> None:
    """Print one line of JSON."""
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


def cpu_seconds() -> float:
    """Return the processor time of this process so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def line_waits() -> bool:
    """True if the parent has sent a line, or is gone."""
    return bool(select.select([sys.stdin], [], [], 0)[0])


class Words:
    """The arguments of this end."""

    def __init__(self, words: list[str]) -> None:
        self._values = dict(word.split("=", 1) for word in words)

    def text(self, name: str) -> str:
        """Return an argument as text."""
        return self._values[name]

    def number(self, name: str) -> int:
        """Return an argument as a whole number."""
        return int(float(self._values[name]))

    def config(self) -> EngineConfig:
        """Return the configuration of this end's engine."""
        service = Path(self.text("service"))
        keys = self._values.get("keys")
        if keys and self.number("tags_only"):
            vars(sockets)["new_keyring"] = partial(new_keyring, tags_only=True)
        return EngineConfig(
            ServicePaths(service, service.with_suffix(".lock")),
            cluster=self.number("port"),
            start_service=False,
            settings={"packet_size": self.number("packet")},
            keys=Path(keys) if keys else None,
            publish=False,
        )


class Native:
    """The flow, in the functions shared with the ends in C."""

    def __init__(self, words: Words) -> None:
        self._library = ctypes.CDLL(words.text("library"))
        self._library.flow_new.restype = ctypes.c_void_p
        made = self._library.flow_new(
            words.number("size"), words.number("receivers"), words.number("port"), bool(words.number("slots"))
        )
        self._flow = ctypes.c_void_p(made)

    def begin(self) -> None:
        """Begin to count CPU time."""
        self._library.flow_begin(self._flow)

    def write(self, block: bytearray, first: int, count: int, last: bool) -> None:
        """Write messages side by side."""
        room = (ctypes.c_uint8 * len(block)).from_buffer(block)
        self._library.flow_write_many(self._flow, room, ctypes.c_uint64(first), count, last)

    def check(self, batch: Batch) -> bool:
        """Check messages against those expected; return True after the last."""
        lengths, places = numpy.asarray(batch.lengths), numpy.asarray(batch.addresses)
        over = self._library.flow_check_many(
            self._flow,
            ctypes.c_void_p(places.ctypes.data),
            ctypes.c_void_p(lengths.ctypes.data),
            ctypes.c_size_t(lengths.strides[0]),
            ctypes.c_size_t(len(batch)),
        )
        return bool(over & 1)

    def say_received(self) -> None:
        """Print the counts."""
        self._library.flow_say_received(self._flow)

    def say_end(self) -> None:
        """Print the cost."""
        self._library.flow_say_end(self._flow, None, None)


class End:
    """A member of the only group, named like the ends in C."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.engine = Engine(words.config())
        self.members = 0
        self.group = self.engine.join(GROUP, GroupPolicy(SlowPolicy.THROTTLE))

    def told(self, event: GroupEvent) -> None:
        """Handle an event."""
        if isinstance(event, View):
            self.members = len(event.members)
        elif isinstance(event, _FAULTS):
            raise SystemExit(f"python_end: {event}, {self.engine.stats()}")

    def await_all(self) -> None:
        """Wait until the sender and all receivers are there."""
        while self.members <= self.words.number("receivers"):
            self.engine.wait(0.01)

    def serve_until_told(self) -> None:
        """Serve the others until a line arrives."""
        while not line_waits():
            self.engine.wait(0.005)
        sys.stdin.readline()


def send(end: End) -> None:
    """Send blocks of messages as fast as possible."""
    native, number, size = Native(end.words), 0, end.words.number("size")
    end.group.listen_batches(lambda _batch: None, end.told)
    end.await_all()
    say(ready=True)
    end.serve_until_told()
    native.begin()
    begun = time.monotonic()
    seconds = float(end.words.text("seconds"))
    lengths, blocks = array("I", [size] * _AT_ONCE), bytearray(size * _AT_ONCE)
    over = False
    while not over:
        over = time.monotonic() - begun > seconds
        native.write(blocks, number, _AT_ONCE, over)
        number += _AT_ONCE
        while not _given(end, blocks, lengths):
            end.engine.wait(0.001)
        end.engine.poll()
    say(sent=number, due=[number] * end.words.number("receivers"), seconds=time.monotonic() - begun)
    end.serve_until_told()
    native.say_end()


def _given(end: End, block: bytearray, lengths: array[int]) -> bool:
    try:
        end.group.send_many(block, lengths)
    except BusyError:
        return False
    return True


def receive_batches(end: End) -> None:
    """Receive messages many at a time."""
    native, over = Native(end.words), False

    def take(batch: Batch) -> None:
        nonlocal over
        over = native.check(batch) or over

    end.group.listen_batches(take, end.told)
    end.await_all()
    say(ready=True)
    while not over:
        end.engine.wait(0.1)
    native.say_received()
    end.serve_until_told()
    native.say_end()


class ByOne:
    """Checks each message against the expected one."""

    def __init__(self, words: Words) -> None:
        self._mark, self._size = words.number("port"), words.number("size")
        self.due = self.gaps = self.repeated = self.wrong = 0
        self.over = False
        self.first = self.end = 0
        self.before = 0.0
        self.delays: list[int] = []

    def take(self, delivery: Delivery) -> None:
        """Check one message."""
        payload = delivery.payload
        number, sent_at, mark, group, last, size, checksum = _HEAD.unpack_from(payload)
        if (
            mark != self._mark
            or size != len(payload)
            or size != self._size
            or group
            or checksum != zlib.crc32(memoryview(payload)[_HEAD.size :])
        ):
            self.wrong += 1
            return
        self.end = time.monotonic_ns()
        if not self.first:
            self.first, self.before = self.end, cpu_seconds()
        if len(self.delays) < _SAMPLES:
            self.delays.append(self.end - sent_at)
        if number != self.due:
            self.repeated += number < self.due
            self.gaps += max(0, number - self.due)
        self.due = number + 1
        if last:
            self.over = True

    def say(self) -> None:
        """Print the counts."""
        delays = sorted(self.delays) or [0]
        say(
            received=self.due - self.gaps,
            gaps=self.gaps,
            repeated=self.repeated,
            wrong=self.wrong,
            seconds=(self.end - self.first) / 1e9,
            p50=delays[len(delays) // 2],
            p99=delays[len(delays) * 99 // 100],
        )


def receive_by_callbacks(end: End) -> None:
    """Receive each message in a function."""
    checked = ByOne(end.words)
    end.group.listen(checked.take, end.told)
    end.await_all()
    say(ready=True)
    while not checked.over:
        end.engine.wait(0.1)
    checked.say()
    end.serve_until_told()
    say(cpu=cpu_seconds() - checked.before)


def receive_by_asyncio(end: End) -> None:
    """Receive messages in a loop of asyncio that watches the engine."""
    checked = ByOne(end.words)
    end.group.listen(None, end.told)
    end.await_all()

    async def consume() -> None:
        done = asyncio.Event()

        def ready() -> None:
            end.engine.poll()
            for delivery in end.group.receive():
                checked.take(delivery)
            if checked.over:
                done.set()

        loop = asyncio.get_running_loop()
        loop.add_reader(end.engine.fileno(), ready)
        say(ready=True)
        await done.wait()
        loop.remove_reader(end.engine.fileno())

    asyncio.run(consume())
    checked.say()
    end.serve_until_told()
    say(cpu=cpu_seconds() - checked.before)


def resident() -> int:
    """Return the resident memory of this process, in bytes."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


def join_groups(words: Words) -> None:
    """Join groups, and print the memory at each step."""
    engine = Engine(words.config())
    groups: list[SocketGroup] = []
    rows = []
    for step in _STEPS:
        fresh = [engine.join(f"group {number}") for number in range(len(groups), step)]
        groups += fresh
        waiting = set(fresh)
        while waiting:
            engine.wait(0.1)
            waiting -= {group for group in waiting if any(isinstance(each, View) for each in group.events())}
        rows.append({"resident": resident(), "core": engine.stats()["memory_bytes"]})
    say(ready=True, rows=rows)
    engine.close(leave=False)


def main() -> int:
    """Run the mode in the arguments."""
    words = Words(sys.argv[3:])
    if sys.argv[1] == "groups":
        join_groups(words)
        return 0
    end = End(words)
    if sys.argv[2] == "send":
        send(end)
    else:
        ways = {"python": receive_batches, "callbacks": receive_by_callbacks, "asyncio": receive_by_asyncio}
        ways[sys.argv[1]](end)
    return 0


if __name__ == "__main__":
    sys.exit(main())
