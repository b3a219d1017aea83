from __future__ import annotations

from typing import Any

import pytest

from liven.types.codec import Codec, NoWireFormError
from liven.types.codec.depth_limit import MOST_LEVELS, demand_shallow
from liven.types.terms.value_types import TEXT, ListOf, Loop, Recursive, ValueType, optional, record


def nested(levels: int, inner: ValueType = TEXT) -> ValueType:
    kind = inner
    for _ in range(levels):
        kind = ListOf(kind)
    return kind


@pytest.mark.parametrize(
    "kind",
    [nested(3000), Recursive("T", nested(3000, Loop("T"))), nested(MOST_LEVELS), record(a=nested(250))],
)
def test_a_type_that_nests_too_deep_has_no_codec(kind: ValueType) -> None:
    with pytest.raises(NoWireFormError, match="the type is nested more than 200 levels deep"):
        Codec(kind)


def test_a_type_at_the_depth_limit_has_a_codec() -> None:
    value: Any = "x"
    for _ in range(MOST_LEVELS - 1):
        value = [value]
    codec = Codec(nested(MOST_LEVELS - 1))
    assert codec.decode(codec.encode(value)) == value
    assert codec.decode_compact(codec.encode_compact(value)) == value


def test_a_type_with_shared_parts_is_checked_in_linear_time() -> None:
    kind: ValueType = TEXT
    for _ in range(60):
        kind = record(a=kind, b=optional(kind))
    demand_shallow(kind)
