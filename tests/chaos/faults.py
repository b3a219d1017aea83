"""The faults: each begins, may last for a while, and is mended.

kill, leave       a program is killed, or leaves in good order; later it is started again
kills             several programs, but not all, are killed at the same moment
stop, hang        a program is stopped by a signal; only its main thread is occupied
service           the membership service is killed
power, blackout   a machine, or all of them, lose power: what was not forced to disk is partly undone
full, clock       a disk takes no data; a clock is wrong by hours or decades
join              a newcomer takes part for a while
newcomers         the service is killed, three programs join, the first ones leave or are killed
cut, cable        hosts are separated from the others; one host's cable is unplugged
key               a program is started with another cluster's key
restore           a data folder is copied while nothing uses it, and put back later
clone             a copy of a program's data folder is used by a second program beside it
runtime, socket   the runtime folder, or the service's socket in it, is deleted
"""

from __future__ import annotations

import random
import shutil
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from tests.chaos.judge import Alone, Exemption
from tests.chaos.machine import Member
from tests.chaos.plan import Step, clock_shift
from tests.chaos.world import World

from liven.multicast.key_file import ensure_keys

_NEWCOMERS: Final = 3
_CROWD: Final = 5
"""Programs to which newcomers are added; more would keep a small machine busy with nothing else."""
_RECORDED: Final = 1.0
"""Seconds in which the others record that some have left."""
_STOPPED: Final = 0.8
_HOLD: Final = 8.0
"""Seconds that the others have without the killed ones."""


class Fault(ABC):
    """One fault in a world."""

    def __init__(self, world: World, step: Step) -> None:
        self.world = world
        self.step = step
        self.chance = random.Random(step.draw)
        self.member = world.members[step.target]
        self.affected: list[Member] = [self.member]
        """The programs that are not healthy meanwhile."""

    @property
    def is_possible(self) -> bool:
        """True if the target is in a state in which this fault can happen."""
        return self.member.is_up and not self.member.held

    @property
    def has_worked(self) -> bool:
        """True if it has had an effect, so that it may be mended. It is mended after a while anyway."""
        return True

    @abstractmethod
    def begin(self) -> None:
        """Begin."""

    def go_on(self) -> None:  # noqa: B027 - most faults have one step
        """Do what comes next, if a fault has several steps."""

    @abstractmethod
    def mend(self) -> None:
        """End."""

    def all_confirmed(self) -> bool:
        """Return whether all affected programs that are there have confirmed something since they started."""
        return all(each.confirmed or each.is_over for each in self.affected)

    def start(self, member: Member) -> None:
        """Start a program again, unless it is down for good."""
        if not member.is_up and not member.is_over:
            member.start()


class Kill(Fault):
    def begin(self) -> None:
        self.member.kill()

    def mend(self) -> None:
        self.start(self.member)


class Kills(Fault):
    """Several programs at once, but not all: the oldest, which gives the numbers, and authors are often among
    them."""

    def __init__(self, world: World, step: Step) -> None:
        super().__init__(world, step)
        able = [each for each in world.members if each.is_up and not each.held]
        self.affected = (
            self.chance.sample(able, self.chance.randint(2, len(able) - 1)) if len(able) > 2 else []
        )

    @property
    def is_possible(self) -> bool:
        return bool(self.affected)

    def begin(self) -> None:
        for each in self.affected:
            each.signal(signal.SIGKILL)
        for each in self.affected:
            each.kill()

    def mend(self) -> None:
        for each in self.affected:
            self.start(each)


class Leave(Kill):
    def begin(self) -> None:
        self.member.leave()


class Stop(Fault):
    def begin(self) -> None:
        self.member.signal(signal.SIGSTOP)

    def mend(self) -> None:
        self.member.signal(signal.SIGCONT)


class Hang(Fault):
    def begin(self) -> None:
        self.member.say(f"hang {self.step.seconds}")

    def mend(self) -> None:
        pass


