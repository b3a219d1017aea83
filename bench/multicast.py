"""The engine on loopback, beside what the kernel can do at all, in one run; ratios first.

    raw       one datagram a message; receivers drain, then nap
    packed    as many messages as fit 60 KB in a datagram; the highest paced rate without a loss, by bisection
    ours      members of the engine in C, flat out
    python    the same in Python, through the batch interface

Every receiver holds every message against its sender, its number and a checksum of the payload; a run with a
gap, a repetition or a wrong byte has no rate. Rates are those of the slowest receiver. `--rounds N` repeats
everything N times, interleaved, and takes medians; `--only ID` measures the rows that begin so.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from frame import Figure, report

from liven.multicast.service_process import ensure_service, stop_service
from liven.multicast.sockets import default_place

_ROOT = Path(__file__).resolve().parents[1]
_PYTHON_END = Path(__file__).with_name("python_flow.py")
_SECONDS = 0.7
_CLOSE = 1.03
_PATIENCE = 60.0
_PACKET = 65507


class NoRateError(Exception):
    """A receiver missed something, or saw it twice."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one flow gave."""

    rate: float
    """Messages a second at the slowest receiver."""
    cpu: float
    """Seconds of all processes for a million deliveries."""
    p50: float
    p99: float
    """Microseconds from the sender to the receiver, at the slowest receiver."""


@dataclass(frozen=True, slots=True)
class Flow:
    """What is measured: how messages travel, how long they are, to how many, at which rate."""

    mode: str
    size: int
    receivers: int
    rate: float = 0.0
    seconds: float = _SECONDS


