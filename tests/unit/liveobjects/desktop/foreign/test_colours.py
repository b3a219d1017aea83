"""Colours of other programs find the nearest of ours."""

from __future__ import annotations

import pytest

from liven.liveobjects.desktop.foreign.colours import hue_of, paper_of, size_of
from liven.liveobjects.desktop.state import HUES
from liven.liveobjects.look.tokens import DAY


@pytest.mark.parametrize("name", HUES)
def test_our_own_hues_find_themselves(name: str) -> None:
    assert hue_of(DAY.hues[HUES.index(name)]) == name


@pytest.mark.parametrize("name", DAY.papers)
def test_our_own_papers_find_themselves(name: str) -> None:
    assert paper_of(DAY.papers[name].sheet) == name


@pytest.mark.parametrize(
    ("colour", "hue"),
    [
        ("#1e1e1e", ""),
        ("#ffffff", ""),
        ("#1971c2", "blue"),
        ("#2f9e44", "green"),
        ("#e03131", "orange"),
        ("#6741d9", "violet"),
        ("#f08c00", "orange"),
        ("#fcc419", "gold"),
        ("#868e96", "grey"),
        ("#00f", "blue"),
        ("#1971c2ff", "blue"),
        ("transparent", ""),
        ("", ""),
    ],
)
def test_hues(colour: str, hue: str) -> None:
    assert hue_of(colour) == hue


@pytest.mark.parametrize(
    ("colour", "paper"),
    [
        ("#ffc9c9", "rose"),
        ("#a5d8ff", "sky"),
        ("#b2f2bb", "mint"),
        ("#ffec99", "sun"),
        ("#d0bfff", "lilac"),
        ("#ffd8a8", "apricot"),
        ("#e9ecef", "paper"),
        ("#343a40", "slate"),
    ],
)
def test_papers(colour: str, paper: str) -> None:
    assert paper_of(colour) == paper


@pytest.mark.parametrize(
    ("pixels", "size"), [(0, "small"), (13, "small"), (16, "medium"), (22, "large"), (60, "huge")]
)
def test_sizes(pixels: float, size: str) -> None:
    assert size_of(pixels) == size
