"""File names made from the names of objects."""

from __future__ import annotations

from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from liven.app.filenames import plain_name


@example("0000" + "\N{MATHEMATICAL BOLD CAPITAL A}" * 28 + " " + "\N{MATHEMATICAL BOLD CAPITAL A}")
@given(st.text())
def test_a_plain_name_has_no_path(name: str) -> None:
    plain = plain_name(name)
    assert plain
    assert len(plain.encode()) <= 120
    assert Path("/a", plain).parent == Path("/a")
    assert not plain.startswith(".")
    assert plain_name(plain) == plain
