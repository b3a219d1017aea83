"""Operations of a history that lost: those that nobody brings into the winning one, and a warning about those
that are submitted again although that one may have forgotten them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from liven.liveobjects.channel.history import Operation, Recovery, retention
from liven.liveobjects.channel.ordering import Installed


def becomes_branch(installed: Installed, lost: Mapping[bytes, int], own: Iterable[Operation]) -> bool:
    """True if a history with these marks, which lost, is kept as a branch; `own` are the operations that this
    replica submits again.

    If nothing in it is known to be confirmed, authors who are here submit their operations again, and absent
    ones when they return. If a disk of a member was put back to an earlier copy, an author may have lost what
    was confirmed without our knowing. So may a former life of this replica: its log went on after ours was
    copied.
    """
    if installed.recovery is not Recovery.SUBMIT_AGAIN:
        return installed.recovery is Recovery.BRANCH
    if not any(seat.voter.formerly for seat in installed.seats):
        return False
    present = {seat.author for seat in installed.seats}
    known = dict(installed.marks)
    for each in own:
        known[each.author] = max(each.number, known.get(each.author, 0))
    return any(last > known.get(author, 0) for author, last in lost.items() if author not in present)


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
