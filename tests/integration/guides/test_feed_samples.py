"""The samples of feeds are what their script writes, and every format reads its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.liveobjects.feeds.source.formats.format_table import FORMATS, cells_reader, decoder, table, term
from tools.feed_samples import FOLDER, SAMPLES, Sample, content


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_a_sample_is_what_the_script_writes(sample: Sample) -> None:
    assert (FOLDER / sample.name).read_bytes() == content(sample)


@pytest.mark.parametrize(
    "sample", [one for one in SAMPLES if one.format in FORMATS], ids=lambda one: one.name
)
def test_a_sample_is_read_by_its_format_without_a_fault(sample: Sample) -> None:
    data = (FOLDER / sample.name).read_bytes()
    record = FORMATS[sample.format].record
    assert record is not None
    kind = term(record)
    lines = FORMATS[sample.format].decode is None
    found = table(data, cells_reader(sample.format, kind)) if lines else decoder(sample.format, kind)(data)
    assert not found.faults
    assert len(found.rows) > 3


def test_samples_are_small() -> None:
    files = [path for path in Path(FOLDER).iterdir() if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 200_000
