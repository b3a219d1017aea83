"""The warning about operations that are submitted again although the history may have forgotten them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from liven.liveobjects.channel.history import Operation, retention


def resubmission_warning(
    own: Iterable[Operation], marks: Mapping[bytes, int], passed: int
) -> tuple[str, str] | None:
    """Return a warning and advice if some of these operations may be in the history already; None if it is
    certain that they are not. `passed` is the number of operations since the last one that is known here: an
    author is forgotten only after as many others."""
    if passed < retention.MARKS_MOST or len(marks) < retention.MARKS_MOST:
        return None
    count = sum(retention.is_forgotten(marks, each.author) for each in own)
    if not count:
        return None
    return (
        f"{count} old operations are submitted again, although others may already have them",
        "check whether anything is there twice",
    )
