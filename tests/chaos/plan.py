"""The plan of a schedule, drawn from its seed: which world, and which faults when and for how long."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

SHAPES: Final = ("home", "desks", "hosts")
_FIRST_AT: Final = 3.0
_DAY: Final = 86_400

WEIGHTS: Final = {
    "home": {
        "kill": 6,
        "kills": 4,
        "stop": 3,
        "hang": 3,
        "service": 4,
        "power": 2,
        "full": 2,
        "clock": 1,
        "leave": 3,
        "join": 4,
        "newcomers": 2,
        "runtime": 1,
        "socket": 1,
        "restore": 1,
    },
    "desks": {
        "kill": 5,
        "kills": 4,
        "stop": 3,
        "hang": 3,
        "service": 4,
        "power": 4,
        "full": 2,
        "clock": 1,
        "leave": 2,
        "join": 3,
        "newcomers": 2,
        "restore": 2,
        "clone": 2,
        "blackout": 1,
    },
    "hosts": {
        "kill": 4,
        "kills": 3,
        "stop": 3,
        "hang": 2,
        "service": 2,
        "power": 3,
        "full": 1,
        "clock": 1,
        "leave": 2,
        "cut": 6,
        "cable": 3,
        "key": 2,
        "restore": 1,
        "blackout": 1,
    },
}
"""The weight of each fault in a draw. `faults.py` describes them."""
_SECONDS: Final = {
    "kill": (0.2, 8),
    "kills": (0.2, 8),
    "stop": (0.5, 12),
    "hang": (0.5, 12),
    "service": (0.5, 8),
    "power": (0.2, 6),
    "full": (3, 12),
    "clock": (1, 10),
    "leave": (0.2, 8),
    "join": (2, 10),
    "newcomers": (12, 15),
    "runtime": (0, 0),
    "socket": (0, 0),
    "restore": (2, 8),
    "clone": (3, 10),
    "blackout": (0.5, 5),
    "cut": (1, 15),
    "cable": (0.5, 10),
    "key": (2, 8),
}
_PACES: Final = ("moderate", "quick", "bulky")
_AGES: Final = (0, 0, 0, 1, 300, 262_142, 524_286)
_SHIFTS: Final = (-40 * 365 * _DAY, -_DAY, -3600, 3600, _DAY, 40 * 365 * _DAY)


@dataclass(frozen=True, slots=True)
class Step:
    """One fault."""

    at: float
    kind: str
    seconds: float
    target: int
    draw: int
    """A number from which the fault draws details."""

    def __str__(self) -> str:
        return f"{self.at:.1f} s {self.kind} #{self.target} for {self.seconds:.1f} s"


@dataclass(frozen=True, slots=True)
class Plan:
    """One schedule."""

    seed: int
    shape: str
    members: int
    seconds: float
    steps: tuple[Step, ...]
    pace: str
    """The pace at which programs submit operations (`worker.PACES`)."""
    age: int
    """The generation of the membership service before. Each restart gives newcomers a new range of names."""
    starts_again: bool
    """True if all programs are killed in the end, and their state must be what it was."""


def draw(seed: int, shapes: tuple[str, ...] = SHAPES, kinds: frozenset[str] = frozenset()) -> Plan:
    """Draw the plan of a seed, of these shapes and, if given, these kinds of fault only."""
    chance = random.Random(seed)
    shape = chance.choice(shapes)
    members = chance.choice((3, 3, 4, 5))
    seconds = chance.uniform(15, 30)
    weights = {name: weight for name, weight in WEIGHTS[shape].items() if not kinds or name in kinds}
    steps = []
    for _ in range(chance.randint(3, 9) if weights else 0):
        [kind] = chance.choices(list(weights), list(weights.values()))
        low, high = _SECONDS[kind]
        at = chance.uniform(_FIRST_AT, seconds)
        steps.append(
            Step(at, kind, chance.uniform(low, high), chance.randrange(members), chance.getrandbits(32))
        )
    steps.sort(key=lambda each: each.at)
    age = chance.choice(_AGES)
    starts_again, [pace] = chance.random() < 0.4, chance.choices(_PACES, (6, 4, 1))
    return Plan(seed, shape, members, seconds, tuple(steps), pace, age, starts_again)


def clock_shift(draw: int) -> int:
    """Return by how many seconds a clock is wrong."""
    return _SHIFTS[draw % len(_SHIFTS)]
