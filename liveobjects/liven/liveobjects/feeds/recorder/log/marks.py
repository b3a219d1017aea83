"""Records that are no events: gaps, forks and operations of the channel itself."""

from __future__ import annotations

import time
from typing import Final

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.feeds.record import FORK, GAP, GAP_TYPE, Record

__all__ = ["FORK_TYPE", "GAP_TYPE", "fork_record", "gap_record", "now"]

FORK_TYPE: Final = "{after: uint64, why: text}"


def now() -> int:
    """Return the time as records have it."""
    return time.time_ns() // 1000


def gap_record(
    object: str,  # noqa: A002
    channel: str,
    first: int,
    last: int,
    why: str,
    author: str = "",
) -> Record:
    """Return the record of missing numbers, whose serial is the last of them. With an author, they are that
    author's."""
    payload = msgpack.packb({"first": first, "last": last, "why": why})
    at = now()
    return Record(at, at, object, channel, author, GAP_TYPE, last, GAP, payload)


def fork_record(object: str, channel: str, after: int) -> Record:  # noqa: A002
    """Return the record of a history that replaces the one recorded after a number, which is its serial."""
    payload = msgpack.packb({"after": after, "why": "another history won; the one before is in a branch"})
    at = now()
    return Record(at, at, object, channel, "", FORK_TYPE, after, FORK, payload)
