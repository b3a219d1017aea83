"""An airspace: aircraft that fly between invented fixes, climb, cruise, descend, land, and begin again.

Legs are great circles, turns 3 degrees a second, and below 10,000 feet nobody is faster than 250 knots. Each
aircraft reports once a second, at a moment of the second that is its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from liven.liveobjects.feeds.source.formats.fields import FEET, FEET_A_MINUTE, KNOTS
from liven.liveobjects.feeds.source.formats.records import Aircraft
from liven.liveobjects.feeds.source.generator.great_circle import bearing, distance, moved
from liven.liveobjects.feeds.source.generator.invention import SECOND, Invented
from liven.liveobjects.feeds.source.generator.random_stream import Floats, RandomStream

MOST_AIRCRAFT: Final = 100_000
TURN: Final = 3.0
"""Degrees a second: the standard rate of a turn."""
LOW: Final = 10_000 * FEET
LOW_SPEED: Final = 250 * KNOTS
_CLIMB: Final = 2_000 * FEET_A_MINUTE
_DESCENT: Final = 1_800 * FEET_A_MINUTE
_SPEEDING: Final = 1.2
"""Metres a second, each second, by which an aircraft changes its speed."""
_SLOWEST: Final = 75.0
_GLIDE: Final = 20.0
"""Metres of way for each metre of height that is left, from the begin of the descent."""
_NEAR: Final = 6_000.0
_ON_GROUND: Final = 300
"""Seconds from a landing to the next start."""
_FIXES: Final = 40
_LEGS: Final = 4
_CENTRE: Final = (47.0, 8.0)
_SPREAD: Final = (4.0, 6.0)
_AIRLINES: Final = ("ALP", "BOR", "CIR", "DEL", "EOS", "FJO")
_SQUAWK: Final = 0o10000
Whole = npt.NDArray[np.int64]


class Airspace:
    """A number of aircraft over the middle of Europe."""

    name = "airspace"
    record = Aircraft

    def __init__(self, seed: int, count: int = 100) -> None:
        """Raise ValueError for a number of aircraft that is none."""
        if not 0 < count <= MOST_AIRCRAFT:
            raise ValueError(f"an airspace has 1 to {MOST_AIRCRAFT:,} aircraft, not {count}")
        self._count = count
        self._chance = RandomStream(seed, self.name)
        self._fix_north = _CENTRE[0] + _SPREAD[0] * (2 * self._chance.uniforms(_FIXES) - 1)
        self._fix_east = _CENTRE[1] + _SPREAD[1] * (2 * self._chance.uniforms(_FIXES) - 1)
        first = 0x400000 + self._chance.below(0x100000)
        self.addresses = [f"{first + 7 * one & 0xFFFFFF:06x}" for one in range(count)]
        self._phase = np.sort((self._chance.uniforms(count) * SECOND).astype(np.int64)).tolist()
        self._route: Whole = np.zeros((count, _LEGS), np.int64)
        self._leg: Whole = np.zeros(count, np.int64)
        self._north, self._east = np.zeros(count), np.zeros(count)
        self._track, self._speed, self._height = np.zeros(count), np.zeros(count), np.zeros(count)
        self._cruise_speed, self._cruise_height = np.zeros(count), np.zeros(count)
        self._waits: Whole = np.zeros(count, np.int64)
        self._calls = [""] * count
        self._squawks = [""] * count
        self._depart(np.arange(count))
        self._spread_out()

    def steps(self, start: int, seconds: float) -> Iterator[tuple[int, list[Invented]]]:
        """Yield each second with the reports in it."""
        whole, end = int(np.ceil(seconds)), start + round(seconds * SECOND)
        for step in range(whole):
            begin = start + step * SECOND
            yield begin, [one for one in self._reports(begin) if one.at < end]
            self._fly()

    def _reports(self, begin: int) -> list[Invented]:
        """Return the report of each aircraft, in the order of their moments."""
        ground = self._waits > 0
        climb = np.where(ground, 0.0, self._climb)
        columns: list[list[Any]] = [
            np.round(self._north, 6).tolist(),
            np.round(self._east, 6).tolist(),
            np.round(self._height, 1).tolist(),
            np.round(self._speed, 2).tolist(),
            np.round(self._track, 2).tolist(),
            (np.round(climb, 2) + 0.0).tolist(),
            ground.tolist(),
        ]
        found = []
        facts = zip(self._phase, self.addresses, self._calls, self._squawks, *columns, strict=True)
        for phase, icao, call, squawk, north, east, height, speed, track, climbs, on_ground in facts:
            at = begin + phase
            row = {
                "at": at,
                "icao": icao,
                "callsign": call,
                "latitude": north,
                "longitude": east,
                "altitude": height,
                "speed": speed,
                "track": track,
                "climb": climbs,
                "on_ground": on_ground,
                "squawk": squawk,
            }
            found.append(Invented(at, icao, row))
        return found

    def _depart(self, who: Whole) -> None:
        """Begin new flights: each from a fix over others to a last one."""
        count = len(who)
        first = (self._chance.uniforms(count) * _FIXES).astype(np.int64)
        for leg in range(_LEGS):
            away = 1 + (self._chance.uniforms(count) * (_FIXES - 1)).astype(np.int64)
            self._route[who, leg] = (first + away) % _FIXES
            first_of_leg = first if leg == 0 else self._route[who, leg - 1]
            same = self._route[who, leg] == first_of_leg
            self._route[who, leg] = np.where(
                same, (self._route[who, leg] + 1) % _FIXES, self._route[who, leg]
            )
        self._leg[who] = 0
        self._north[who], self._east[who] = self._fix_north[first], self._fix_east[first]
        to = self._route[who, 0]
        there = self._fix_north[to], self._fix_east[to]
        self._track[who] = np.round(bearing(self._north[who], self._east[who], *there), 4)
        self._speed[who], self._height[who] = _SLOWEST, 0.0
        self._cruise_speed[who] = np.round(KNOTS * (400 + 80 * self._chance.uniforms(count)), 3)
        levels = 280 + 10 * (self._chance.uniforms(count) * 12).astype(np.int64)
        self._cruise_height[who] = np.round(levels * 100 * FEET, 3)
        for one in who.tolist():
            self._calls[one] = (
                f"{_AIRLINES[self._chance.below(len(_AIRLINES))]}{100 + self._chance.below(900)}"
            )
            self._squawks[one] = f"{self._chance.below(_SQUAWK):04o}"
        self._climb = np.zeros(self._count)

    def _spread_out(self) -> None:
        """Put most aircraft somewhere on their first leg, so that the sky is not empty at the begin."""
        part = self._chance.uniforms(self._count) * 1.2 - 0.2
        flying = part > 0
        to = self._route[:, 0]
        way = distance(self._north, self._east, self._fix_north[to], self._fix_east[to]) * np.maximum(part, 0)
        north, east = moved(self._north, self._east, self._track, way)
        self._north, self._east = np.round(north, 7), np.round(east, 7)
        height: Floats = np.where(
            flying, np.minimum(self._cruise_height, np.round(way / _GLIDE * 1.5, 3)), 0.0
        )
        fast = np.minimum(self._cruise_speed, np.where(height < LOW, LOW_SPEED, np.inf))
        speed: Floats = np.where(flying, fast, _SLOWEST)
        self._height, self._speed = height, speed

    def _fly(self) -> None:
        """Let a second pass."""
        self._waits = np.maximum(self._waits - 1, 0)
        to = self._route[np.arange(self._count), self._leg]
        north, east = self._fix_north[to], self._fix_east[to]
        left = distance(self._north, self._east, north, east)
        self._turn(bearing(self._north, self._east, north, east))
        landing = self._leg == _LEGS - 1
        self._rise(landing & (left < self._height * _GLIDE + _NEAR))
        metres = np.where(self._waits > 0, 0.0, self._speed)
        moved_north, moved_east = moved(self._north, self._east, self._track, metres)
        # rounded, so that the last bit of a processor's sine changes nothing
        self._north, self._east = np.round(moved_north, 7), np.round(moved_east, 7)
        arrived = (left < _NEAR) & (self._waits == 0)
        self._leg = np.where(arrived & ~landing, self._leg + 1, self._leg)
        self._land(np.flatnonzero(arrived & landing & (self._height <= 0)))

    def _turn(self, wanted: Floats) -> None:
        off = (wanted - self._track + 180) % 360 - 180
        self._track = np.round((self._track + np.clip(off, -TURN, TURN)) % 360, 4)

    def _rise(self, descending: npt.NDArray[np.bool_]) -> None:
        """Change height and speed."""
        goal = np.where(descending, 0.0, self._cruise_height)
        change: Floats = np.clip(goal - self._height, -_DESCENT, _CLIMB)
        none: Floats = np.zeros(self._count)
        climb: Floats = np.where(self._waits > 0, none, change)
        self._climb = np.round(climb, 4) + 0.0  # no minus zero, which has other bytes
        height: Floats = np.maximum(self._height + self._climb, none)
        self._height = np.round(height, 4)
        slow = self._height < LOW + np.where(descending, 60 * _DESCENT, 0.0)
        wanted = np.where(slow, np.minimum(LOW_SPEED, self._cruise_speed), self._cruise_speed)
        wanted = np.where(descending & (self._height < LOW / 3), _SLOWEST, wanted)
        step = np.clip(wanted - self._speed, -_SPEEDING, _SPEEDING)
        self._speed = np.round(self._speed + step, 4)
        self._speed = np.where(self._height < LOW, np.minimum(self._speed, LOW_SPEED), self._speed)

    def _land(self, who: Whole) -> None:
        if len(who):
            self._depart(who)
            self._waits[who] = _ON_GROUND

    _climb: Floats
