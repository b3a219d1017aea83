"""Moments and lengths of time in words, by the clock of this computer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

SECOND: Final = 1_000_000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_WEEK: Final = 7


def local(moment: int) -> datetime:
    """Return a moment in microseconds since 1970 as local time; the nearest possible one if it is absurd."""
    try:
        return (_EPOCH + timedelta(microseconds=moment)).astimezone()
    except (OverflowError, ValueError, OSError):
        return _EPOCH.astimezone()


def moment_text(moment: int, now: int, *, seconds: bool = False) -> str:
    """Return a moment as people say it: “today 14:05”, “Monday 14:05”, “3 November 14:05”."""
    there, here = local(moment), local(now)
    clock = there.strftime("%H:%M:%S" if seconds else "%H:%M")
    days = (here.date() - there.date()).days
    if days == 0:
        return f"today {clock}"
    if days == 1:
        return f"yesterday {clock}"
    if 0 < days < _WEEK:
        return f"{_DAYS[there.weekday()]} {clock}"
    date = f"{there.day} {_MONTHS[there.month - 1]}"
    return f"{date} {clock}" if there.year == here.year else f"{date} {there.year} {clock}"


def date_text(moment: int) -> str:
    """Return a moment with its whole date, such as “5 November 2026 12:03:23”."""
    there = local(moment)
    return f"{there.day} {_MONTHS[there.month - 1]} {there.year} {there:%H:%M:%S}"


def sentence_start(text: str) -> str:
    """Return a text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def clock_text(moment: int, *, exact: bool) -> str:
    """Return the time of day; with `exact`, to the millisecond."""
    there = local(moment)
    clock = there.strftime("%H:%M:%S")
    return f"{clock}.{there.microsecond // 1000:03d}" if exact else clock


def length_text(length: int, *, exact: bool = False) -> str:
    """Return a length of time as a clock shows it: “1:05”, “2:00:31”, “3 d 02:00:31”."""
    sign = "-" if length < 0 else ""
    seconds, rest = divmod(abs(length), SECOND)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    tail = f".{rest // 1000:03d}" if exact else ""
    if days:
        return f"{sign}{days} d {hours:02d}:{minutes:02d}:{seconds:02d}{tail}"
    if hours:
        return f"{sign}{hours}:{minutes:02d}:{seconds:02d}{tail}"
    return f"{sign}{minutes}:{seconds:02d}{tail}"


def age_text(moment: int, now: int) -> str:
    """Return how long ago a moment was, in one word or two: “just now”, “5 min ago”, “3 d ago”."""
    seconds = max(0, now - moment) // SECOND
    for unit, size in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size} {unit} ago"
    return f"{seconds} s ago" if seconds >= 5 else "just now"
