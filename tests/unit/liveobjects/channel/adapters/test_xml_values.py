"""Values as XML."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liven.liveobjects.channel.adapters.xml_values import NotAValueError, from_xml, to_xml

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64)
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.binary(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(VALUES)
def test_every_value_survives_a_round_trip(value: object) -> None:
    assert from_xml(to_xml(value)) == value


def test_infinities_and_nan_survive_a_round_trip() -> None:
    assert math.isnan(from_xml(to_xml(math.nan)))
    assert from_xml(to_xml(-math.inf)) == -math.inf


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"<Object/>",
        to_xml(5).replace(b"int>", b"integer>"),
        to_xml(5).replace(b">5<", b">five<"),
        to_xml(b"x").replace(b"eA==", b"!!"),
        to_xml({"a": 1}).replace(b"<key>", b"<int>").replace(b"</key>", b"</int>"),
    ],
)
def test_xml_that_is_not_a_value_is_refused(data: bytes) -> None:
    with pytest.raises(NotAValueError):
        from_xml(data)


def test_depth_is_bounded() -> None:
    deep: object = 1
    for _ in range(100):
        deep = [deep]
    with pytest.raises(NotAValueError, match="deep"):
        to_xml(deep)
