"""Places in a recording as people write them: a time, a time from the start or the end, a number, a share.

2026-11-16T09:00   09:00:30   +1m30s   -10s   #1234   25%
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from liven.liveobjects.feeds.replay.errors import BadChoiceError
from liven.liveobjects.feeds.replay.pace import SECOND
from liven.liveobjects.feeds.replay.source.source import Source

_LENGTH: Final = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s?)?")
_CLOCK: Final = re.compile(r"\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_FORMS: Final = "write 2026-11-16T09:00, 09:00:30, +1m30s from the start, -10s from the end, #1234 or 25%"


@dataclass(frozen=True, slots=True)
class Place:
    """A sequence, with the moment there."""

    sequence: int
    time: int
    """In microseconds since 1970 UTC."""


def place_at(text: str, source: Source, start: int | None = None) -> Place:
    """Return the place that a person wrote, inside the recording; raise BadChoiceError. A time with `+`
    counts from the moment `start`, by default from the start of the recording."""
    text = text.strip()
    if text.startswith("#") or text.isdecimal():
        return at_sequence(source, _number(text.removeprefix("#"), text))
    if text.endswith("%"):
        return at_part(source, _share(text))
    return at_time(source, _time_at(text, source, start))


def moment_at(text: str, source: Source) -> int:
    """Return the moment that a person wrote, even outside the recording; raise BadChoiceError."""
    text = text.strip()
    if text.startswith("#") or text.isdecimal() or text.endswith("%"):
        return place_at(text, source).time
    return _time_at(text, source)


def _time_at(text: str, source: Source, start: int | None = None) -> int:
    earliest, latest = source.span
    if text[:1] in "+-" and text[1:]:
        length = length_of(text[1:], text)
        return (earliest if start is None else start) + length if text[0] == "+" else latest - length
    return time_of(text, earliest)


def at_sequence(source: Source, sequence: int) -> Place:
    """Return the place before a record, or the nearest one."""
    sequence = min(max(sequence, source.begin), source.end)
    rows = next(source.rows(sequence, source.end), None)
    return Place(sequence, source.span[1] if rows is None else int(rows.received[0]))


def at_time(source: Source, time: int) -> Place:
    """Return the place at a moment, or the nearest one in the recording."""
    earliest, latest = source.span
    time = min(max(time, earliest), latest + 1)
    return Place(source.sequence_at(time), min(time, latest))


def at_part(source: Source, part: float) -> Place:
    """Return the place after a part of the recorded time, from 0 to 1."""
    earliest, latest = source.span
    return at_time(source, earliest + round((latest - earliest) * min(max(part, 0.0), 1.0)) + (part >= 1.0))


def time_of(text: str, day: int) -> int:
    """Return a date and time, or a time on the day of `day`, in microseconds. Times without a zone are
    local."""
    try:
        if _CLOCK.fullmatch(text):
            there = _EPOCH + timedelta(microseconds=day)
            clock = datetime.strptime(text, _clock_form(text)).time()  # noqa: DTZ007 - it gets the zone of the day
            moment = there.replace(
                hour=clock.hour, minute=clock.minute, second=clock.second, microsecond=clock.microsecond
            )
        else:
            moment = datetime.fromisoformat(text)
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise BadChoiceError(f"{text!r} is no place in a recording", _FORMS) from None
    return (moment - _EPOCH) // timedelta(microseconds=1)


def length_of(text: str, shown: str = "") -> int:
    """Return a length of time such as `1h30m` or `2.5`, in microseconds; raise BadChoiceError."""
    found = _LENGTH.fullmatch(text)
    if found is None or not any(found.groups()):
        raise BadChoiceError(f"{shown or text!r} is no length of time", "write 90s, 1m30s, 2h or 1d")
    days, hours, minutes, seconds = (float(part or 0) for part in found.groups())
    length = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * SECOND
    if length >= 2**62:
        raise BadChoiceError(f"{shown or text!r} is too long", "write 90s, 1m30s, 2h or 1d")
    return round(length)


def _clock_form(text: str) -> str:
    return "%H:%M" if text.count(":") == 1 else "%H:%M:%S.%f" if "." in text else "%H:%M:%S"


def _number(text: str, shown: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 19:
        raise BadChoiceError(f"{shown!r} is no number of a record", _FORMS)
    return int(text)


def _share(text: str) -> float:
    try:
        part = float(text[:-1]) / 100
    except ValueError:
        part = -1.0
    if not 0 <= part <= 1:
        raise BadChoiceError(f"{text!r} is no share of the recording", "write 0% to 100%")
    return part
