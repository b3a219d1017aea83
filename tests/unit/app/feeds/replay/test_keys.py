from __future__ import annotations

import pytest

from liven.app.feeds.replay.keys import KeyReader


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b" ", ["space"]),
        (b"\x1b[C\x1b[D", ["right", "left"]),
        (b"\x1bOC\x1bOD", ["right", "left"]),
        (b"\x1b[1;2C\x1b[1;2D", ["shift right", "shift left"]),
        (b".,", ["shift right", "shift left"]),
        (b"\x1b[A\x1b[B\x1bOA\x1bOB", ["up", "down", "up", "down"]),
        (b"\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[7~\x1b[8~", ["home", "end"] * 3),
        (b"bmlqaBQ", ["b", "m", "l", "q", "a", "b", "q"]),
        (b"xyz\x1b[5~\x1b[200~\xff", []),
        (b"\x1b\x1b[C", ["right"]),
    ],
)
def test_bytes_of_a_terminal_become_keys(data: bytes, keys: list[str]) -> None:
    assert KeyReader().keys(data) == keys


@pytest.mark.parametrize("data", [b"\x1b[1;2C", b"\x1b[C", b"\x1b[1~"])
def test_keys_may_come_in_pieces(data: bytes) -> None:
    whole = KeyReader().keys(data)
    reader = KeyReader()
    assert [key for byte in data for key in reader.keys(bytes([byte]))] == whole


def test_endless_sequence_is_dropped() -> None:
    reader = KeyReader()
    assert reader.keys(b"\x1b[" + b"1;" * 20 + b" ") == ["space"]
