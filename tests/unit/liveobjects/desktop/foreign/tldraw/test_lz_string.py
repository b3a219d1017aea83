"""Texts that lz-string packed, and streams that it never wrote."""

from __future__ import annotations

from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.desktop.foreign.board import ForeignError
from liven.liveobjects.desktop.foreign.tldraw.lz_string import decompressed


def packed(words: str) -> str:
    """Return a text as lz-string packs it, with the plainest coder: no entry is ever used twice but whole
    known strings."""
    units = words.encode("utf-16-le", "surrogatepass")
    signs = [int.from_bytes(units[at : at + 2], "little") for at in range(0, len(units), 2)]
    bits: list[int] = []
    known: dict[tuple[int, ...], int] = {}
    count = 3

    def put(number: int, wide: int) -> None:
        bits.extend(number >> place & 1 for place in range(wide))

    at, is_first = 0, True
    before: tuple[int, ...] = ()
    while at < len(signs):
        wide = count.bit_length()
        longest = next(
            (end for end in range(min(len(signs), at + 20), at, -1) if tuple(signs[at:end]) in known), at
        )
        if longest == at:
            entry: tuple[int, ...] = (signs[at],)
            put(0 if signs[at] < 256 else 1, wide)
            put(signs[at], 8 if signs[at] < 256 else 16)
            known[entry] = count
            count += 1
        else:
            entry = tuple(signs[at:longest])
            put(known[entry], wide)
        if not is_first:
            known.setdefault((*before, entry[0]), count)
            count += 1
        before, is_first = entry, False
        at += len(entry)
    put(2, count.bit_length())
    bits += [0] * (-len(bits) % 8)
    data = bytes(int("".join(map(str, bits[at : at + 8])), 2) for at in range(0, len(bits), 8))
    return b64encode(data).decode()


@given(st.text(max_size=300))
def test_every_text_comes_back(words: str) -> None:
    assert decompressed(packed(words)) == words


def test_a_text_that_repeats_comes_back() -> None:
    words = '{"type":"shape","x":0}' * 200
    assert decompressed(packed(words)) == words


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("BYUwNmD2Q===", "hello"),
        ("Q===", ""),
        ("IY19kA==", "a" * 19),
        ("OIJwbw+wpgBIpmQ0KemgacyA", "Größe ♥ 日本"),
        ("BYUwNmD2CMoZAmOUDMzIBZ0FZ0DYg===", "hello1hello2hello3hello4hello5hello6"),
    ],
)
def test_what_the_library_wrote_is_read(written: str, words: str) -> None:
    assert decompressed(written) == words


def test_too_much_is_refused() -> None:
    with pytest.raises(ForeignError, match="too large"):
        decompressed(packed("a" * 1000), most=100)


@given(st.binary(max_size=200))
def test_other_streams_are_refused_or_read(data: bytes) -> None:
    try:
        decompressed(b64encode(data).decode(), most=10_000)
    except ForeignError as why:
        assert str(why)
