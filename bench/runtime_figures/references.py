"""References: the time to read, check and show them, and the cost of reading beside a bare parse."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from figure_report import Figure, best_of, report
from lxml import etree

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.reference.identity import digest
from liven.runtime.reference.xml import read, write
from liven.runtime.reference.xml.schema import Schema

LOOKALIKES = Path(__file__).parents[2] / "tests/unit/runtime/reference/lookalikes"
MEDIAN = 3500
"""Bytes of the median file of the original."""


def sample() -> bytes:
    """Return a file of the median size: the nearest of the originals if they are available, else one of
    ours."""
    corpus = os.environ.get("LIVEN_CORPUS")
    folder = Path(corpus) if corpus else LOOKALIKES
    files = [path.read_bytes() for path in sorted(folder.rglob("*.liveobject"))]
    files = [data for data in files if b"<From" in data]
    return min(files, key=lambda data: abs(len(data) - MEDIAN))


def starts(count: int) -> Iterator[float]:
    """Return the seconds from the start of `liven show` to its end, in processes of their own."""
    words = (
        "import liven.app.main; import argparse; from liven.runtime.commands import show;"
        " parser = argparse.ArgumentParser(); show.configure(parser); show.run(parser.parse_args())"
    )
    for _ in range(count):
        start = time.perf_counter()
        file = LOOKALIKES / "composite.liveobject"
        subprocess.run([sys.executable, "-c", words, str(file)], check=True, stdout=subprocess.DEVNULL)
        yield time.perf_counter() - start


def figures() -> Iterator[Figure]:
    """Yield all figures."""
    data = sample()
    document = read(data)
    assert document.object is not None
    thing = document.object
    known, schema = TypeKnowledge.stock(), Schema.load()
    bare = best_of(5, 200, lambda: etree.fromstring(data, etree.XMLParser()))
    whole = best_of(5, 200, lambda: read(data))
    yield Figure("file read", len(data), "bytes")
    yield Figure("bytes → model", whole * 1000, "ms")
    yield Figure("ratio to a bare parse", whole / bare, "×")
    yield Figure("model → bytes", best_of(5, 200, lambda: write(document)) * 1000, "ms")
    yield Figure("canonical hash", best_of(5, 100, lambda: digest(thing, known.checker.lookup)) * 1000, "ms")
    yield Figure("schema validation", best_of(5, 100, lambda: schema.faults(data)) * 1000, "ms")
    start = time.perf_counter()
    known.checker.check(thing)
    yield Figure("static check, first", (time.perf_counter() - start) * 1000, "ms")
    checked = best_of(5, 100, lambda: known.checker.check(thing))
    yield Figure("static check", checked * 1000, "ms", 3)
    yield Figure("bytes → checked model", (whole + checked) * 1000, "ms", 0.7)
    yield Figure("start of `liven show`", statistics.median(starts(5)) * 1000, "ms", 300)


if __name__ == "__main__":
    sys.exit(report("references", figures()))
