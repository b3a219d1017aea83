"""Figures of measurements with targets, printed as a table or as JSON.

A script makes `Figure`s and ends with `sys.exit(report("name", figures))`. Times on a shared machine are
noise, so a figure is a ratio within one run wherever possible; `best_of` returns the quietest of several
runs, which others disturbed the least.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number and its target."""

    id: str
    value: float
    unit: str
    target: float | None = None
    at_most: bool = True
    """True if the target is an upper bound; else it is a lower one."""

    @property
    def ok(self) -> bool | None:
        """True if the target is met; None without a target."""
        if self.target is None:
            return None
        return self.value <= self.target if self.at_most else self.value >= self.target


def best_of(rounds: int, calls: int, function: Callable[[], object]) -> float:
    """Return the seconds for one call of `function`: the fastest of `rounds` rounds of `calls` calls
    each."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(calls):
            function()
        best = min(best, time.perf_counter() - start)
    return best / calls


def add_only(parser: argparse.ArgumentParser, known: Collection[str]) -> None:
    """Add an argument that chooses some of these parts of a measurement, with commas; all by default."""

    def names(text: str) -> list[str]:
        found = text.split(",")
        for each in found:
            if each not in known:
                raise argparse.ArgumentTypeError(f"{each!r} is none of {', '.join(known)}")
        return found

    parser.add_argument("--only", type=names, default=list(known), help=f"some of {', '.join(known)}")


def machine() -> dict[str, str | int]:
    """Return a description of the machine, without its name."""
    return {
        "cores": os.cpu_count() or 0,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def report(
    name: str,
    figures: Iterable[Figure],
    argv: list[str] | None = None,
    own: argparse.ArgumentParser | None = None,
) -> int:
    """Print the figures: as a table, as one object (`--json`), or as a table for the docs (`--markdown`).
    Return 1 if a target is missed. `own` has the script's own options, made with `add_help=False`."""
    parents = [] if own is None else [own]
    parser = argparse.ArgumentParser(prog=name, description=f"Measures: {name}", parents=parents)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    form.add_argument("--markdown", action="store_true", help="print a table for the docs")
    arguments = parser.parse_args(argv)
    rows = list(figures)  # a generator, perhaps: a wrong flag is refused before anything is measured
    for row in rows:
        if not math.isfinite(row.value):
            raise ValueError(f"{name}: {row.id} came out as {row.value}, which is not a measurement")
    if arguments.json:
        shown = [
            {key: value for key, value in asdict(row).items() if key != "at_most"} | {"ok": row.ok}
            for row in rows
        ]
        print(json.dumps({"name": name, "machine": machine(), "figures": shown}, indent=1))
    elif arguments.markdown:
        _print_markdown(rows)
    else:
        _print_table(name, rows)
    return 1 if any(row.ok is False for row in rows) else 0


def _print_markdown(rows: list[Figure]) -> None:
    print("| what | figure | bound | |\n|---|---|---|---|")
    for row in rows:
        bound = "" if row.target is None else f"{'≤' if row.at_most else '≥'} {row.target:,g}"
        verdict = {None: "", True: "reached", False: "missed"}[row.ok]
        digits = f"{row.value:,.0f}" if abs(row.value) >= 1000 else f"{row.value:.3g}"
        print(f"| {row.id} | {digits} {row.unit}".rstrip() + f" | {bound} | {verdict} |")


def _print_table(name: str, rows: list[Figure]) -> None:
    width = max((len(row.id) for row in rows), default=0)
    print(name)
    for row in rows:
        bound = "" if row.target is None else f"  {'≤' if row.at_most else '≥'} {row.target:g}"
        verdict = {None: "", True: "  ok", False: "  MISSED"}[row.ok]
        print(f"  {row.id:<{width}}  {row.value:>12.4g} {row.unit}{bound}{verdict}")
