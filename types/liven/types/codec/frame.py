"""Looking over MessagePack before it is unpacked, where its headers claim a lot.

The unpacker makes room for as many items as a header claims. A claim of a few thousand costs little, so
bytes are unpacked straight away under that bound; those that claim more are walked here first, so that
never more room is made than the bytes could fill.
"""

from __future__ import annotations

from liven.types.codec.fault import CodecError

TRUSTED = 4096
"""Items that a header may claim without being looked over; fewer bytes than that need no looking over."""

_FIXED = {0xC0: 0, 0xC2: 0, 0xC3: 0, 0xCA: 4, 0xCB: 8, 0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8}
_FIXED |= {0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8, 0xD4: 2, 0xD5: 3, 0xD6: 5, 0xD7: 9, 0xD8: 17}
_COUNTED = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4}
_EXTENDED = {0xC7: 1, 0xC8: 2, 0xC9: 4}
_CONTAINERS = {0xDC: (2, 1), 0xDD: (4, 1), 0xDE: (2, 2), 0xDF: (4, 2)}


_DEEPEST = 1000
"""Just under what the unpacker itself refuses."""


def look_over(data: bytes) -> None:
    """Passes if every header is honest; raises CodecError."""
    position, owed, open_items = 0, 1, [1]
    while open_items:
        if not open_items[-1]:
            open_items.pop()
            continue
        if position >= len(data):
            raise CodecError("", f"the bytes end after {len(data)}, in the middle of a value")
        open_items[-1] -= 1
        size, items = _header(data, position)
        position += size
        owed += items - 1
        if owed > len(data) - position:
            raise CodecError("", f"a header before byte {position} claims more than the bytes hold")
        if items:
            open_items.append(items)
        if len(open_items) > _DEEPEST:
            raise CodecError("", f"nested more than {_DEEPEST} levels deep")


def _header(data: bytes, at: int) -> tuple[int, int]:
    """The bytes that the value at `at` takes without its items, and the number of its items."""
    code = data[at]
    if code < 0x80 or code >= 0xE0:
        return 1, 0
    if code < 0xA0:
        return 1, (code & 15) * (2 if code < 0x90 else 1)
    if code < 0xC0:
        return 1 + (code & 31), 0
    if code in _FIXED:
        return 1 + _FIXED[code], 0
    if code in _CONTAINERS:
        width, each = _CONTAINERS[code]
        return 1 + width, each * int.from_bytes(data[at + 1 : at + 1 + width], "big")
    return _run(data, at, code), 0


def _run(data: bytes, at: int, code: int) -> int:
    width = _COUNTED.get(code) or _EXTENDED.get(code)
    if width is None:
        raise CodecError("", f"byte {at} ({code:#x}) begins no value")
    length = int.from_bytes(data[at + 1 : at + 1 + width], "big")
    return 1 + width + length + (code in _EXTENDED)
