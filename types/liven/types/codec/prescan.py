"""Scans MessagePack before it is unpacked, if its headers could claim a lot of memory.

The unpacker allocates as many items as a header claims, and headers nest. A few bytes cannot claim much;
longer input is walked first without making anything, so that no more memory is allocated than the bytes
can fill. The walk is the unpacker's own `skip`, which is written in C and costs a small part of the
unpacking.
"""

from __future__ import annotations

from typing import Any

from msgpack import Unpacker, unpackb  # type: ignore[import-untyped]  # it has no stubs
from msgpack.exceptions import FormatError, OutOfData, StackError  # type: ignore[import-untyped]

from liven.types.codec.errors import CodecError
from liven.types.terms.recursion import bare
from liven.types.terms.value_types import ListOf, MapOf, Record, Union, ValueType

TRUSTED = 4096
"""Input below this size, in bytes, is unpacked without a scan."""

_LONG_LISTS, _LONG_MAPS = (0xDC, 0xDD), (0xDE, 0xDF)


def demand_honest_headers(data: bytes) -> None:
    """Raise CodecError unless every header is honest."""
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


def demand_few_items(data: bytes, most: int) -> None:
    """Raise CodecError if there are more than `most` items in all lists and maps together. An item may need a
    byte here and 72 in memory, so the length of the bytes alone bounds little."""
    if len(data) <= most:
        return
    many = f"it has more than {most:,} items"
    found = 0

    def count(items: list[Any]) -> None:
        nonlocal found
        found += len(items)
        if found > most:
            raise CodecError("", many)

    try:  # the hooks return nothing, so what was counted is freed at once
        unpackb(
            data,
            list_hook=count,
            object_pairs_hook=count,
            strict_map_key=False,
            max_array_len=most,
            max_map_len=most,
        )
    except CodecError:
        raise
    except (FormatError, StackError) as problem:
        raise CodecError("", refusal_of(problem)) from None
    except ValueError:  # a header claims more
        raise CodecError("", many) from None


def refusal_of(problem: Exception) -> str:
    """Return a message for an error of the unpacker that has none of its own."""
    if isinstance(problem, FormatError):
        return "no value begins with the byte 0xc1"
    return "nested too deep"


def outer_container(type_: ValueType, *, arrays: bool) -> type | None:
    """Return the container of a value of the type on the wire: list, map, or None."""
    found = bare(type_)
    if isinstance(found, ListOf) or (arrays and isinstance(found, Record)):
        return list
    return dict if isinstance(found, Record | Union | MapOf) else None


def container_begun_by(code: int) -> type | None:
    """Return the container that begins with this byte: list, map, or None."""
    if 0x90 <= code < 0xA0 or code in _LONG_LISTS:
        return list
    return dict if 0x80 <= code < 0x90 or code in _LONG_MAPS else None


def empty_substitute(data: Any, expected: type | None) -> Any:
    """Return an empty list or map in place of one that the type cannot use; None if it may be readable.

    A value that is refused whatever it holds does not have to be unpacked.
    """
    found = container_begun_by(data[0])
    return None if found is None or found is expected else found()
