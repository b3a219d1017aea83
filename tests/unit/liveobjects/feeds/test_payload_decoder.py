"""Payloads decoded by the types of a description."""

from __future__ import annotations

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest

from liven.liveobjects.feeds.description import TypeEntry
from liven.liveobjects.feeds.payload_decoder import PayloadDecoder, UndecodableError


def test_a_class_is_decoded_by_its_structure() -> None:
    decoder = PayloadDecoder({"mine:plane": TypeEntry("{x: float64, y: text?}")})
    assert decoder.decode("mine:plane", msgpack.packb({"x": 1.5, "y": None})) == {"x": 1.5, "y": None}
    with pytest.raises(UndecodableError, match="x"):
        decoder.decode("mine:plane", msgpack.packb({"x": "far"}))


def test_a_built_in_type_needs_no_description() -> None:
    decoder = PayloadDecoder({})
    assert decoder.decode("list<int32>", msgpack.packb([1, 2])) == [1, 2]
    with pytest.raises(UndecodableError):
        decoder.decode("int8", msgpack.packb(1000))


def test_an_unknown_type_is_shown_unchecked() -> None:
    decoder = PayloadDecoder({"odd": TypeEntry("no such<")})
    for name in ("", "odd", "nobody:knows", "\ud800"):
        assert decoder.decode(name, msgpack.packb([1, "a"])) == [1, "a"]
        assert not decoder.is_known(name)
    assert decoder.is_known("text")


@pytest.mark.parametrize("payload", [b"", b"\xc1", b"\xa5ab", b"\x91" * 5000, b"\xdd\xff\xff\xff\xff"])
def test_bytes_that_are_no_value_are_refused(payload: bytes) -> None:
    with pytest.raises(UndecodableError):
        PayloadDecoder({}).decode("nobody:knows", payload)
    with pytest.raises(UndecodableError):
        PayloadDecoder({}).decode("list<int32>", payload)
