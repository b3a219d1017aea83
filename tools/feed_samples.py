"""Writes the files of samples/feeds: made up from a seed, so that they belong to nobody and never change.

python -m tools.feed_samples
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from liven.liveobjects.feeds.source.generator.generators import GENERATORS
from liven.liveobjects.feeds.source.generator.public_formats import written
from liven.runtime.files import write_file

FOLDER: Final = Path(__file__).resolve().parent.parent / "samples" / "feeds"
SEED: Final = 1
START: Final = 1_793_599_200_000_000
"""2026-11-02 06:00 UTC."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One file."""

    name: str
    format: str
    generator: str
    count: int
    seconds: float


SAMPLES: Final = (
    Sample("opensky.json", "opensky", "airspace", 12, 30),
    Sample("aircraft.json", "aircraft.json", "airspace", 12, 30),
    Sample("basestation.csv", "basestation", "airspace", 6, 10),
    Sample("earthquakes.geojson", "usgs", "earthquakes", 6, 6 * 3600),
    Sample("quotes.csv", "quotes", "quotes", 4, 30),
    Sample("bars.csv", "ohlc", "quotes", 1, 1800),
    Sample("klines.json", "klines", "quotes", 1, 1800),
    Sample("aircraft.jsonl", "jsonl", "airspace", 5, 10),
)


def content(sample: Sample) -> bytes:
    """Return the bytes of a sample."""
    generator = GENERATORS[sample.generator](SEED, sample.count)
    rows = (one.row for _, step in generator.steps(START, sample.seconds) for one in step)
    return b"".join(written(sample.format, sample.generator, rows))


def main() -> None:
    """Write all samples."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for sample in SAMPLES:
        data = content(sample)
        write_file(FOLDER / sample.name, data)
        print(f"{sample.name}: {len(data):,} bytes")


if __name__ == "__main__":
    main()
