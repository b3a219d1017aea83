"""The messages of an ordered channel decode as they were encoded, or the error names the field."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.history import Claim, Epoch, MalformedError, Position, Session, Voter
from liven.liveobjects.channel.ordering.message_codec import (
    VERSION,
    OtherVersionError,
    decode,
    encode,
    sealed,
)
from liven.liveobjects.channel.ordering.messages import (
    BATCH_MOST,
    Doubt,
    Fill,
    Held,
    HistorySource,
    Judged,
    LeftOut,
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
)

REGIME, AUTHOR = b"r" * 16, b"a" * 16
HERE = Position(b"e" * 16, 7, b"c" * 16)
MESSAGES: list[Message] = [
    Work(REGIME, 3, [b"x", b""], None, None),
    Work(
        REGIME,
        0,
        [],
        Order(4, (0, 2, 1, 1), 1, Session(2, (AUTHOR,))),
        Progress(9, 1, True, False, b"c" * 16),
    ),
    Report(
        REGIME,
        AUTHOR,
        Voter(b"v" * 16, (b"f" * 16, b"g" * 16)),
        HistorySource.LIVE,
        True,
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
    Plan(REGIME, (Tail(AUTHOR, 2, 5, 2**32 - 1),)),
    Start(REGIME, HERE, HERE, (Epoch(b"e" * 16, HERE, True),), ((AUTHOR, 4),)),
    Fill(REGIME, 8, ((AUTHOR, 5, [b"p", b"q"]),), (Epoch(b"e" * 16, HERE, False),)),
    Open(REGIME),
    Doubt(REGIME, (1, 2**32 - 1)),
    LeftOut(REGIME, (1, 8193, (1 << 32) - 1)),
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


@given(st.integers(0, 11), st.lists(anything, max_size=13))
def test_any_array_is_a_message_or_malformed(kind: int, rest: list[object]) -> None:
    with contextlib.suppress(MalformedError):
        decode(sealed(bytes((VERSION,)) + msgpack.packb([kind, REGIME, *rest])))


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
        ([11, REGIME], "11 is not a kind of message"),
        ([b"1", REGIME], "is not a kind of message"),
        ([7, REGIME, 1], "0 items"),
    ],
)
def test_the_error_names_the_field_that_exceeds_its_bound(parts: list[object], why: str) -> None:
    with pytest.raises(MalformedError, match=why):
        decode(sealed(bytes((VERSION,)) + msgpack.packb(parts)))


@pytest.mark.parametrize("version", [b"", b"\1", bytes((VERSION + 1,)), b"\x7f"])
def test_the_version_of_a_message_is_looked_at_before_its_fields(version: bytes) -> None:
    """Version 1 was no byte at all."""
    for parts in ([2, REGIME, *range(14)], [12, REGIME], [1, REGIME, 1, [], None, None]):
        with pytest.raises(OtherVersionError):
            decode(sealed(version + msgpack.packb(parts)))


def test_a_message_that_is_not_an_array_is_refused() -> None:
    for payload in (b"", b"\xc1", msgpack.packb({}), msgpack.packb([1])):
        with pytest.raises(MalformedError):
            decode(payload)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
@given(place=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_no_changed_bit_passes_as_another_message(message: Message, place: int, bit: int) -> None:
    payload = bytearray(encode(message))
    payload[place % len(payload)] ^= 1 << bit
    with pytest.raises(MalformedError):
        decode(bytes(payload))


def test_a_history_whose_stable_part_is_longer_than_itself_is_refused() -> None:
    longer = Position(HERE.epoch, HERE.number + 1, HERE.chain)
    report = next(each for each in MESSAGES if isinstance(each, Report))
    with pytest.raises(MalformedError, match="longer than the history"):
        decode(encode(replace(report, claim=Claim(HERE, True, longer))))
    with pytest.raises(MalformedError, match="longer than the history"):
        decode(encode(replace(report, claim=Claim(HERE, True, HERE, longer.number))))
