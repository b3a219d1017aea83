"""Laggards: the members that an engine waits for, and why."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Lag(enum.IntEnum):
    """The reason to wait for a member."""

    SILENT = 1
    """It answers nothing: it has stopped, or is cut off."""
    BEHIND = 2
    """It lacks packets of this member, which are sent to it again."""
    DEMOTED = 3
    """It was so slow that the others go on without it; it catches up, or is removed."""
    BRAKING = 4
    """Its program asks the senders of a group to wait."""
    READER = 5
    """Its disk takes no data, so nobody waits for that; reported by channels, not by the engine."""


@dataclass(frozen=True, slots=True)
class Laggard:
    """A member that an engine waits for."""

    node: int
    """Its short name."""
    lag: Lag
    group: str = ""
    """The group, if it concerns a single one."""
    packets: int = 0
    """The count of packets of this member that wait for it."""
    seconds: float = 0.0
    """For how long, as far as this member knows."""

    @property
    def words(self) -> str:
        """The reason, for a person."""
        match self.lag:
            case Lag.SILENT:
                return f"silent for {self.seconds:.0f} s" if self.seconds >= 1 else "silent"
            case Lag.BEHIND:
                return f"{self.packets} packet{'' if self.packets == 1 else 's'} behind"
            case Lag.DEMOTED:
                return "too slow; the others go on without it"
            case Lag.READER:
                return "its disk takes no data; the others go on without it"
            case _:
                return "asks the others to wait"

    def row(self) -> list[object]:
        """Return it as a list for a file; `of_row` reads it."""
        return [self.node, int(self.lag), self.group, self.packets, round(self.seconds, 1)]


def of_row(row: list[object]) -> Laggard:
    """Read the result of `row`. Raise ValueError or TypeError for anything else."""
    node, lag, group, packets, seconds = row
    return Laggard(int(str(node)), Lag(int(str(lag))), str(group), int(str(packets)), float(str(seconds)))
