from __future__ import annotations

import struct
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.runtime.tunnel.frames import LARGEST, FrameError, Parser, pack

MESSAGES = st.lists(
    st.tuples(st.text(), st.lists(st.integers(-(2**40), 2**40) | st.binary(max_size=50))), max_size=8
)


@given(MESSAGES, st.lists(st.integers(1, 20), min_size=1))
def test_messages_come_out_whole_however_the_bytes_are_cut(
    messages: list[tuple[str, list[int | bytes]]], cuts: list[int]
) -> None:
    data = b"".join(pack(name, *rest) for name, rest in messages)
    parser, seen, start = Parser(), list[list[object]](), 0
    for number in range(len(data)):
        size = cuts[number % len(cuts)]
        seen.extend(parser.feed(data[start : start + size]))
        start += size
    assert seen == [[name, *rest] for name, rest in messages]


@given(st.binary(max_size=200))
def test_any_bytes_are_messages_or_a_frame_error(data: bytes) -> None:
    try:
        for message in Parser().feed(data):
            assert isinstance(message[0], str)
    except FrameError:
        pass


def test_a_length_that_is_too_large_is_refused_before_it_is_waited_for() -> None:
    with pytest.raises(FrameError, match="the limit is"):
        list(Parser().feed(struct.pack(">I", LARGEST + 1)))


def test_a_message_that_is_too_large_is_not_sent() -> None:
    with pytest.raises(FrameError, match="the limit is"):
        pack("event", b"x" * (LARGEST + 1))


@pytest.mark.parametrize("body", [b"\x01", b"\x90", b"\x91\x01", b"\xc1"])
def test_a_frame_that_is_not_a_message_is_refused(body: bytes) -> None:
    with pytest.raises(FrameError, match="a frame"):
        list(Parser().feed(struct.pack(">I", len(body)) + body))


@pytest.mark.parametrize("item", [b"\x90", b"\xe0", b"\x80", b"\xdd\x00\x3f\xff\xff"])
def test_a_message_of_many_items_needs_little_memory_before_it_is_refused(item: bytes) -> None:
    size = 4 << 20
    body = b"\xdd" + struct.pack(">I", size) + item * (size // len(item))
    frame = struct.pack(">I", len(body)) + body
    tracemalloc.start()
    try:
        with pytest.raises(FrameError, match="not MessagePack"):
            list(Parser().feed(frame))
        assert tracemalloc.get_traced_memory()[1] < 8 * size
    finally:
        tracemalloc.stop()
