"""One recorded event, and the flags that say how it came about."""

from __future__ import annotations

from typing import Final, NamedTuple

CHECKPOINT: Final = 1
"""The payload is a state that holds after everything before this record."""
REPLAYED: Final = 2
"""The event was played from a recording, so it did not happen at its time."""
GAP: Final = 4
"""Numbers of this author or order are missing before this record. One without an event, as a recorder writes,
has the last missing number as its serial, and its payload has the first, the last and the reason."""
OWN: Final = 8
"""The event was sent by the recording program itself."""
ASIDE: Final = 16
"""The payload lies in a file beside the segment. Readers of a log put it back and never see this flag."""
FORK: Final = 32
"""Another history of the channel won: records of it with a greater serial before this one are in a branch."""
CONTROL: Final = 64
"""An operation of the channel itself, which no object sees. Its payload has no type."""
VALUE: Final = 128
"""The payload is the whole value of a stream, so no earlier record of the object matters to its state."""
NOTES: Final = FORK | CONTROL
"""Records with one of these flags are no events of an object; nor are those of gaps, of the type GAP_TYPE."""
GAP_TYPE: Final = "{first: uint64, last: uint64, why: text}"
"""The type of a record that stands for missing ones."""

FLAG_NAMES: Final = {
    CHECKPOINT: "checkpoint",
    REPLAYED: "replayed",
    GAP: "gap",
    OWN: "own",
    ASIDE: "aside",
    FORK: "fork",
    CONTROL: "control",
    VALUE: "value",
}


class Record(NamedTuple):
    """One event. A record has no number of its own: its sequence is its place in a recorder's log."""

    received: int
    """When the recorder got it, in microseconds since 1970 UTC. Clocks are set, so it may jump back."""
    sent: int
    """When the author sent it by the author's clock; `received` if that is not known."""
    object: str
    channel: str
    author: str
    type: str
    """The name of the value type of the payload, as the feed's description lists it."""
    serial: int
    """The author's or the order's number, up to 64 bits. (channel, author, serial) is one event, whoever
    recorded it."""
    flags: int
    payload: bytes
    """MessagePack of the neutral form of a value of `type`."""


def flag_names(flags: int) -> list[str]:
    """Return the names of the flags that are set; a flag of a later version is a number."""
    known = [name for bit, name in FLAG_NAMES.items() if flags & bit]
    rest = flags & ~sum(FLAG_NAMES)
    return [*known, *([str(rest)] if rest else [])]
