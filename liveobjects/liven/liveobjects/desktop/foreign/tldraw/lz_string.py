"""Texts compressed by lz-string in base64, as tldraw puts them on the clipboard. Both sides are bounded: a
few bytes can stand for megabytes.

The stream holds numbers of a growing count of bits, lowest bit first. 0 and 1 bring a new character of 8 or
16 bits, 2 ends the text, and each other number names an entry of the dictionary. Each number adds an entry,
too: the previous one with the first character of this one."""

from __future__ import annotations

import binascii
from base64 import b64decode
from typing import Final

from liven.liveobjects.desktop.foreign.board import ForeignError

_NEW_BYTE, _NEW_WORD, _END = 0, 1, 2
_FIRST_ENTRY: Final = 3
_MOST_PACKED: Final = 16_000_000
_MOST_LETTERS: Final = 64_000_000
_DAMAGED: Final = "the clipboard of tldraw is damaged; copy again"


class _Bits:
    """A stream of bits."""

    def __init__(self, data: bytes) -> None:
        self._bits = format(int.from_bytes(data, "big"), "b").zfill(8 * len(data))
        self._at = 0

    def take(self, count: int) -> int:
        """Return the next bits as a number, the lowest first."""
        found = self._bits[self._at : self._at + count]
        if len(found) < count:
            raise ForeignError(_DAMAGED)
        self._at += count
        return int(found[::-1], 2)


def decompressed(packed: str, most: int = _MOST_LETTERS) -> str:
    """Return a text of up to `most` characters; raise ForeignError if it is damaged or longer."""
    if len(packed) > _MOST_PACKED:
        raise ForeignError(f"it is too large; the limit is {_MOST_PACKED / 1e6:.0f} MB. Save it as a file")
    plain = packed.rstrip("=")
    if len(plain) % 4 == 1:
        plain += "A"  # six bits that no other coder of base64 would write
    try:
        data = b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise ForeignError(_DAMAGED) from None
    return _joined(_read(_Bits(data), most))


def _read(bits: _Bits, most: int) -> str:
    entries: list[str] = [""] * _FIRST_ENTRY
    found: list[str] = []
    length, before = 0, ""
    while (code := bits.take(len(entries).bit_length())) != _END:
        if code in (_NEW_BYTE, _NEW_WORD):
            entries.append(chr(bits.take(8 if code == _NEW_BYTE else 16)))
            entry = entries[-1]
        elif code < len(entries):
            entry = entries[code]
        elif code == len(entries) and before:
            entry = before + before[0]
        else:
            raise ForeignError(_DAMAGED)
        length += len(entry)
        if length > most:
            raise ForeignError(f"it is too large; the limit is {most / 1e6:.0f} MB. Save it as a file")
        found.append(entry)
        if before:
            entries.append(before + entry[0])
        before = entry
    return "".join(found)


def _joined(found: str) -> str:
    """Return a text in which pairs of surrogates are characters."""
    return found.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
