"""Proxies: the memory of many, and the life of one."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

from figure_report import Figure, best_of
from runtime_figures.events import Pilot, Plane, joined

from liven.runtime.testing import Bench

MANY = 10_000


def resident() -> float:
    """Return the megabytes of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def figures() -> Iterator[Figure]:
    """Yield all figures. Pairs are connected, so that their connections count too."""
    with Bench() as bench:
        joined(bench, Pilot, Plane)
        gc.collect()
        before = resident()
        held = [joined(bench, Pilot, Plane) for _ in range(MANY // 2)]
        for pilot, _ in held:
            pilot.instance.out.peer  # noqa: B018 as an object that has sent something
        gc.collect()
        yield Figure(f"{MANY} live proxies, connected in pairs", resident() - before, "MB", 60)
        while held:
            for built in held.pop():
                built.close()

        def life() -> None:
            for built in joined(bench, Pilot, Plane):
                built.close()

        yield Figure("two proxies built, connected, ended", best_of(5, 500, life) * 1e6, "µs")
