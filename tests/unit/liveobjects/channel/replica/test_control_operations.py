"""Control operations and their encoding among those of objects."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.history import FIRST_OWN, MalformedError
from liven.liveobjects.channel.history.inheritance import VOID
from liven.liveobjects.channel.ordering import Run
from liven.liveobjects.channel.replica.control_operations import (
    SIGN,
    Claims,
    Control,
    Mark,
    Nothing,
    Settles,
    decode,
    encode,
    for_objects,
    is_control,
    special_places,
)
from liven.types.codec import Codec
from liven.types.terms.value_types import INT64, TEXT

CONTROLS = st.sampled_from([Mark(), Nothing()]) | st.builds(Claims, st.text()) | st.builds(Settles, st.text())


@given(CONTROLS)
def test_encoded_operations_decode_to_the_same(control: Control) -> None:
    assert is_control(encode(control))
    assert decode(encode(control)) == control


@given(st.binary(max_size=40))
def test_invalid_bytes_raise_only_malformed_error(data: bytes) -> None:
    try:
        decode(SIGN + data)
    except MalformedError as error:
        assert "control operation" in str(error)


@pytest.mark.parametrize("data", [b"", b"\x90", b"\x91\x07", b"\x92\x01\x05", b"\x93\x01\xa1a\x01"])
def test_operations_of_no_known_kind_are_refused(data: bytes) -> None:
    with pytest.raises(MalformedError):
        decode(SIGN + data)


@given(st.integers(-(2**63), 2**63 - 1), st.text())
def test_no_value_of_an_object_looks_like_a_control_operation(number: int, text: str) -> None:
    payloads = [Codec(INT64).encode_compact(number), Codec(TEXT).encode_compact(text)]
    assert for_objects([payloads[0], encode(Mark()), payloads[1]]) == payloads


def test_a_run_stops_at_control_operations_and_agreed_numbers() -> None:
    payloads = [b"a", encode(Mark()), b"c", b"d"]
    run = Run(8, b"a" * 16, FIRST_OWN, payloads, [bytes(16)] * 4)
    assert special_places(run, 0) == [1]
    assert special_places(run, 10) == [1, 2]
    assert special_places(run, 3) == [1]
    assert special_places(run, 1) == [0, 1, 2, 3]
    assert special_places(run, 12) == [1]


def test_an_operation_that_the_history_had_already_is_nothing() -> None:
    run = Run(8, b"a" * 16, FIRST_OWN, [b"a", b"b"], [bytes(16)] * 2, (1,))
    assert run.taken == [b"a", VOID] == [b"a", encode(Nothing())]
    assert special_places(run, 0) == [1]
    assert for_objects(run.taken) == [b"a"]
