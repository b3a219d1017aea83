"""The laws of codecs: a written value is read by its type and every supertype; junk is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from liven.types.codec import Codec, CodecError
from liven.types.codec.mixed_floats import widths
from liven.types.matching import Matcher

if TYPE_CHECKING:
    from tests.unit.types.laws.conftest import Terms

tried = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))

junk: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(max_size=3)
    | st.binary(max_size=17),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abchm"), inner, max_size=3),
    max_leaves=6,
)


@tried
@given(data=st.data())
def test_what_is_written_is_read_in_both_forms(terms: Terms, data: st.DataObject) -> None:
    kind = data.draw(terms.values())
    codec = Codec(kind)
    value = data.draw(terms.value_of(kind))
    assert codec.check(value) == value
    assert codec.decode(codec.encode(value)) == value
    assert codec.decode_compact(codec.encode_compact(value)) == value


@tried
@given(data=st.data())
def test_a_supertype_reads_what_a_subtype_wrote(terms: Terms, data: st.DataObject) -> None:
    narrow = data.draw(terms.values())
    wide = data.draw(terms.wider_of(narrow))
    value = data.draw(terms.value_of(narrow))
    read = Codec(wide).decode(Codec(narrow).encode(value))
    assert read == Codec(wide).check(value)
    assert terms.accepts(wide, read)


@tried
@given(data=st.data())
def test_a_value_is_written_or_refused_exactly_as_its_type_means(terms: Terms, data: st.DataObject) -> None:
    kind = data.draw(terms.values())
    value = data.draw(junk | terms.value_of(kind) | terms.value_of(data.draw(terms.values())))
    wire = msgpack.packb(value)
    if terms.accepts(kind, value):
        assert Codec(kind).decode(wire) == Codec(kind).check(value) or value != value
    else:
        try:
            read = Codec(kind).decode(wire)
        except CodecError:
            return
        raise AssertionError(f"{read!r} was read")


@tried
@given(data=st.data(), junk_bytes=st.binary(max_size=60))
def test_hostile_bytes_end_in_a_value_or_in_a_codec_error(
    terms: Terms, data: st.DataObject, junk_bytes: bytes
) -> None:
    kind = data.draw(terms.values())
    codec = Codec(kind)
    valid = codec.encode(data.draw(terms.value_of(kind)))
    cut = data.draw(st.integers(0, len(valid)))
    for wire in (junk_bytes, valid[:cut] + junk_bytes, valid[:cut] + junk_bytes + valid[cut + 1 :]):
        try:
            read = codec.decode(wire)
        except CodecError:
            continue
        assert terms.accepts(kind, read)


@tried
@given(data=st.data())
def test_bytes_depend_on_the_value_alone(terms: Terms, matcher: Matcher, data: st.DataObject) -> None:
    kind = data.draw(terms.values())
    value = data.draw(terms.value_of(kind))
    assert Codec(kind).encode(value) == Codec(kind).encode(turned(value))


def turned(value: Any) -> Any:
    """Return the same value, every dict filled in the opposite order."""
    if isinstance(value, dict):
        return {name: turned(value[name]) for name in reversed(list(value))}
    return [turned(item) for item in value] if isinstance(value, list) else value


@tried
@given(data=st.data())
def test_the_wire_is_messagepack_of_the_neutral_form_in_order(terms: Terms, data: st.DataObject) -> None:
    """Any other MessagePack reader sees exactly the value that was checked."""
    kind = data.draw(terms.values())
    codec = Codec(kind)
    value = codec.check(data.draw(terms.value_of(kind)))
    wire = codec.encode(value)
    assert msgpack.unpackb(wire) == value
    assert in_order(msgpack.unpackb(wire))
    if widths(kind) == {64}:
        assert wire == msgpack.packb(ordered(value))


@tried
@given(data=st.data())
def test_the_compact_form_is_never_longer(terms: Terms, data: st.DataObject) -> None:
    kind = data.draw(terms.values())
    codec = Codec(kind)
    value = data.draw(terms.value_of(kind))
    assert len(codec.encode_compact(value)) <= len(codec.encode(value))


@tried
@given(data=st.data())
def test_checking_twice_is_checking_once(terms: Terms, data: st.DataObject) -> None:
    kind = data.draw(terms.values())
    codec = Codec(kind)
    once = codec.check(data.draw(terms.value_of(kind)))
    assert codec.check(once) == once


@tried
@given(data=st.data())
def test_every_fault_begins_with_the_name_that_was_given(terms: Terms, data: st.DataObject) -> None:
    codec = Codec(data.draw(terms.values()))
    for operation, given_value in ((codec.encode, data.draw(junk)), (codec.decode, data.draw(st.binary()))):
        try:
            operation(given_value, "op")
        except CodecError as fault:
            assert fault.path.startswith("op")
            assert str(fault) == f"{fault.path}: {fault.problem}"


def in_order(value: Any) -> bool:
    if isinstance(value, dict):
        return list(value) == sorted(value) and all(map(in_order, value.values()))
    return not isinstance(value, list) or all(map(in_order, value))


def ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: ordered(value[name]) for name in sorted(value)}
    return [ordered(item) for item in value] if isinstance(value, list) else value


@pytest.mark.slow
@settings(max_examples=800, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_mutated_bytes_end_in_a_value_or_in_a_codec_error(terms: Terms, data: st.DataObject) -> None:
    """A longer run of the law above, with single bytes changed."""
    kind = data.draw(terms.values())
    codec = Codec(kind)
    for encode, decode in ((codec.encode, codec.decode), (codec.encode_compact, codec.decode_compact)):
        wire = bytearray(encode(data.draw(terms.value_of(kind))))
        for _ in range(data.draw(st.integers(1, 4))):
            wire[data.draw(st.integers(0, len(wire) - 1))] = data.draw(st.integers(0, 255))
        try:
            read = decode(bytes(wire))
        except CodecError:
            continue
        assert terms.accepts(kind, read)
