"""Tables of texts: every damage is found before a text is decoded."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.feeds.segment.arrow import coded_names
from liven.liveobjects.feeds.segment.block import Names
from liven.liveobjects.feeds.segment.text_table import BadTableError, TextTable


def ends_of(texts: list[bytes]) -> np.ndarray:
    return np.cumsum([0, *map(len, texts)], dtype=np.int32)


def table_of(texts: list[str]) -> TextTable:
    parts = [text.encode() for text in texts]
    return TextTable(memoryview(b"".join(parts)), ends_of(parts))


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_texts_are_those_that_were_written(texts: list[str]) -> None:
    table = table_of(texts)
    assert list(table) == texts
    assert len(table) == len(texts)
    assert table[1:] == texts[1:]
    assert all(text in table for text in texts)
    codes = np.arange(len(texts), dtype=np.uint32)
    assert coded_names(Names(codes, table)).to_pylist() == texts


@given(st.lists(st.binary(max_size=3), max_size=4))
def test_a_table_is_accepted_if_each_of_its_texts_can_be_decoded(parts: list[bytes]) -> None:
    try:
        expected = [part.decode() for part in parts]
    except UnicodeDecodeError:
        with pytest.raises(BadTableError, match="not text"):
            TextTable(memoryview(b"".join(parts)), ends_of(parts))
    else:
        assert list(TextTable(memoryview(b"".join(parts)), ends_of(parts))) == expected


def test_a_character_in_two_texts_is_none() -> None:
    whole = "é".encode()
    with pytest.raises(BadTableError, match="not text"):
        TextTable(memoryview(whole), ends_of([whole[:1], whole[1:]]))


@pytest.mark.parametrize("ends", [[], [1, 3], [0, 2, 1, 3], [0, 2], [0, 4], [0, -1, 3]])
def test_ends_that_do_not_fit_are_refused(ends: list[int]) -> None:
    with pytest.raises(BadTableError, match="does not fit"):
        TextTable(memoryview(b"abc"), np.array(ends, np.int32))


def test_arrow_gets_the_bytes_as_they_are() -> None:
    table = table_of(["radar", "", "Zürich"])
    column = coded_names(Names(np.array([2, 0, 2], np.uint32), table))
    assert column.to_pylist() == ["Zürich", "radar", "Zürich"]
    assert column.dictionary.type == pa.string()
    assert table._texts is None
