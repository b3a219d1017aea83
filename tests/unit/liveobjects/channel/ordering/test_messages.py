"""The messages of an ordered channel decode as they were encoded, or the error names the field."""

from __future__ import annotations

import contextlib

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.history import Claim, Epoch, MalformedError, Position, Session
from liven.liveobjects.channel.ordering.messages import (
    BATCH_MOST,
    Fill,
    Held,
    Judged,
    Life,
    Message,
    Open,
    Order,
    Plan,
    Progress,
    Report,
    Start,
    Tail,
    Unordered,
    Verdict,
    Work,
    decode,
    encode,
)

REGIME, AUTHOR = b"r" * 16, b"a" * 16
HERE = Position(b"e" * 16, 7, b"c" * 16)
MESSAGES: list[Message] = [
    Work(REGIME, 3, [b"x", b""], None, None),
    Work(REGIME, 0, [], Order(4, (0, 2, 1, 1), 1, Session(2, (AUTHOR,))), Progress(9, 1, True, False)),
    Report(
        REGIME,
        AUTHOR,
        Life.LIVE,
        False,
        b"t" * 16,
        3,
        2,
        Claim(HERE, True, HERE),
        HERE,
        5,
        (Held(AUTHOR, 1, 4),),
        Session(1, ()),
        (Session(2, (AUTHOR,), b"f" * 16),),
    ),
    Verdict(REGIME, (Judged(True, False, True),)),
    Plan(REGIME, (Tail(AUTHOR, 2, 5, 8),)),
    Start(REGIME, HERE, HERE, (Epoch(b"e" * 16, HERE, True),), ((AUTHOR, 4),)),
    Fill(REGIME, 8, ((AUTHOR, 5, [b"p", b"q"]),), (Epoch(b"e" * 16, HERE, False),)),
    Open(REGIME),
    Unordered(b"anything"),
]
anything = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 2**64 - 1) | st.binary(max_size=20) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=5),
    max_leaves=12,
)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_encoded_values_decode_to_the_same(message: Message) -> None:
    assert decode(encode(message)) == message


@given(st.binary(max_size=64))
def test_any_bytes_are_a_message_or_malformed(payload: bytes) -> None:
    with contextlib.suppress(MalformedError):
        decode(payload)


@given(st.integers(0, 9), st.lists(anything, max_size=13))
def test_any_array_is_a_message_or_malformed(kind: int, rest: list[object]) -> None:
    with contextlib.suppress(MalformedError):
        decode(msgpack.packb([kind, REGIME, *rest]))


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
@given(place=st.integers(0, 10_000), value=st.integers(0, 255))
def test_a_changed_byte_never_raises_anything_else(message: Message, place: int, value: int) -> None:
    payload = bytearray(encode(message))
    payload[place % len(payload)] = value
    with contextlib.suppress(MalformedError):
        decode(bytes(payload))


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ([1, REGIME, 1, [b"x"] * (BATCH_MOST + 1), None, None], "at most"),
        ([1, REGIME, 1, ["text"], None, None], "operations must be bytes"),
        ([1, REGIME, -1, [], None, None], "a number from 0"),
        ([1, REGIME, 1, [], [0, [1], None, None], None], "pairs"),
        ([1, REGIME, 1, [], [0, [1, -1], None, None], None], "runs are numbers"),
        ([1, REGIME, 1, [], [0, [1, True], None, None], None], "runs are numbers"),
        ([1, b"long" * 5, 1, [], None, None], "at most 16 bytes"),
        ([9, REGIME], "9 is not a kind of message"),
        ([b"1", REGIME], "is not a kind of message"),
        ([7, REGIME, 1], "0 items"),
    ],
)
def test_the_error_names_the_field_that_exceeds_its_bound(parts: list[object], why: str) -> None:
    with pytest.raises(MalformedError, match=why):
        decode(msgpack.packb(parts))


def test_a_message_that_is_not_an_array_is_refused() -> None:
    for payload in (b"", b"\xc1", msgpack.packb({}), msgpack.packb([1])):
        with pytest.raises(MalformedError):
            decode(payload)
