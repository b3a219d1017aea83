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
            return f"{who} has another state than the rest {after}", "it takes theirs"
        case Finding.WE_DIFFER:
            return f"the state here is not that of the others {after}", "theirs is taken"
        case Finding.SPLIT:
            return f"members have different states {after}, and none a majority", "their logs tell"
        case Finding.ANOTHER_ORDER:
            what = f"{who} has another order of operations than the rest {after}"
            return what, "it joins anew, and takes theirs"
        case Finding.NO_ORDER:
            what = f"members have different orders of operations {after}, and none a majority"
            return what, "let one be kept, and remove what the others keep before they open it again"
    return None
