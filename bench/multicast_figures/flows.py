"""Flows: a sender and receivers, each a process, that are started together and checked.

Every receiver checks the sender, the group, the number and the checksum of every message. A run with a
gap, a repetition or a wrong byte has no rate: `NoRateError`.
"""

from __future__ import annotations

import itertools
import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from multicast_figures.network_namespaces import Segment

from liven.multicast.socket_engine import group_identity

ROOT = Path(__file__).resolve().parents[2]
_PYTHON_END = Path(__file__).with_name("python_end.py")
_IN_C = ("raw", "mmsg", "gso", "packed", "retained", "blocking", "ours", "engine")
_UNRELIABLE = ("raw", "mmsg", "gso", "packed", "retained", "blocking")
_GROUP = "flow"
_BY_ONE = ("callbacks", "asyncio")
_PATIENCE = 60.0
_LARGEST, _ETHERNET = 65_507, 1_472
_PORTS = itertools.count(20_000 + os.getpid() % 20_000)
Facts = dict[str, Any]


class NoRateError(Exception):
    """A receiver missed a message, or saw it twice, or an end failed."""


@dataclass(frozen=True, slots=True)
class Flow:
    """The parameters of a flow: ends, messages, receivers, rate and groups."""

    sender: str
    receiver: str
    size: int
    receivers: int
    rate: float = 0.0
    """Messages a second; 0 for as fast as it goes."""
    seconds: float = 0.7
    groups: int = 1
    overlap: str = "perfect"
    loss: float = 0.0
    burst: float = 0.0
    """The seconds that a loss lasts; 0 loses datagrams one by one."""
    packet: int = 0
    """The largest datagram of ours; 0 for the largest that the network carries."""
    slots: bool = False
    """True if receivers tell how many messages they took in each hundredth of a second; then one of them may
    fall so far behind that its loss is reported."""

    @property
    def words(self) -> dict[str, object]:
        """Return the arguments for the ends."""
        facts = asdict(self)
        del facts["sender"], facts["receiver"]
        return facts | {"slots": int(self.slots), "zlib": int(self.receiver in _BY_ONE)}


@dataclass(frozen=True, slots=True)
class Run:
    """The result of one flow."""

    rate: float
    """Messages a second at the slowest receiver; where a message is not for all, those sent meanwhile."""
    cpu: float
    """Seconds of all processes for a million deliveries."""
    p50: float
    p99: float
    """Microseconds from the sender to the receiver, at the slowest receiver."""
    sent: int
    seconds: float
    ready: tuple[Facts, ...] = ()
    received: tuple[Facts, ...] = ()
    ends: tuple[Facts, ...] = field(default=())
    """The words of each end: when it began, when it had counted, when it ended; the receivers first."""
    peak: int = 0
    """The most memory that one of the processes ever had, in bytes."""


