"""The metadata of libraries, of ours and of the original's."""

from __future__ import annotations

import pytest

from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.xml.metadata import Metadata, read_metadata, write_metadata


def test_the_original_s_metadata_are_read() -> None:
    text = b"""<?xml version="1.0" encoding="utf-16"?>
    <!-- the copyright of somebody -->
    <Library id="{c82cd0be0a64b5e51eeed98e07580c3c}`1"><Include filename="stock.dll" /></Library>"""
    assert read_metadata(text) == Metadata(0xC82CD0BE0A64B5E51EEED98E07580C3C, 1, ("stock.dll",))


def test_written_metadata_are_read_back_unchanged() -> None:
    metadata = Metadata(0xABC, 7, ("a.py", "b"), "Notes & <more>", "ab" * 32)
    assert read_metadata(write_metadata(metadata)) == metadata
    assert write_metadata(read_metadata(write_metadata(metadata))) == write_metadata(metadata)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<Root/>", "begins with Library"),
        ("<Library/>", "must have the attribute 'id'"),
        ('<Library id="notes"/>', "NAMESPACE`VERSION"),
        ('<Library id="0`1"/>', "NAMESPACE`VERSION"),
        ('<Library id="1:2`1"/>', "NAMESPACE`VERSION"),
        ('<Library id="1`1"><Thing/></Library>', "only Include may"),
        ('<Library id="1`1"><Include/></Library>', "must have the attribute 'filename'"),
        ('<Library id="1`1"><Include filename=""/></Library>', "without any separator"),
        ('<Library id="1`1"><Include filename="../x"/></Library>', "without any separator"),
        ('<Library id="1`1"><Include filename=".."/></Library>', "without any separator"),
        ('<Library id="1`1"><Include filename="a\\b"/></Library>', "without any separator"),
        ('<Library id="1`1"><Include filename="c:x"/></Library>', "without any separator"),
        ("<!DOCTYPE Library><Library id='1`1'/>", "a document type and its entities are not supported"),
        ("<Library", "not well-formed"),
    ],
)
def test_invalid_metadata_are_refused_with_their_place(text: str, words: str) -> None:
    with pytest.raises(ReadError) as caught:
        read_metadata(text.encode())
    assert words in str(caught.value)
    assert caught.value.line == 1
