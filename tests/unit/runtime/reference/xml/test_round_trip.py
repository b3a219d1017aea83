"""Reading, writing and reading again changes nothing: for our own files, at random, and for old ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from liven.runtime.reference.model import Document, Object
from liven.runtime.reference.xml import ReadError, compact, read, read_object, write
from liven.runtime.reference.xml.schema import Schema
from liven.runtime.testing.reference_strategies import DOCUMENTS, OBJECTS

LOOKALIKES = sorted((Path(__file__).parents[1] / "lookalikes").glob("*.liveobject"))
SCHEMA = Schema.load()
law = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("path", LOOKALIKES, ids=lambda path: path.stem)
def test_a_file_with_the_quirks_of_old_ones_is_read_written_and_read_the_same(path: Path) -> None:
    first = read(path.read_bytes())
    written = write(first)
    assert read(written) == first
    assert write(read(written)) == written


@pytest.mark.parametrize("path", LOOKALIKES, ids=lambda path: path.stem)
def test_a_file_with_the_quirks_of_old_ones_is_valid_before_and_after(path: Path) -> None:
    data = path.read_bytes()
    assert SCHEMA.faults(data) == ()
    assert SCHEMA.faults(write(read(data))) == ()


@law
@given(DOCUMENTS)
def test_every_written_reference_is_read_back_unchanged(document: Document) -> None:
    written = write(document)
    assert read(written) == document
    assert write(read(written)) == written


@law
@given(DOCUMENTS)
def test_every_written_reference_is_valid(document: Document) -> None:
    assert SCHEMA.faults(write(document)) == ()


@law
@given(OBJECTS)
def test_the_compact_form_is_read_the_same(thing: Object) -> None:
    assert read_object(compact(thing)) == thing
    assert read_object(write(thing)) == thing


@pytest.mark.slow
@settings(law, max_examples=400)
@given(DOCUMENTS)
def test_the_laws_hold_of_many(document: Document) -> None:
    written = write(document)
    assert read(written) == document
    assert write(read(written)) == written
    assert SCHEMA.faults(written) == ()


def test_every_file_of_the_original_but_the_malformed_one_is_read_valid_and_written_the_same() -> None:
    folder = os.environ.get("LIVEN_CORPUS")
    if not folder:
        pytest.skip("corpus: absent (LIVEN_CORPUS names no folder); the look-alike files stand in")
    refused = []
    for path in sorted(Path(folder).rglob("*.liveobject")):
        data = path.read_bytes()
        try:
            document = read(data)
        except ReadError as error:
            refused.append((path.name, error.line, SCHEMA.faults(data) != ()))
            continue
        written = write(document)
        assert SCHEMA.faults(data) == (), path
        assert SCHEMA.faults(written) == (), path
        assert read(written) == document, path
    assert refused == [("plane_0.liveobject", 43, True)]
