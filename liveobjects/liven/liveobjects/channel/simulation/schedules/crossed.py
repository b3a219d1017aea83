"""Worlds in which two misfortunes meet: full disks, copied disks, shared homes, and members gone for good."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from liven.liveobjects.channel.simulation.schedule import Verdict
from liven.liveobjects.channel.simulation.schedules.copied_disks import CopiedDisks
from liven.liveobjects.channel.simulation.schedules.full_disks import FullDiskSchedule
from liven.liveobjects.channel.simulation.schedules.members_gone import GoneForGood
from liven.liveobjects.channel.simulation.schedules.shared_homes import SharedHomes


class FullCopies(FullDiskSchedule, CopiedDisks):
    """Disks that are full at times, and copied at any step."""

    def _look_at_others(self) -> None:
        """Check nothing: the only disk with room that has a vote may have been set back."""


class FullHomes(FullDiskSchedule, SharedHomes):
    """Programs of shared homes whose disks are full at times, also while a log is taken over.

    Logs that were compacted while other disks were full may have no operation in common by which their
    histories could be compared. Then the vote of the one that is taken over stays behind.
    """

    _may_leave_votes = True

    def _look_at_others(self) -> None:
        """Check nothing: a vote may be in the log of an ended program that nobody has taken over yet."""


class FullAndGone(GoneForGood, FullDiskSchedule):
    """Full disks, and members that are declared gone."""

    def _look_at_others(self) -> None:
        """Check nothing: all may be declared gone but one, whose disk is full."""


class CopiesAndGone(GoneForGood, CopiedDisks):
    """Copied disks, and members that are declared gone, whose copies may return."""


class HomesAndGone(GoneForGood, SharedHomes):
    """Shared homes, and members that are declared gone while their logs wait to be taken over."""

    _may_leave_votes = True

    def _expect_confirmation(self) -> None:
        """Check nothing: a log that becomes a branch leaves its vote behind, and waits for a person."""


def _durable(kind: type[FullCopies | FullAndGone | CopiesAndGone]) -> Callable[[int], Verdict]:
    return lambda seed: kind(seed, durable=True).run()


def _in_homes(kind: type[SharedHomes]) -> Callable[[int], Verdict]:
    return lambda seed: kind(seed).run()


WORLDS: Final[Mapping[str, Callable[[int], Verdict]]] = {
    "full-copies": _durable(FullCopies),
    "full-homes": _in_homes(FullHomes),
    "gone-copies": _durable(CopiesAndGone),
    "gone-full": _durable(FullAndGone),
    "gone-homes": _in_homes(HomesAndGone),
}
