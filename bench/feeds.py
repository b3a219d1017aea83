"""Measure feeds, all subjects in one run, or some of them.

    python bench/feeds.py [--only segments,recording] [--json]

Every subject is a module of `feeds_figures` with a function `figures`. A subject whose extra is not installed
ends the run with the error that names it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from feeds_figures import live, moments, recording, replay, segments, spark
from figure_report import Figure, add_only, report

SUBJECTS: dict[str, Callable[[], Iterable[Figure]]] = {
    "segments": segments.figures,
    "moments": moments.figures,
    "recording": recording.figures,
    "replay": replay.figures,
    "spark": spark.figures,
    "live": live.figures,
}


def figures(subjects: Iterable[str], rows: int, home: Path | None, *, starts: bool) -> Iterator[Figure]:
    """Yield the figures of some subjects."""
    for name in subjects:
        if name == "spark":
            yield from spark.figures(rows, home, starts=starts)
        else:
            yield from SUBJECTS[name]()


def main() -> int:
    """Measure and print."""
    own = argparse.ArgumentParser(add_help=False)
    add_only(own, SUBJECTS)
    own.add_argument("--rows", type=int, default=spark.ROWS, help=f"records for Spark ({spark.ROWS})")
    own.add_argument("--home", type=Path, help="a folder that keeps Java's startup cache for the next run")
    own.add_argument("--warm", action="store_true", help="do not measure how Spark starts")
    arguments, _ = own.parse_known_args()
    found = figures(arguments.only, arguments.rows, arguments.home, starts=not arguments.warm)
    return report("feeds", found, own=own)


if __name__ == "__main__":
    sys.exit(main())
