"""Replicas that hear of each other's changes late."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from liven.runtime.fold import RefusedError


def edit_out_of_step(channel: Any, people: Sequence[Any], steps: Iterable[tuple[int, Any]]) -> None:
    """Each step is a person and a change. Nobody hears of any while all goes well; who is refused takes back
    what was done before, and one word goes round. At last all is heard."""
    channel.hold()
    for who, change in steps:
        try:
            people[who].editor.edit("deed", change)
        except RefusedError:
            people[who].editor.undo()
            channel.release(1)
    channel.release()