def build(folder: Path) -> Path:
    """Build the program for the ends in C."""
    cmake = ["cmake", "-S", str(ROOT / "multicast"), "-B", str(folder), "-G", "Ninja"]
    subprocess.run([*cmake, "-DCMAKE_BUILD_TYPE=Release"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", str(folder), "flow", "flow_check"], check=True, stdout=subprocess.DEVNULL)
    return folder / "flow"


class End:
    """A process that is one end."""

    def __init__(self, command: Sequence[str], environment: dict[str, str]) -> None:
        self._command = command
        self._popen = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
        )

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._popen.pid

    def say(self, line: str) -> None:
        """Let it continue."""
        assert self._popen.stdin is not None
        try:
            self._popen.stdin.write(line + "\n")
            self._popen.stdin.flush()
        except BrokenPipeError as error:
            raise NoRateError(f"an end has exited: {' '.join(self._command)}") from error

    def answer(self) -> Facts:
        """Return its next line."""
        assert self._popen.stdout is not None
        ready, _, _ = select.select([self._popen.stdout], [], [], _PATIENCE)
        line = self._popen.stdout.readline() if ready else ""
        if not line:
            raise NoRateError(f"an end does not answer: {' '.join(self._command)}")
        facts: Facts = json.loads(line)
        return facts

    def peak(self) -> int:
        """Return the most memory it has had, in bytes."""
        for line in Path(f"/proc/{self.pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) * 1024
        return 0

    def kill(self) -> None:
        """Kill it."""
        self._popen.kill()
        self._popen.communicate()


class Running:
    """A flow in progress: its receivers, and its sender as the last."""

    def __init__(self, flow: Flow, ends: list[End]) -> None:
        self._flow = flow
        self.ends = ends
        self._ready = tuple(end.answer() for end in ends)

    def go(self) -> None:
        """Let the sender begin."""
        self.ends[-1].say("go")

    def finish(self) -> Run:
        """Wait until everything is received, and check it."""
        sent = self.ends[-1].answer()
        received = tuple(end.answer() for end in self.ends[:-1])
        peak = max(end.peak() for end in self.ends)
        for end in self.ends:
            end.say("end")
        last = tuple(end.answer() for end in self.ends)
        self._judge(sent, received)
        return self._run(sent, received, last, peak)

    def _judge(self, sent: Facts, received: Sequence[Facts]) -> None:
        for due, facts in zip(sent["due"], received, strict=True):
            told = facts.get("demoted", 0)  # a reported loss is not a silent one
            if (
                facts["gaps"]
                or facts["repeated"]
                or facts["wrong"]
                or (facts["received"] != due and not told)
            ):
                counts = {name: value for name, value in facts.items() if name != "slots"}
                raise NoRateError(f"{self._flow}: of {due} sent: {counts}")

    def _run(self, sent: Facts, received: tuple[Facts, ...], last: tuple[Facts, ...], peak: int) -> Run:
        deliveries = sum(facts["received"] for facts in received)
        slowest = max(received, key=lambda facts: float(facts["seconds"]))
        seconds = max(slowest["seconds"], 1e-9)
        whole = self._flow.overlap == "perfect"
        return Run(
            (slowest["received"] if whole else sent["sent"]) / seconds,
            sum(facts["cpu"] for facts in last) / max(1, deliveries) * 1e6,
            max(facts["p50"] for facts in received) / 1e3,
            max(facts["p99"] for facts in received) / 1e3,
            sent["sent"],
            seconds,
            self._ready,
            received,
            last,
            peak,
        )


class Ends:
    """Starts the ends of flows, and a membership service for ours; on loopback, or on hosts of their own."""

    def __init__(
        self,
        program: Path,
        folder: Path,
        keys: Path | None = None,
        segment: Segment | None = None,
        shim: dict[str, str] | None = None,
        tags_only: bool = False,
    ) -> None:
        self._program = program
        self._service = folder / "service"
        self._keys = keys
        self._tags_only = tags_only
        self._segment = segment
        self._shim = shim or {}

    def run(self, flow: Flow) -> Run:
        """Run one flow, from its first message to its last."""
        with self.started(flow) as running:
            running.go()
            return running.finish()

    @contextmanager
    def started(self, flow: Flow) -> Iterator[Running]:
        """Start the ends of a flow, ready to begin."""
        port = next(_PORTS)
        ends: list[End] = []
        try:
            if flow.receiver not in _UNRELIABLE:
                command = [str(self._program), "service", "serve", f"service={self._service}", f"port={port}"]
                service = End(command, {})
                ends.append(service)
                service.answer()
            members = [self._start(flow, "receive", port, index) for index in range(flow.receivers)]
            ends += members
            ends.append(self._start(flow, "send", port, 0))
            yield Running(flow, ends[-1 - flow.receivers :])
        finally:
            for end in ends:
                end.kill()

    def _start(self, flow: Flow, role: str, port: int, index: int) -> End:
        mode = flow.sender if role == "send" else flow.receiver
        packet = flow.packet or (_LARGEST if self._segment is None else _ETHERNET)
        high, low = divmod(group_identity(_GROUP), 2**64)
        facts = {
            **flow.words,
            "high": high,
            "low": low,
            "index": index,
            "port": port,
            "packet": packet,
            "service": self._service,
        }
        host = 0 if role == "send" else index + 1
        if self._segment is not None:
            facts["interface"] = self._segment.address(host)
        if self._keys is not None:
            facts["keys"] = self._keys
            facts["tags_only"] = int(self._tags_only)
        if mode not in _IN_C:
            facts["library"] = self._program.with_name("libflow_check.so")
        words = [mode, role, *(f"{name}={value}" for name, value in facts.items())]
        program = [str(self._program)] if mode in _IN_C else [sys.executable, str(_PYTHON_END)]
        before = [] if self._segment is None else self._segment.inside(host)
        return End([*before, *program, *words], self._shim if role == "receive" else {})


def python_end(mode: str) -> list[str]:
    """Return the program of an end in Python, for one that is started by hand."""
    return [str(_PYTHON_END), mode, "receive"]
