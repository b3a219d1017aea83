"""Texts of strangers show every character that they have, in the order in which they are read."""

from __future__ import annotations

import unicodedata

import pytest

from liven.runtime.foreign_text import shown_line, shown_lines, shown_value
from liven.runtime.problems import Kind, Problem
from liven.runtime.reference.model import NAME, Attribute, Reference, name_of

TURNED = "invoice\u202egpj.exe"


def test_no_control_and_no_bidirectional_character_is_left() -> None:
    everything = "".join(map(chr, range(0x110000)))
    left = shown_line(everything)
    kept = {"\u200c", "\u200d"} | {one for one in left if unicodedata.bidirectional(one) in ("AN", "AL", "R")}
    for one in set(left) - kept:
        assert unicodedata.category(one) not in ("Cc", "Zl", "Zp", "Cs"), hex(ord(one))
        assert not unicodedata.bidirectional(one).startswith(("LR", "RL", "PD", "FS")), hex(ord(one))
    assert set("\u061c\u200e\u200f") & set(left) == set()


@pytest.mark.parametrize(
    ("text", "line", "lines"),
    [
        ("plain", "plain", "plain"),
        (TURNED, "invoicegpj.exe", "invoicegpj.exe"),
        ("a\r\nb\tc\u2028d", "a b c d", "a\nb\tc\nd"),
        ("An\u200bn", "Ann", "Ann"),
        ("\x1b[31mred", "[31mred", "[31mred"),
        ("نام\u200cها", "نام\u200cها", "نام\u200cها"),
        ("👩\u200d👧", "👩\u200d👧", "👩\u200d👧"),
        ("x\udc80", "x\N{REPLACEMENT CHARACTER}", "x\N{REPLACEMENT CHARACTER}"),
    ],
)
def test_a_text_is_shown_as_it_is_read(text: str, line: str, lines: str) -> None:
    assert (shown_line(text), shown_lines(text)) == (line, lines)


def test_the_name_of_an_object_and_a_problem_hide_nothing() -> None:
    assert name_of(Reference("x", attributes=(Attribute(NAME, TURNED),))) == "invoicegpj.exe"
    problem = Problem(Kind.RAISED, (TURNED,), f"{TURNED} failed\n\u2066now", f"remove\u202e {TURNED}")
    assert str(problem) == "invoicegpj.exe: invoicegpj.exe failed\nnow (remove invoicegpj.exe)"
    assert "\u202e" not in str(problem.as_record())


def test_value_of_any_depth_and_length_has_a_short_text() -> None:
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]
    assert shown_value(deep) == "[[[[[[[...]]]]]]]"
    assert len(shown_value(["x" * 10_000] * 100)) <= 80
    assert "\u202e" not in shown_value([TURNED])
