"""Suggestions for unknown names."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liven.types.formalism.suggestions import listing, suggestion


def test_the_nearest_name_is_offered() -> None:
    assert suggestion("fifoo", ["total", "fifo", "causal"]) == "; did you mean fifo?"


def test_letter_case_does_not_hide_a_name() -> None:
    assert suggestion("SEND", ["Send", "Receive"]) == "; did you mean Send?"


def test_a_name_near_nothing_gets_the_list() -> None:
    assert suggestion("xyz", ["b", "a"]) == "; there is a, b"


def test_where_nothing_is_known_nothing_is_said() -> None:
    assert suggestion("xyz", []) == ""


def test_a_long_list_is_cut() -> None:
    names = [f"n{number:02}" for number in range(20)]
    assert suggestion("?", names).endswith("n11 and 8 more")
    assert listing(names, most=2) == "n00, n01 and 18 more"
    assert listing(names[:2], most=2) == "n00, n01"


@given(st.text(max_size=10), st.lists(st.text(max_size=10), max_size=30))
def test_whatever_the_names_there_is_something_to_say(name: str, known: list[str]) -> None:
    said = suggestion(name, known)
    assert bool(said) == bool(known)
    if name in known:
        assert said.startswith("; did you mean") or len(name) == 0