class Service(Fault):
    def __init__(self, world: World, step: Step) -> None:
        super().__init__(world, step)
        self.affected = []

    @property
    def is_possible(self) -> bool:
        return True

    def begin(self) -> None:
        self.world.kill_service()

    def mend(self) -> None:
        self.world.start_service()


class Power(Fault):
    """All programs of one machine; of the home, the service too, which is on it. There not all need to come
    back: who opens the channel next takes over the logs of the others."""

    def __init__(self, world: World, step: Step) -> None:
        super().__init__(world, step)
        self.affected = world.neighbours(self.member)

    @property
    def is_possible(self) -> bool:
        return all(not each.held for each in self.affected)

    def begin(self) -> None:
        if self.world.shape == "home":
            self.world.kill_service()
        for each in self.affected:
            each.kill()
        if self.world.shape == "home" and self.chance.random() < 0.5:
            there = [each for each in self.affected if not each.is_over]
            for each in self.chance.sample(there, self.chance.randint(0, len(there) - 1)):
                each.is_over = each.is_taken_over = True
        for machine in {id(each.machine): each.machine for each in self.affected}.values():
            machine.system.cut_power(self.chance)

    def mend(self) -> None:
        for each in self.affected:
            self.start(each)


class Blackout(Power):
    def __init__(self, world: World, step: Step) -> None:
        super().__init__(world, step)
        self.affected = list(world.members)


class Full(Fault):
    def begin(self) -> None:
        self.affected = self.world.neighbours(self.member)
        self.member.machine.system.fill_disk()

    def mend(self) -> None:
        self.member.machine.system.free_disk()


class Clock(Fault):
    def begin(self) -> None:
        self.member.machine.system.shift_clock(clock_shift(self.step.draw))

    def mend(self) -> None:
        self.member.machine.system.shift_clock(0)


class Join(Fault):
    @property
    def has_worked(self) -> bool:
        return self.all_confirmed()

    def begin(self) -> None:
        self.member = self.world.add_member()
        self.affected = [self.member]
        self.member.start()

    def mend(self) -> None:
        self.member.is_over = True
        if self.chance.random() < 0.5:
            self.member.leave()
        else:
            self.member.kill()


class Newcomers(Fault):
    """After a restart of the service, newcomers have larger names than the others. Two of the first programs
    stay with them. The orderer is stopped for a moment, so that operations of the other one wait for a
    number; then both are killed. The newcomers have to tell one another what they have of those
    operations."""

    def __init__(self, world: World, step: Step) -> None:
        super().__init__(world, step)
        self.affected = []
        self._leaving: list[Member] = []
        self._steps = self._story()
        self._is_told = False

    @property
    def is_possible(self) -> bool:
        return len(self.world.members) <= _CROWD

    @property
    def has_worked(self) -> bool:
        return self._is_told

    def begin(self) -> None:
        self._first = list(self.world.members)
        self.world.kill_service()
        self.affected = [self.world.add_member() for _ in range(_NEWCOMERS)]
        for each in self.affected:
            each.start()

    def go_on(self) -> None:
        if next(self._steps, self) is self:
            self._is_told = True

    def _story(self) -> Iterator[None]:
        while not self.all_confirmed():
            yield
        able = [each for each in self._first if each.is_up and not each.held]
        able.sort(key=lambda each: not each.last.get("orders"))
        victims, rest = able[:2], able[2:]
        self.affected += able
        self._leaving = rest
        for each in rest:
            each.say("end")
        while any(each.is_up for each in rest):
            yield
        yield from _seconds(_RECORDED)
        victims[0].signal(signal.SIGSTOP)
        yield from _seconds(_STOPPED)
        for each in victims:
            each.signal(signal.SIGKILL)
        for each in victims:
            each.kill()
        yield from _seconds(_HOLD)

    def mend(self) -> None:
        for each in self._leaving:
            each.leave()  # one that is still about to end would end after it was taken for running
        for each in self.affected:
            if each.is_up:
                each.signal(signal.SIGCONT)
            self.start(each)