def build(folder: Path) -> Path:
    """Builds the program for the ends that are in C."""
    cmake = ["cmake", "-S", str(_ROOT / "multicast"), "-B", str(folder), "-G", "Ninja"]
    subprocess.run([*cmake, "-DCMAKE_BUILD_TYPE=Release"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", str(folder), "flow"], check=True, stdout=subprocess.DEVNULL)
    return folder / "flow"


class Ends:
    """Starts the ends of flows, and a membership service for ours."""

    def __init__(self, program: Path, service: Path, keys: Path | None = None) -> None:
        self._program = program
        self._keys = keys
        self._service = service
        self._place = default_place(service)
        self._port = 20_000 + os.getpid() % 20_000

    def run(self, flow: Flow) -> Run:
        """One flow, from its first message to its last."""
        self._port += 1
        if flow.mode in ("ours", "python"):
            ensure_service(self._place, self._port)
        ends: list[subprocess.Popen[str]] = []
        try:
            ends += [self._start(flow, "receive") for _ in range(flow.receivers)]
            ends.append(self._start(flow, "send"))
            for end in ends:
                _line(end)
            assert ends[-1].stdin is not None
            ends[-1].stdin.write("go\n")
            ends[-1].stdin.flush()
            sent = _line(ends[-1])
            return _judge(flow, sent, [_line(end) for end in ends[:-1]])
        finally:
            for end in ends:
                end.kill()
                end.communicate()
            stop_service(self._place)

    def _start(self, flow: Flow, role: str) -> subprocess.Popen[str]:
        numbers = (flow.size, flow.seconds, flow.rate, flow.receivers, self._port, _PACKET)
        words = [flow.mode, role, *map(str, numbers), str(self._place.socket)]
        if self._keys is not None:
            words.append(str(self._keys))
        program = [sys.executable, str(_PYTHON_END)] if flow.mode == "python" else [str(self._program)]
        return subprocess.Popen([*program, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _line(end: subprocess.Popen[str]) -> dict[str, float]:
    assert end.stdout is not None
    ready, _, _ = select.select([end.stdout], [], [], _PATIENCE)
    line = end.stdout.readline() if ready else ""
    if not line:
        raise NoRateError(f"an end says nothing: {' '.join(map(str, end.args))}")  # type: ignore[arg-type]
    facts: dict[str, float] = json.loads(line)
    return facts


def _judge(flow: Flow, sent: dict[str, float], received: list[dict[str, float]]) -> Run:
    for facts in received:
        if facts["gaps"] or facts["repeated"] or facts["wrong"] or facts["received"] != sent["sent"]:
            raise NoRateError(f"{flow}: of {sent['sent']:.0f} sent: {facts}")
    deliveries = sum(facts["received"] for facts in received)
    cpu = sent["cpu"] + sum(facts["cpu"] for facts in received)
    slowest = max(received, key=lambda facts: facts["seconds"])
    return Run(
        slowest["received"] / max(slowest["seconds"], 1e-9),
        cpu / deliveries * 1e6,
        max(facts["p50"] for facts in received) / 1e3,
        max(facts["p99"] for facts in received) / 1e3,
    )


def lossless(measure: Callable[[float], Run], low: float) -> Run:
    """The highest rate without a loss: doubled until there is one, then halved in between to 3 %."""
    best, high = None, 0.0
    while not high or high / low > _CLOSE:
        rate = (low * high) ** 0.5 if high else low * 2
        try:
            run = measure(rate)
        except NoRateError:
            high = rate
            if best is None and rate < 1000:
                raise
            low = low if best is not None else low / 4
        else:
            # A sender that cannot keep up is the end, too.
            low, best = rate, run if best is None or run.rate > best.rate else best
            high = rate * _CLOSE if run.rate < rate * 0.9 else high
    if best is None:
        raise NoRateError("no rate is without a loss")
    return best


@dataclass(frozen=True, slots=True)
class Case:
    """A size and a number of receivers, with the shares of the packed line that are aimed at."""

    size: int
    receivers: int
    share: float | None
    cpu: float | None = None


CASES = (
    Case(1024, 2, None),
    Case(1024, 4, 0.65, 0.25),
    Case(1024, 8, 0.60, 0.25),
    Case(100, 2, None),
    Case(100, 4, None),
    Case(100, 8, 0.50),
)


def throughput(ends: Ends, case: Case, rounds: int) -> Iterator[Figure]:
    """Ours and Python beside the raw and the packed line."""
    found: dict[str, list[Run]] = {}
    for _ in range(rounds):
        for mode, start in (("packed", 200_000.0), ("raw", 20_000.0)):

            def measure(rate: float, mode: str = mode) -> Run:
                return ends.run(Flow(mode, case.size, case.receivers, rate, _SECONDS / 2))

            found.setdefault(mode, []).append(lossless(measure, start))
        for mode in ("ours", "python"):
            found.setdefault(mode, []).append(ends.run(Flow(mode, case.size, case.receivers)))
    rates = {mode: statistics.median(run.rate for run in runs) for mode, runs in found.items()}
    name = f"{case.size}B.1to{case.receivers}"
    yield Figure(f"{name}.ours/packed", rates["ours"] / rates["packed"], "", case.share, at_most=False)
    yield Figure(f"{name}.ours/raw", rates["ours"] / rates["raw"], "")
    target = 3.0 if (case.size, case.receivers) == (1024, 4) else None
    yield Figure(f"{name}.python/raw", rates["python"] / rates["raw"], "", target, at_most=False)
    cpu = statistics.median(run.cpu for run in found["ours"])
    yield Figure(f"{name}.ours.cpu", cpu, "s/M deliveries", case.cpu)
    for mode, rate in rates.items():
        yield Figure(f"{name}.{mode}", rate, "msg/s")


def latency(ends: Ends, receivers: int, target: float, rounds: int) -> Iterator[Figure]:
    """At 1,000 messages a second, against receivers that block."""
    flows = {mode: Flow(mode, 1024, receivers, 1000.0, 2.0) for mode in ("blocking", "ours")}
    found: dict[str, list[Run]] = {mode: [] for mode in flows}
    for _ in range(rounds):
        for mode, flow in flows.items():
            found[mode].append(ends.run(flow))
    p50 = {mode: statistics.median(run.p50 for run in runs) for mode, runs in found.items()}
    p99 = {mode: statistics.median(run.p99 for run in runs) for mode, runs in found.items()}
    name = f"latency.1to{receivers}"
    yield Figure(f"{name}.ours/blocking", p50["ours"] / p50["blocking"], "", target)
    yield Figure(f"{name}.p99.ours/blocking", p99["ours"] / p99["blocking"], "")
    for mode in flows:
        yield Figure(f"{name}.{mode}.p50", p50[mode], "us")
        yield Figure(f"{name}.{mode}.p99", p99[mode], "us")


def figures(rounds: int, only: str) -> Iterator[Figure]:
    """Everything, in the order of its weight."""
    with tempfile.TemporaryDirectory() as folder:
        ends = Ends(build(Path(folder) / "build"), Path(folder))
        for case in sorted(CASES, key=lambda case: -case.receivers):
            if f"{case.size}B.1to{case.receivers}".startswith(only):
                yield from throughput(ends, case, rounds)
        for receivers, target in ((2, 1.3), (8, 1.2)):
            if f"latency.1to{receivers}".startswith(only):
                yield from latency(ends, receivers, target, rounds)


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--only", default="")
    own, rest = parser.parse_known_args()
    return report("multicast", figures(own.rounds, own.only), rest)


if __name__ == "__main__":
    sys.exit(main())
