"""The worlds of the channel simulator: each draws one schedule from a seed and returns its verdict.

A new world is a row of `WORLDS`: a function of the seed. The campaign (`tests/sim/channels/campaign.py`) runs
all of them mixed, and each of them alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeAlias

from liven.liveobjects.channel.simulation import replica_schedule, schedule
from liven.liveobjects.channel.simulation.schedule import Verdict
from liven.liveobjects.channel.simulation.schedules import (
    archives,
    copied_disks,
    crossed,
    faulty_replicas,
    full_disks,
    hung_programs,
    members_gone,
    restored_homes,
    shared_homes,
    three_laptops,
    two_laptops,
    unsound_members,
)

RunSeed: TypeAlias = Callable[[int], Verdict]

WORLDS: Final[Mapping[str, RunSeed]] = {
    "ordering": schedule.run,
    "ordering-returns": partial(schedule.run, durable=True),
    "replicas": replica_schedule.run,
    "replicas-disks": partial(replica_schedule.run, durable=True),
    "aged-ordering": partial(schedule.run, durable=True, aged=True),
    "aged-replicas": partial(replica_schedule.run, durable=True, aged=True),
    "archives": partial(archives.run, durable=True),
    "copied-disks": copied_disks.run,
    "faulty-objects": faulty_replicas.run,
    "full-disks": full_disks.run,
    "hung-programs": hung_programs.run,
    "members-gone": members_gone.run,
    "restored-homes": restored_homes.run,
    "shared-homes": shared_homes.run,
    "three-laptops": three_laptops.run,
    "two-laptops": two_laptops.run,
    **crossed.WORLDS,
    **unsound_members.WORLDS,
}
