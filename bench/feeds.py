"""Measure feeds: every module of `feeds_figures` has `figures()`, and all are printed together.

python bench/feeds.py [--json]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from figure_report import Figure, report

HERE = Path(__file__).resolve().parent


def figures() -> Iterator[Figure]:
    """Yield the figures of every subject, in the order of their names."""
    for place in sorted((HERE / "feeds_figures").glob("*.py")):
        yield from import_module(f"feeds_figures.{place.stem}").figures()


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    sys.exit(report("feeds", figures()))
