"""The texts that people read when replicas do not agree."""

from __future__ import annotations

from collections.abc import Iterable

from liven.liveobjects.channel.ordering import Seat
from liven.liveobjects.channel.replica.comparison.agreement import Finding, Result


def mismatch_text(result: Result, seats: Iterable[Seat]) -> tuple[str, str] | None:
    """Return the finding and its consequence as texts; None if people need not know."""
    who = " and ".join(f"member {seat.node}" for seat in seats if seat.author in result.who)
    after = f"after {result.number} operations"
    match result.finding:
        case Finding.OTHERS_DIFFER:
            return f"the state of {who} differs from that of the others {after}", "it will use theirs"
        case Finding.WE_DIFFER:
            return f"the state here differs from that of the others {after}", "theirs will be used"
        case Finding.SPLIT:
            return f"members have different states {after}, and none has a majority", "each checks its log"
        case Finding.ANOTHER_ORDER:
            what = f"the order of operations of {who} differs from that of the others {after}"
            return what, "it will rejoin and use theirs"
        case Finding.NO_ORDER:
            what = f"members have different orders of operations {after}, and none has a majority"
            return (
                what,
                "keep the data of one computer, and delete that of the others before they open it again",
            )
    return None
