from __future__ import annotations

from typing import Any

import pytest

from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.value_text import show
from liven.types.terms.value_types import (
    BOOL,
    BYTES,
    FLOAT64,
    ID,
    INT32,
    TEXT,
    EndpointTo,
    ListOf,
    Loop,
    MapOf,
    Recursive,
    RefTo,
    ValueType,
    optional,
    record,
    union,
)

CHAIN = Recursive("T", record(head=INT32, tail=optional(Loop("T"))))


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        (INT32, -3, "-3"),
        (FLOAT64, 1.5, "1.5"),
        (BOOL, True, "true"),
        (TEXT, "it's", '"it\'s"'),
        (BYTES, b"abc", "3 bytes"),
        (ID, bytes(15) + b"\x0a", "0000000000000000000000000000000A"),
        (ListOf(INT32), [1, 2], "[1, 2]"),
        (MapOf(INT32), {"b": 1, "a": 2}, "{a: 2, b: 1}"),
        (record(x=INT32, y=optional(TEXT)), {"x": 1, "y": None}, "{x: 1, y: nothing}"),
        (MapOf(INT32), {"a b": 1, "c\n": 2}, "{'a b': 1, 'c\\n': 2}"),
        (EndpointTo(EndpointType()), "here", "reference of 4 characters"),
        (union(a=INT32, b=TEXT), {"a": 4}, "a(4)"),
        (RefTo(ObjectType()), "<Root/>", "reference of 7 characters"),
        (CHAIN, {"head": 1, "tail": {"head": 2, "tail": None}}, "{head: 1, tail: {head: 2, tail: nothing}}"),
    ],
)
def test_every_value_has_a_printed_form(kind: ValueType, value: Any, text: str) -> None:
    assert show(kind, value) == text


def test_long_texts_long_lists_and_deep_nests_are_cut() -> None:
    assert len(show(TEXT, "x" * 5000)) < 70
    assert show(ListOf(INT32), list(range(5000))).endswith("11, …]")
    chain: Any = None
    for number in range(50):
        chain = {"head": number, "tail": chain}
    assert "…" in show(CHAIN, chain)


def test_a_broad_and_deep_value_is_shown_quickly() -> None:
    kind: ValueType = INT32
    value: Any = 1
    for _ in range(20):
        kind, value = ListOf(kind), [value] * 20
    assert len(show(kind, value)) < 10_000
