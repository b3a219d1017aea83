"""Choosing records of a block by name."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.feeds.filter import BadFilterError, RecordFilter, filtered
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.pending_block import PendingBlock

NAMES = st.sampled_from(["", "a", "b", "ab"])
RECORDS = st.builds(
    Record,
    st.integers(0, 9),
    st.just(0),
    NAMES,
    NAMES,
    NAMES,
    NAMES,
    st.just(0),
    st.just(0),
    st.binary(max_size=3),
)


@given(
    st.lists(RECORDS, min_size=1, max_size=12),
    st.lists(NAMES, max_size=2),
    st.lists(NAMES, max_size=2),
    st.sampled_from([None, "a", "^$", "b$"]),
)
def test_the_chosen_are_those_that_a_walk_would_choose(
    records: list[Record], objects: list[str], authors: list[str], match: str | None
) -> None:
    import re

    pending = PendingBlock()
    pending.extend(records, sum(len(record.payload) for record in records))
    block = pending.block(7)
    wanted = RecordFilter.of(object=objects, author=authors, match=match)
    expected = [
        (number, record)
        for number, record in enumerate(records, 7)
        if (not objects or record.object in objects)
        and (not authors or record.author in authors)
        and (match is None or re.search(match, record.object) or re.search(match, record.channel))
    ]
    assert list(filtered(block, wanted)) == expected
    assert np.array_equal(wanted.rows(block) + 7, [number for number, _ in expected])


def test_an_expression_that_is_none_is_refused() -> None:
    with pytest.raises(BadFilterError, match=r"'\[' is not a regular expression"):
        RecordFilter.of(match="[")
