"""Measure the costs of the simulated CPU and write them to `calibration.json`.

    python bench/calibrate.py [--output FILE] [--rounds N] [--json]

The kernel's part is the CPU time of the engine's own functions on loopback (calibrate_sockets.c): data in
trains of 32, repairs in fours, control packets one by one, as a busy engine sends them. The core's part is
the real time inside its step, in a simulation with nothing else in it. The quietest of several rounds
counts. With `--json` the figures are printed and nothing is written.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from figure_report import Figure, machine, report

from liven.multicast.engine import World

HERE = Path(__file__).parent
OUTPUT = HERE / "calibration.json"
SECOND, MILLISECOND = 1_000_000_000, 1_000_000
HOSTS = 3
SMALL, LARGE = 200, 1300
SLOWDOWN = 30
"""Not measured: it makes saturation need fewer simulated packets; ratios do not depend on it."""
REMARK = (
    "Costs of the simulated CPU in ns, measured by `liven bench calibrate`: kernel and core of a busy engine "
    "on loopback, where a sender also pays for putting datagrams into the receivers' queues. `slowdown` is "
    "chosen, not measured: it makes a simulated CPU that many times slower, so that saturation needs fewer "
    "simulated packets; ratios do not depend on it."
)


def build(folder: Path) -> Path:
    """Build the program that measures the kernel."""
    source = HERE.parent / "multicast"
    configure = ["cmake", "-S", str(source), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release"]
    for command in (configure, ["cmake", "--build", str(folder), "--target", "calibrate_sockets"]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"cannot build the program: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return folder / "calibrate_sockets"


def kernel_costs(rounds: int) -> dict[str, float]:
    """Return the figures of the program: nanoseconds for a datagram, by kind and size."""
    with tempfile.TemporaryDirectory() as name:
        program = build(Path(name))
        done = subprocess.run([str(program), str(rounds)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"calibrate_sockets failed: {done.stderr.strip()}")
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


@dataclass(frozen=True, slots=True)
class Load:
    """A load for simulated hosts: host 0 sends, the others receive."""

    size: int
    packets: int
    burst: int
    gap: int
    """Between two packets, ns."""
    round_time: int = 0
    """Fixed time between two rounds of the token, ns; 0 leaves it to the core."""


@dataclass(frozen=True, slots=True)
class Work:
    """The work of one host's core under a load."""

    spent: int
    sent: int
    received: int
    tokens: int


def work_of(load: Load) -> list[Work]:
    """Run a load and return the work of each host's core."""
    settings = {"suspicion": 60 * SECOND, "profiled": 1, "judged": 0, "tagged": 0, "wake": 300_000}
    if load.round_time:
        settings |= {"pace": 1, "interval_floor": load.round_time, "interval_ceiling": load.round_time}
    world = World(1, settings)
    for host in range(HOSTS):
        world.add(False)
        world.join(host, 0, (0, 0, 0, False))
    world.run(5 * SECOND)
    before = [_seen(world, host) for host in range(HOSTS)]
    start, every = world.now(), load.burst * load.gap
    world.flow(0, 0, 1, load.size, load.size, start, every, load.packets, load.burst, False)
    world.run(start + load.packets * load.gap + SECOND // 5)
    return [_less(_seen(world, host), before[host]) for host in range(HOSTS)]


def _seen(world: World, host: int) -> Work:
    def get(name: str) -> int:
        return world.measure(host, name) or 0

    tokens = get("tokens_received")
    return Work(world.call("spent", host), get("packets_sent"), get("packets_received"), tokens)


def _less(now: Work, before: Work) -> Work:
    return Work(
        now.spent - before.spent,
        now.sent - before.sent,
        now.received - before.received,
        now.tokens - before.tokens,
    )


def core_costs(rounds: int) -> dict[str, float]:
    """Return the core's nanoseconds for a data packet out and in, small and large, and for a token."""
    found: dict[str, list[float]] = {}
    for _ in range(rounds):
        for name, size in (("small", SMALL), ("large", LARGE)):
            sender, *receivers = work_of(Load(size, 20_000, 32, 10_000))
            found.setdefault(f"send_{name}", []).append(sender.spent / sender.sent)
            found.setdefault(f"take_{name}", []).extend(each.spent / each.received for each in receivers)
        busy, rare = (work_of(Load(SMALL, 2_000, 1, MILLISECOND, every)) for every in (2_000_000, 50_000_000))
        for often, seldom in zip(busy, rare, strict=True):
            cost = (often.spent - seldom.spent) / max(1, often.tokens - seldom.tokens)
            found.setdefault("token", []).append(max(0.0, cost))
    return {name: min(values) for name, values in found.items()}


def combine(kernel: dict[str, float], core: dict[str, float]) -> dict[str, int]:
    """Return the costs by the simulator's names. A repaired packet costs as much as a first one."""
    kernel_kib, core_kib = (kernel["large"] - kernel["small"]) / 1024, (LARGE - SMALL) / 1024

    def more(costs: dict[str, float], large: str, small: str, kib: float) -> float:
        """Return nanoseconds for each KiB; 0 if the difference is lost in noise."""
        return max(0.0, costs[large] - costs[small]) / kib

    costs = {
        "cost_step": kernel["step"],
        "cost_read_control": kernel["read_control"],
        "cost_read_repair": kernel["read_repair"],
        "cost_read_data": kernel["read_small"],
        "cost_handle_control": core["token"],
        "cost_handle_repair": core["take_small"],
        "cost_handle_data": core["take_small"],
        "cost_handle_kib": more(core, "take_large", "take_small", core_kib)
        + more(kernel, "read_data", "read_small", kernel_kib),
        "cost_send_control": kernel["send_control"],
        "cost_send_repair": kernel["send_repair"],
        "cost_send_data": kernel["send_small"] + core["send_small"],
        "cost_send_kib": more(core, "send_large", "send_small", core_kib)
        + more(kernel, "send_data", "send_small", kernel_kib),
        "cost_deliver": kernel["deliver"],
        "cost_create": kernel["create"],
    }
    return {name: round(value) for name, value in costs.items()}


def write(path: Path, costs: dict[str, int]) -> None:
    """Write the file that the simulations read."""
    content = {"remark": REMARK, "machine": machine(), **costs, "slowdown": SLOWDOWN}
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def main(argv: list[str] | None = None) -> int:
    """Measure, and write or print."""
    parser = argparse.ArgumentParser(prog="calibrate", description="Measure the costs of the simulated CPU.")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="the file to write (calibration.json)")
    parser.add_argument("--rounds", type=int, default=5, help="how often to measure; the quietest counts (5)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON, and write nothing")
    arguments = parser.parse_args(argv)
    if arguments.rounds < 1:
        parser.error("--rounds takes a number from 1")
    costs = combine(kernel_costs(arguments.rounds), core_costs(arguments.rounds))
    figures = [Figure(name, value, "ns") for name, value in costs.items()]
    if arguments.json:
        return report("calibrate", figures, ["--json"])
    write(arguments.output, costs)
    print(f"wrote {arguments.output}")
    return report("calibrate", figures, [])


if __name__ == "__main__":
    sys.exit(main())
