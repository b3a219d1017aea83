"""Measure channels: the cost of order, agreement and durability beside plain FIFO.

python bench/channels.py [--json]

Throughput and delay are ratios within one run. The baseline is the FIFO group channel as an object, with
the same classes, the same clients and the same batching. All members are in one process, joined by a hub
instead of a network, so a ratio of times is a ratio of work; on a network, where packets take longer than
the work for them, the differences are smaller.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from figure_report import Figure, report

HERE = Path(__file__).resolve().parent
SUBJECTS = ("throughput", "delay", "joining", "idle_channels")


def figures() -> Iterator[Figure]:
    """Yield the figures of every subject."""
    for subject in SUBJECTS:
        yield from import_module(f"channel_figures.{subject}").figures()


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    sys.exit(report("channels", figures()))
