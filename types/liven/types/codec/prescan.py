"""Looking over MessagePack before it is unpacked, where its headers may claim a lot.

The unpacker makes room for as many items as a header claims, and headers nest. Few bytes cannot claim much;
longer ones are walked here first without making anything, so that never more room is made than the bytes
fill. The walk is the unpacker's own `skip`: written in C, it costs a small part of the unpacking.
"""

from __future__ import annotations

from typing import Any

from msgpack import Unpacker  # type: ignore[import-untyped]  # it has no stubs
from msgpack.exceptions import FormatError, OutOfData, StackError  # type: ignore[import-untyped]

from liven.types.codec.errors import CodecError
from liven.types.terms.recursion import bare
from liven.types.terms.value_types import ListOf, MapOf, Record, Union, ValueType

TRUSTED = 4096
"""Fewer bytes than these are unpacked straight away."""

_LONG_LISTS, _LONG_MAPS = (0xDC, 0xDD), (0xDE, 0xDF)


def look_over(data: bytes) -> None:
    """Passes if every header is honest; raises CodecError."""
    walker = Unpacker(max_buffer_size=max(len(data), 1))
    walker.feed(data)
    try:
        walker.skip()
    except OutOfData:
        said = (
            f"the bytes end after {len(data)}, in the middle of a value; a header claims more than they hold"
        )
        raise CodecError("", said) from None
    except (FormatError, StackError) as problem:
        raise CodecError("", refusal_of(problem)) from None


def refusal_of(problem: Exception) -> str:
    """What the unpacker means by an error that has no words of its own."""
    if isinstance(problem, FormatError):
        return "the byte 0xc1 in them begins no value"
    return "nested too deep"


def outermost(type_: ValueType, *, arrays: bool) -> type | None:
    """What holds a value of the type on the wire: a list, a map, or neither."""
    found = bare(type_)
    if isinstance(found, ListOf) or (arrays and isinstance(found, Record)):
        return list
    return dict if isinstance(found, Record | Union | MapOf) else None


def begun_by(code: int) -> type | None:
    """What a value that begins with this byte is: a list, a map, or neither."""
    if 0x90 <= code < 0xA0 or code in _LONG_LISTS:
        return list
    return dict if 0x80 <= code < 0x90 or code in _LONG_MAPS else None


def empty_stranger(data: Any, expected: type | None) -> Any:
    """An empty list or map in place of one that the type has no use for; None if it may well be read.

    What is refused whatever it holds need not be made.
    """
    found = begun_by(data[0])
    return None if found is None or found is expected else found()
