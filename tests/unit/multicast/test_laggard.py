"""Who is waited for, in words and as it is written down."""

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
def test_a_person_is_told_what_is_wrong(laggard: Laggard, words: str) -> None:
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
def test_what_is_written_down_is_read_again(laggard: Laggard) -> None:
    assert of_row(laggard.row()) == laggard


@pytest.mark.parametrize("row", [[], [1, 2, "", 0], [1, 9, "", 0, 0.0], ["x", 1, "", 0, 0.0]])
def test_what_is_no_laggard_is_refused(row: list[object]) -> None:
    with pytest.raises(ValueError, match=r"unpack|valid|literal"):
        of_row(row)
