"""A register on an ordered channel is linearisable: one sequence of its operations explains what all saw.

An operation begins when it is submitted and ends when it is acknowledged. The checker knows nothing of the
channel's own order: it looks for any sequence that keeps real time and in which each read gives what was last
written.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from liven.liveobjects.channel.ordering import OrderedChannel
from liven.liveobjects.channel.simulation.member import Member, Witness
from liven.liveobjects.channel.simulation.world import World

NEVER = float("inf")


@dataclass(frozen=True)
class Act:
    """One operation on the register: a write of `value`, or a read that gave it."""

    begin: float
    end: float
    write: bool
    value: int


def is_linearisable(acts: list[Act]) -> bool:
    """Whether some sequence explains the acts; those that never ended may have happened, or not."""
    seen: set[tuple[frozenset[int], int]] = set()

    def search(left: frozenset[int], value: int) -> bool:
        if all(acts[index].end == NEVER for index in left):
            return True
        if (left, value) in seen:
            return False
        seen.add((left, value))
        first_end = min(acts[index].end for index in left)
        for index in sorted(left, key=lambda each: acts[each].end):
            act = acts[index]
            fits = act.begin <= first_end and (act.write or act.value == value)
            if fits and search(left - {index}, act.value if act.write else value):
                return True
        return False

    return search(frozenset(range(len(acts))), 0)


class Recorder(Member):
    """A member that remembers when each of its operations was acknowledged, and what reads gave."""

    def __init__(self, world: World, witness: Witness, name: str, channel: OrderedChannel) -> None:
        super().__init__(world, witness, name, channel)
        self.begun: list[float] = []
        self.ended: dict[bytes, tuple[float, int]] = {}

    def act(self, payload: bytes) -> None:
        self.begun.append(self.world.now)
        self.submit(payload)

    def _stable(self, number: int, ticket: int | None) -> None:
        super()._stable(number, ticket)
        for payload in self.submitted[: ticket or 0]:
            if payload not in self.ended and payload in self.done:
                before = self.done[: self.done.index(payload)]
                last = next((one for one in reversed(before) if one.startswith(b"w")), b"w 0")
                self.ended[payload] = self.world.now, int(last.split()[1])

    def acts(self) -> list[Act]:
        found = []
        for begin, payload in zip(self.begun, self.submitted, strict=True):
            end, value = self.ended.get(payload, (NEVER, 0))
            write = payload.startswith(b"w")
            if write or end != NEVER:  # a read that gave nothing says nothing
                found.append(Act(begin, end, write, int(payload.split()[1]) if write else value))
        return found


def history(seed: int) -> list[Act]:
    """What members did with one register, while one freezes and the one who orders crashes."""
    world, witness = World(seed), Witness()
    members = [
        Recorder(world, witness, f"member {index}", OrderedChannel(bytes([index]) * 16, stateful=True))
        for index in range(1, 6)
    ]
    for member in members:
        world.join(member.host)
    world.run(0.5)
    chance = random.Random(seed)
    for step in range(1, 25):
        member = chance.choice(members)
        if member.host.alive and world.now >= member.host.frozen_until:
            member.act(b"w %d" % step if chance.random() < 0.5 else b"r %d" % step)
        if step == 8:
            world.freeze(chance.choice(members[1:]).host, 0.05, evict=chance.random() < 0.5)
        if step == 16:
            world.crash(members[0].host)
        world.run(chance.choice((0.0, 0.001, 0.03)))
    world.run(5)
    assert witness.breaches == []
    return [act for member in members for act in member.acts()]


@pytest.mark.parametrize("first", range(0, 20, 5))
def test_a_register_is_linearisable(first: int) -> None:
    for seed in range(first, first + 5):
        acts = history(seed)
        assert sum(act.end != NEVER for act in acts) > 5
        assert is_linearisable(acts), f"seed {seed}"


def test_a_read_of_an_old_value_is_not() -> None:
    write, other = Act(0, 1, True, 1), Act(2, 3, True, 2)
    assert is_linearisable([write, other, Act(4, 5, False, 2)])
    assert not is_linearisable([write, other, Act(4, 5, False, 1)])
    assert is_linearisable([write, Act(2, 6, True, 2), Act(4, 5, False, 1)])


def test_what_never_ended_may_have_happened_or_not() -> None:
    lost = Act(0, NEVER, True, 1)
    assert is_linearisable([lost, Act(1, 2, False, 0)])
    assert is_linearisable([lost, Act(1, 2, False, 1)])
    assert not is_linearisable([lost, Act(1, 2, False, 1), Act(3, 4, False, 0)])
