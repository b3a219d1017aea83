from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgpack import packb  # type: ignore[import-untyped]  # it has no stubs

from liven.app.cp.messages import CHUNK, Data, Message, Need, Offer, Offered, pack, unpack

_SAMPLES: list[Message] = [
    Offer(b"12345678", (Offered("a.txt", 10, b"d" * 32), Offered("ü.bin", 0, b"e" * 32)), 3),
    Need(b"12345678", b"receiver", 2, 1, ((0, 5), (7, 9)), ""),
    Need(b"12345678", b"receiver", 0, 0, (), "the disk is full"),
    Data(b"12345678", 0, 4096, b"content"),
]


@pytest.mark.parametrize("message", _SAMPLES)
def test_a_message_survives_encoding(message: Message) -> None:
    assert unpack(pack(message)) == message


@given(st.binary(max_size=200))
def test_other_bytes_are_not_a_message(payload: bytes) -> None:
    message = unpack(payload)
    assert message is None or unpack(pack(message)) == message


@pytest.mark.parametrize("message", _SAMPLES)
def test_a_truncated_message_is_not_a_message(message: Message) -> None:
    whole = pack(message)
    assert [unpack(whole[:length]) for length in range(len(whole))] == [None] * len(whole)


@pytest.mark.parametrize(
    "name", ["", "../up", "a/b", ".hidden", "..", "line\nbreak", "x" * 256, 7, b"bytes", None]
)
def test_a_name_with_a_path_is_refused(name: object) -> None:
    assert unpack(packb([1, b"t", [[name, 1, b"d"]], 0])) is None


@pytest.mark.parametrize(
    "row",
    [
        [1, b"t", [["a", 1, b"d"], ["a", 1, b"d"]], 0],
        [1, b"t", [["a", -1, b"d"]], 0],
        [1, b"t", [["a", True, b"d"]], 0],
        [2, b"t", b"r", 0, 0, [[5, 5]], ""],
        [2, b"t", b"r", 0, 0, [[0, 1]] * 1001, ""],
        [3, b"t", 0, 0, b"x" * (CHUNK + 1)],
        [3, b"t" * 17, 0, 0, b"x"],
        [4, b"t"],
        [3],
        [],
        {},
        [[1], b"t"],
    ],
)
def test_values_out_of_bounds_are_refused(row: object) -> None:
    assert unpack(packb(row)) is None
