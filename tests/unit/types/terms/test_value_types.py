from __future__ import annotations

import pytest

from liven.types.ids import ClassId
from liven.types.terms.value_types import (
    INT32,
    TEXT,
    UINT8,
    ClassTag,
    Integer,
    OptionalOf,
    optional,
    record,
    union,
)


def test_integers_of_a_width_are_intervals() -> None:
    assert Integer(0, 255) == UINT8
    assert Integer(-(2**31), 2**31 - 1) == INT32


def test_an_empty_interval_is_refused() -> None:
    with pytest.raises(ValueError, match=r"there is no whole number from 3 to 2"):
        Integer(3, 2)


def test_bounds_too_large_to_print_are_refused() -> None:
    assert Integer(-(2**255), 2**256 - 1).high.bit_length() == 256
    with pytest.raises(ValueError, match="must fit in 256 bits"):
        Integer(0, 10**5000)


def test_an_optional_of_an_optional_is_the_optional_itself() -> None:
    assert optional(optional(TEXT)) == OptionalOf(TEXT)


def test_fields_and_tags_are_kept_in_order_of_their_names() -> None:
    assert record(b=TEXT, a=INT32).fields == (("a", INT32), ("b", TEXT))
    assert union(b=TEXT, a=INT32).tags == (("a", INT32), ("b", TEXT))


def test_the_name_of_a_class_does_not_affect_equality() -> None:
    assert record(ClassTag(ClassId(1), "Point"), x=INT32) == record(x=INT32)
