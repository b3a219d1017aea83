"""The engine on real sockets beside the bare kernel, in one run; with `--peers`, also other systems.

    python bench/multicast.py [--json | --markdown] [--peers] [--rounds N] [--only PART] [--quick]

Parts, in the order of measurement: `throughput` (with `1024B.1to8` and the like for one case of it),
`callbacks`, `latency`, `groups`, `loss`, `frozen`, `hosts`, `joins`, `authentication`. The table has
ratios first.

Every receiver checks the sender, the group, the number and the checksum of every message; a run with a
gap, a repetition or a wrong byte has no rate. Rates are those of the slowest receiver; everything is
repeated and interleaved, and medians are taken. `--quick` takes each once.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from figure_report import Figure, report
from membership import join_figures
from multicast_figures import authentication, frozen, groups, latency, loss, peers, throughput
from multicast_figures.flows import Ends, NoRateError, build
from multicast_figures.network_namespaces import Segment, why_not

_ROUNDS = 5
Part = Callable[[], Iterator[Figure]]


class Bench:
    """All parts."""

    def __init__(self, program: Path, folder: Path, rounds: int, with_peers: bool) -> None:
        self._program = program
        self._folder = folder
        self._rounds = rounds
        self._few = min(3, rounds)
        self._with_peers = with_peers
        self._ends = Ends(program, folder)
        self._packed: dict[str, float] = {}

    def parts(self) -> list[tuple[str, Part]]:
        """Return the parts by name, the most important first."""
        cases = [(f"throughput.{case.name}", self._case(case)) for case in throughput.CASES]
        return [
            *cases,
            ("peers", self._peers),
            ("callbacks", lambda: throughput.callbacks(self._ends, self._rounds)),
            ("latency.1to8", lambda: latency.figures(self._ends, 8, self._rounds)),
            ("latency.1to2", lambda: latency.figures(self._ends, 2, self._rounds)),
            ("latency.half", lambda: latency.half_saturated(self._ends, 8, self._few)),
            ("groups.perfect.1to4", lambda: groups.sweep(self._ends, "perfect", 4, self._few)),
            ("groups.perfect.1to1", lambda: groups.sweep(self._ends, "perfect", 1, self._few)),
            ("groups.zipf", lambda: groups.sweep(self._ends, "zipf", 4, 1)),
            ("groups.halves", lambda: groups.sweep(self._ends, "halves", 4, 1)),
            ("groups.memory", lambda: groups.memory_in_python(self._program)),
            ("loss", lambda: loss.figures(self._ends, self._rounds)),
            ("loss.sender", lambda: loss.who_repairs(self._ends, 1)),
            ("loss.shim", lambda: loss.under_shim(self._program, self._folder, self._ends, self._few)),
            ("frozen", lambda: frozen.figures(self._ends, self._few)),
            ("hosts", self._hosts),
            ("joins", join_figures),
            ("authentication", lambda: authentication.flows(self._program, self._rounds)),
        ]

    def _case(self, case: throughput.Case) -> Part:
        def measure() -> Iterator[Figure]:
            for figure in throughput.figures(self._ends, case, self._rounds):
                if figure.id == f"{case.name}.packed":
                    self._packed[case.name] = figure.value
                yield figure

        return measure

    def _peers(self) -> Iterator[Figure]:
        packed = self._packed.get("1024B.1to8")
        if self._with_peers and packed is not None:
            yield from peers.figures(packed, 8)

    def _hosts(self) -> Iterator[Figure]:
        reason = why_not()
        if reason:
            yield Figure("hosts.absent", 1, f"({reason})")
            return
        segment = Segment(5)
        try:
            yield from throughput.hosts(Ends(self._program, self._folder, segment=segment), self._rounds)
        finally:
            segment.close()


def begins(name: str, only: str) -> bool:
    """True if a part is selected."""
    return name.startswith(only) or name.removeprefix("throughput.").startswith(only)


def part(only: str) -> str:
    """Read an argument of `--only`."""
    names = [name for name, _ in Bench(Path(), Path(), 1, with_peers=False).parts()]
    if not any(begins(name, only) for name in names):
        raise argparse.ArgumentTypeError(f"no part begins with {only!r}; there are {', '.join(names)}")
    return only


def figures(bench: Bench, only: str) -> Iterator[Figure]:
    """Yield the selected figures. A part without a rate says so, and the others are still measured."""
    for name, part in bench.parts():
        if not begins(name, only):
            continue
        begun = time.monotonic()
        print(f"multicast: {name}", end=" ", file=sys.stderr, flush=True)
        try:
            yield from part()
        except NoRateError as error:
            print(error, file=sys.stderr)
            yield Figure(f"{name}.failed", 1, "part without a rate", 0)
        print(f"{time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)


def ratios_first(rows: Iterable[Figure]) -> Iterator[Figure]:
    """Return the ratios, then the figures they are made of; each in the order of its weight."""
    yield from sorted(rows, key=lambda row: row.unit != "")


def measured(rounds: int, with_peers: bool, only: str) -> Iterator[Figure]:
    """Build the ends in C, and measure."""
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(build(Path(folder) / "build"), Path(folder), rounds, with_peers)
        yield from figures(bench, only)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--rounds", type=int, default=_ROUNDS, help="number of measurements of each")
    parser.add_argument("--quick", action="store_true", help="measure each once, for a first impression")
    parser.add_argument("--peers", action="store_true", help="also measure other systems (LIVEN_PEERS)")
    parser.add_argument(
        "--only", default="", metavar="PART", type=part, help="only parts that begin with this, as 1024B.1to8"
    )
    own, _ = parser.parse_known_args()
    rounds = 1 if own.quick else own.rounds
    return report("multicast", ratios_first(measured(rounds, own.peers, own.only)), own=parser)


if __name__ == "__main__":
    sys.exit(main())
