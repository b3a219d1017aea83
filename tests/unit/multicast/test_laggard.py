"""Laggards, in words and as written to a file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.multicast.laggard import Lag, Laggard, of_row


@pytest.mark.parametrize(
    ("laggard", "words"),
    [
        (Laggard(7, Lag.SILENT, seconds=3.4), "silent for 3 s"),
        (Laggard(7, Lag.SILENT, seconds=0.6), "silent"),
        (Laggard(7, Lag.BEHIND, packets=1), "1 packet behind"),
        (Laggard(7, Lag.BEHIND, packets=12), "12 packets behind"),
        (Laggard(7, Lag.DEMOTED), "too slow; the others go on without it"),
        (Laggard(7, Lag.BRAKING, "chat"), "asks the others to wait"),
    ],
)
def test_the_words_of_a_laggard_give_the_reason(laggard: Laggard, words: str) -> None:
    assert laggard.words == words


@given(
    st.builds(
        Laggard,
        st.integers(0, 2**32 - 1),
        st.sampled_from(Lag),
        st.text(max_size=20),
        st.integers(0, 2**32),
        st.integers(0, 10**6).map(lambda tenths: tenths / 10),
    )
)
def test_a_laggard_survives_writing_and_reading(laggard: Laggard) -> None:
    assert of_row(laggard.row()) == laggard


@pytest.mark.parametrize("row", [[], [1, 2, "", 0], [1, 9, "", 0, 0.0], ["x", 1, "", 0, 0.0]])
def test_an_invalid_laggard_row_is_refused(row: list[object]) -> None:
    with pytest.raises(ValueError, match=r"unpack|valid|literal"):
        of_row(row)
