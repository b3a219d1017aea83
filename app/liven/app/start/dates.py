"""Dates for people: today, yesterday, a day of the week, a day of the year."""

from __future__ import annotations

from datetime import datetime, timedelta

_WEEK = 6
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def day_of(seconds: float, now: float) -> str:
    """Return the day of a time, as seen from another time; both in seconds since 1970."""
    try:
        then, today = (datetime.fromtimestamp(one).astimezone() for one in (seconds, now))
    except (OverflowError, ValueError, OSError):
        return "on an unknown day"
    if then.date() == today.date():
        return f"today, {then:%H:%M}"
    if then.date() == (today - timedelta(days=1)).date():
        return "yesterday"
    if timedelta() < today.date() - then.date() <= timedelta(days=_WEEK):
        return _DAYS[then.weekday()]
    year = "" if then.year == today.year else f" {then.year}"
    return f"{then.day} {_MONTHS[then.month - 1]}{year}"
