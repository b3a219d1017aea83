"""A helper that edits replicas which receive each other's changes late."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from liven.runtime.fold import RefusedError


def edit_out_of_step(channel: Any, people: Sequence[Any], steps: Iterable[tuple[int, Any]]) -> None:
    """Apply steps, each a person and a change, while no message is delivered. After a refusal, undo the last
    step and deliver one message. At the end, deliver everything."""
    channel.hold()
    for who, change in steps:
        try:
            people[who].editor.edit("deed", change)
        except RefusedError:
            people[who].editor.undo()
            channel.release(1)
    channel.release()
