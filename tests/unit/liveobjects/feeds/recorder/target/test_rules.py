"""Rules choose by name, path, channel and type, with signs of file names or expressions."""

from __future__ import annotations

import pytest

from liven.liveobjects.feeds.recorder.target.rules import BadRuleError, Rules

NOTE = ("Desk/Notes", "Notes", "home/f/a1", "a1", "liven:text")


@pytest.mark.parametrize(
    ("include", "exclude", "takes"),
    [
        ((), (), True),
        (("notes",), (), True),
        (("Desk/*",), (), True),
        (("liven:text",), (), True),
        (("a?",), (), True),
        ((r"re:desk/.*",), (), True),
        (("liven:desktop",), (), False),
        (("No",), (), False),
        (("*",), ("liven:t*",), False),
        ((), (r"re:.*/a\d",), False),
        (("liven:desktop", "N*"), ("M*",), True),
    ],
)
def test_a_rule_takes_what_a_pattern_fits(
    include: tuple[str, ...], exclude: tuple[str, ...], takes: bool
) -> None:
    assert Rules.of(include, exclude).takes(*NOTE) is takes


@pytest.mark.parametrize(
    ("pattern", "said"), [("re:(", "not a regular expression"), ("", "an empty pattern fits nothing")]
)
def test_a_pattern_that_cannot_be_read_is_refused(pattern: str, said: str) -> None:
    with pytest.raises(BadRuleError, match=said):
        Rules.of((pattern,))


def test_more_patterns_than_anybody_needs_are_refused() -> None:
    with pytest.raises(BadRuleError, match="201 patterns are given; 200 are allowed"):
        Rules.of(["*"] * 201)


def test_the_description_has_the_patterns_as_they_were_written() -> None:
    assert Rules.of(("A*",), ("re:b",)).described() == {"include": ["A*"], "exclude": ["re:b"]}
