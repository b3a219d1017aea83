"""Schedules of homes that several programs share: each start takes the first free log of its home, and takes
over the logs of programs that ended.

A log whose history lost against another one becomes a branch, and its vote is not taken over; then a person
has to decide, and the schedule does not ask for confirmation. At the end a program starts in each home, so
everything that was written is in use again. Then operations must be confirmed again: no ended program may be
waited for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from liven.liveobjects.channel.history.position import IDENTITY_BYTES
from liven.liveobjects.channel.replica.disk.adopted_logs import adopt
from liven.liveobjects.channel.simulation.disk import SimulatedDisk, SimulatedStorage
from liven.liveobjects.channel.simulation.member import Member
from liven.liveobjects.channel.simulation.network import World
from liven.liveobjects.channel.simulation.replica_schedule import (
    NAME,
    POWER_CUTS,
    ReplicaMember,
    ReplicaSchedule,
)
from liven.liveobjects.channel.simulation.schedule import MEMBERS_MOST, Verdict

_LEAVING_MOST: Final = 30
"""Seconds that programs have to leave before the last ones start."""


class Home:
    """The logs of one user, each used by one program at a time."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.logs: list[SimulatedStorage] = []
        self.used: dict[int, ReplicaMember] = {}
        """The last program on each log."""
        self._held: dict[int, tuple[SimulatedStorage, int]] = {}
        """For each log that is being taken over, the log and the life of the program that does it."""

    def hold(self, log: SimulatedStorage, heir: SimulatedStorage) -> None:
        """Lock a log until it is taken over, or until the program on the log `heir` ends."""
        self._held[id(log)] = heir, heir.lives

    def release(self, log: SimulatedStorage) -> None:
        """Unlock a log."""
        self._held.pop(id(log), None)

    def free(self, log: SimulatedStorage) -> bool:
        """True if no living program uses a log or takes it over. One that has left the group ends here."""
        heir, life = self._held.get(id(log), (log, -1))
        if heir.lives == life:
            return False
        member = self.used.get(id(log))
        if member is not None and member.host.alive and member.may_leave:
            member.host.alive = False
            log.crash(power=False)
        return member is None or not member.host.alive

    def first_free(self) -> SimulatedStorage:
        """Return the log for the next program."""
        found = next(filter(self.free, self.logs), None)
        if found is None:
            found = SimulatedStorage(self._world)
            self.logs.append(found)
        return found

    def put_back(self, logs: list[SimulatedStorage]) -> None:
        """Replace all logs by earlier ones. No program runs."""
        self.logs, self.used, self._held = logs, {}, {}

    @property
    def living(self) -> list[ReplicaMember]:
        """The programs that run."""
        return [each for each in self.used.values() if each.host.alive and not each.may_leave]


class EndedLog:
    """The log of an ended program, as another one sees it."""

    free = True

    def __init__(self, storage: SimulatedStorage, home: Home, heir: SimulatedStorage) -> None:
        self._storage = storage
        self._home = home
        home.hold(storage, heir)

    def open(self, name: str) -> SimulatedDisk:
        """Return its store of one channel."""
        return ForcedDisk(self._storage, name)

    def close(self) -> None:
        """Unlock it."""
        self._home.release(self._storage)


class ForcedDisk(SimulatedDisk):
    """A disk on which everything is forced at once, as for the log of an ended program."""

    def when_durable(self, callback: Callable[[], object]) -> None:
        """Force everything, and call back."""
        self._storage.force()
        callback()


def _votes_for(log: SimulatedStorage, voter: bytes) -> bool:
    """True if the program on a log votes for a voter, too."""
    notes = log.kept(NAME).notes
    return voter in notes.get("voter", b"") or voter in notes.get("carried", b"")


class SharedHomes(ReplicaSchedule):
    """One seeded run of programs in a few homes."""

    _may_leave_votes = False
    """True if a log may be taken over without its vote although it does not become a branch."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, durable=True, aged=True)
        self._vote_lost = False
        self.homes = [Home(self.world) for _ in range(self.random.randint(1, 3))]

    def _join(self) -> None:
        if len(self.living) < MEMBERS_MOST:
            self._start(self.random.choice(self.homes))

    def _start(self, home: Home) -> None:
        log = home.first_free()
        store = log.open(NAME)
        for other in home.logs:
            if other is not log and home.free(other) and not other.kept(NAME).empty:
                other.heirs.append(log)
                before, voter = log.kept(NAME).notes.get("branches"), other.kept(NAME).notes.get("voter", b"")
                why = adopt(store, log.open, EndedLog(other, home, log))
                self._vote_lost |= before != log.kept(NAME).notes.get("branches")
                self._vote_lost |= self._may_leave_votes and not _votes_for(log, voter[:IDENTITY_BYTES])
                if why:
                    self.verifier.breach(f"a log cannot be taken over: {why}")
        name = f"replica {len(self.members) + 1}, home {self.homes.index(home)}"
        member = ReplicaMember.on(self.world, self.verifier, name, log, self.channel_class)
        home.used[id(log)] = member
        self.members.append(member)
        self.world.join(member.host)

    def _ends(self, member: Member) -> None:
        if not member.host.alive:  # it has ended already, and another program may use its log
            return
        super()._ends(member)
        assert isinstance(member, ReplicaMember)
        if member.storage is not None:
            member.storage.crash(power=self.random.random() < POWER_CUTS)

    def _return(self, member: Member) -> None:
        self._returned.append(member)
        home = next(each for each in self.homes if member in each.used.values() or each.logs)
        self._start(home)

    def _rest(self) -> None:
        self.world.run(1.0)
        for side in range(1, self._sides + 1):
            self.world.heal(side)
        for _ in range(_LEAVING_MOST):  # the log of one that is about to leave could not be taken over
            if not any(each.leaves for each in self.living):
                break
            self.world.run(1.0)
        for home in self.homes:
            if home.logs:  # a program takes over logs when it starts
                self._start(home)
        super()._rest()
        self.world.run(20.0)
        able = [each for each in self.living if self._has_state(each)]
        if able and not self._vote_lost:
            self._check_confirmation(able[0])

    def _check_confirmation(self, member: Member) -> None:
        (payload,) = made = self._made(1)
        self._submit(member, made)
        self.world.run(20.0)
        if payload not in self.verifier.acknowledged:
            self.verifier.waiting.add(member.channel.author)
            self.verifier.breach(f"nothing is confirmed again, although everybody is here: {member.name}")


def run(seed: int) -> Verdict:
    """Run the schedule of a seed."""
    return SharedHomes(seed).run()