def _seconds(seconds: float) -> Iterator[None]:
    """Let time pass."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield


class Cut(Fault):
    def __init__(self, world: World, step: Step) -> None:
        super().__init__(world, step)
        hosts = list(range(len(world.members)))
        self.hosts = self.chance.sample(hosts, self.chance.randint(1, len(hosts) - 1))
        smaller = (
            self.hosts if 2 * len(self.hosts) < len(hosts) else [h for h in hosts if h not in self.hosts]
        )
        none_has_most = 2 * len(smaller) == len(hosts)
        self.affected = list(world.members) if none_has_most else [world.members[host] for host in smaller]

    @property
    def is_possible(self) -> bool:
        return not self.world.is_cut

    def begin(self) -> None:
        self.world.cut(self.hosts)

    def mend(self) -> None:
        self.world.heal_cut()


class Cable(Fault):
    def begin(self) -> None:
        self.world.plug(self.step.target, "down")

    def mend(self) -> None:
        self.world.plug(self.step.target, "up")


class Key(Fault):
    def begin(self) -> None:
        self.member.kill()
        key = self.member.machine.home / "cluster.key"
        key.unlink()
        ensure_keys(key)
        self.member.start()
        self.member.held = True

    def mend(self) -> None:
        self.member.held = False
        self.member.kill()
        shutil.copy(self.world.key, self.member.machine.home / "cluster.key")
        self.member.start()


class Restore(Fault):
    def __init__(self, world: World, step: Step) -> None:
        super().__init__(world, step)
        self.affected = world.neighbours(self.member)

    @property
    def is_possible(self) -> bool:
        return all(not each.held for each in self.affected)

    @property
    def has_worked(self) -> bool:
        return self.all_confirmed()

    def begin(self) -> None:
        self.copy = self.world.folder / "copies" / f"{self.step.draw:x}"
        self._end_all()
        self.copied_at = time.monotonic()
        self.member.machine.copy_data(self.copy)
        self._start_all()

    def mend(self) -> None:
        self._end_all()
        self.member.machine.put_data(self.copy)
        if self.world.shape == "home":
            self.world.exempt.append(Exemption(self.copied_at, time.monotonic()))
        else:
            self.world.alone.append(Alone(self.member.name, self.copied_at, time.monotonic()))
        self._start_all()

    def _end_all(self) -> None:
        for each in self.affected:
            each.kill()

    def _start_all(self) -> None:
        for each in self.affected:
            self.start(each)


class Clone(Fault):
    @property
    def has_worked(self) -> bool:
        return self.all_confirmed()

    def begin(self) -> None:
        copy = self.world.folder / "copies" / f"{self.step.draw:x}"
        self.member.kill()
        self.member.machine.copy_data(copy)
        self.clone = self.world.add_member(copy)
        self.affected = [self.member, self.clone]
        both = list(self.affected)
        self.chance.shuffle(both)
        for each in both:
            each.start()

    def mend(self) -> None:
        self.clone.is_over = True
        self.clone.kill()


class Runtime(Service):
    def begin(self) -> None:
        shutil.rmtree(self.member.machine.home / "run", ignore_errors=True)

    def mend(self) -> None:
        pass


class Socket(Runtime):
    def begin(self) -> None:
        with suppress(OSError):  # the folder may have been deleted just before
            for path in (self.member.machine.home / "run").iterdir():
                if path.is_socket():
                    path.unlink(missing_ok=True)


FAULTS: Final[dict[str, Callable[[World, Step], Fault]]] = {
    "kill": Kill,
    "kills": Kills,
    "leave": Leave,
    "stop": Stop,
    "hang": Hang,
    "service": Service,
    "power": Power,
    "blackout": Blackout,
    "full": Full,
    "clock": Clock,
    "join": Join,
    "newcomers": Newcomers,
    "cut": Cut,
    "cable": Cable,
    "key": Key,
    "restore": Restore,
    "clone": Clone,
    "runtime": Runtime,
    "socket": Socket,
}
