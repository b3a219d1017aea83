"""Earthquakes: magnitudes of Gutenberg and Richter (b = 1), aftershocks of Omori and Utsu, later corrections.

Each earthquake is reported at once, and again when somebody has reviewed it: the same id with a later
`updated`.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from typing import Any, Final

from liven.liveobjects.feeds.source.formats.records import Earthquake
from liven.liveobjects.feeds.source.generator.invention import SECOND, Invented
from liven.liveobjects.feeds.source.generator.random_stream import RandomStream

MOST_AN_HOUR: Final = 1_000_000
LEAST: Final = 2.0
"""The smallest magnitude."""
GREATEST: Final = 8.5
B: Final = 1.0
"""Ten times as many for each magnitude less (Gutenberg and Richter, 1944)."""
_LN_10: Final = math.log(10)
_GROWTH: Final = 0.8
_OFFSPRING: Final = 0.12
"""Mean aftershocks of the smallest earthquake; with the growth, 0.6 for all, so that no sequence is
endless."""
_MOST_OFFSPRING: Final = 2_000
OMORI_C: Final = 600.0
OMORI_P: Final = 1.2
"""The rate of aftershocks falls with (seconds + c) to the power of -p (Omori, 1894; Utsu, 1961)."""
_HORIZON: Final = 30 * 86_400.0
_FAULTS: Final = 12
_STEP: Final = 60 * SECOND
_DELAY: Final = 120.0
"""Mean seconds until the first report."""
_REVIEWED: Final = 1800.0


class Earthquakes:
    """A number of earthquakes an hour that nothing triggered, and those that follow them."""

    name = "earthquakes"
    record = Earthquake

    def __init__(self, seed: int, count: int = 20) -> None:
        """Raise ValueError for a number an hour that is none."""
        if not 0 < count <= MOST_AN_HOUR:
            raise ValueError(f"there are 1 to {MOST_AN_HOUR:,} earthquakes an hour, not {count}")
        self._pause = 3600.0 / count
        self._chance = RandomStream(seed, self.name)
        chance = self._chance
        self._places = [
            (chance.between(-55, 60), chance.between(-180, 180), f"Fault {chr(65 + one)}")
            for one in range(_FAULTS)
        ]
        self._number = 0
        self._order = 0

    def steps(self, start: int, seconds: float) -> Iterator[tuple[int, list[Invented]]]:
        """Yield each minute with its reports."""
        end = start + round(seconds * SECOND)
        shocks: list[tuple[int, int, tuple[Any, ...]]] = []
        told: list[tuple[int, int, Invented]] = []
        following = self._after(start)
        for begin in range(start, end, _STEP):
            stop = min(begin + _STEP, end)
            while following < stop or (shocks and shocks[0][0] < stop):
                if not shocks or following <= shocks[0][0]:
                    self._shake(following, self._somewhere(), end, shocks, told)
                    following = self._after(following)
                else:
                    at, _, place = heapq.heappop(shocks)
                    self._shake(at, place, end, shocks, told)
            now = []
            while told and told[0][0] < stop:
                now.append(heapq.heappop(told)[2])
            yield begin, now

    def _after(self, moment: int) -> int:
        return moment + 1 + round(self._pause * self._chance.wait() * SECOND)

    def _somewhere(self) -> tuple[Any, ...]:
        north, east, name = self._places[self._chance.below(_FAULTS)]
        return north, east, name, 2.0

    def _shake(
        self,
        at: int,
        place: tuple[Any, ...],
        end: int,
        shocks: list[tuple[int, int, tuple[Any, ...]]],
        told: list[tuple[int, int, Invented]],
    ) -> None:
        """Add one earthquake, its aftershocks, and its reports."""
        chance = self._chance
        magnitude = min(GREATEST, LEAST + chance.wait() / (B * _LN_10))
        north, east, name, spread = place
        north = round(max(-89.0, min(89.0, north + spread * (chance.uniform() - 0.5))), 4)
        east = round((east + spread * (chance.uniform() - 0.5) + 180) % 360 - 180, 4)
        self._tell(at, magnitude, (north, east, name), told)
        for after in self._aftershocks(magnitude):
            if at + after < end:
                self._order += 1
                near = 10 ** (0.4 * (magnitude - 6.0))
                heapq.heappush(shocks, (at + after, self._order, (north, east, name, near)))

    def _aftershocks(self, magnitude: float) -> list[int]:
        """Return the times of the aftershocks, in µs after the shock."""
        mean = min(_MOST_OFFSPRING, _OFFSPRING * 10 ** (_GROWTH * (magnitude - LEAST)))
        times = []
        passed = self._chance.wait()
        while passed < mean:
            times.append(round(self._omori() * SECOND) + 1)
            passed += self._chance.wait()
        return times

    def _omori(self) -> float:
        """Return a time after a shock, in seconds, by the inverse of the sum of Omori's law."""
        power = 1.0 - OMORI_P
        first, last = OMORI_C**power, (_HORIZON + OMORI_C) ** power
        seconds: float = (first + (last - first) * self._chance.uniform()) ** (1.0 / power) - OMORI_C
        return seconds

    def _tell(
        self,
        at: int,
        magnitude: float,
        place: tuple[float, float, str],
        told: list[tuple[int, int, Invented]],
    ) -> None:
        chance = self._chance
        self._number += 1
        north, east, name = place
        first = at + round((20 + _DELAY * chance.wait()) * SECOND)
        row: dict[str, Any] = {
            "at": at,
            "id": f"lv{self._number:08d}",
            "updated": first,
            "latitude": north,
            "longitude": east,
            "depth": round(1_000 * (2 + 12.0 * chance.wait()), 0),
            "magnitude": round(magnitude + 0.2 * (chance.uniform() - 0.5), 1),
            "magnitude_type": "ml" if magnitude < 5 else "mww",
            "place": f"{1 + chance.below(90)} km from {name}",
            "kind": "earthquake",
            "status": "automatic",
            "alert": None if magnitude < 5.5 else "yellow" if magnitude < 7 else "red",
            "tsunami": magnitude >= 7,
            "significance": round(magnitude * magnitude * 1000 / 65),
            "felt": None if magnitude < 3.5 else chance.below(round(10 ** (magnitude - 3)) + 1),
            "network": "lv",
            "stations": 4 + chance.below(60),
            "gap": round(chance.between(20, 200), 0),
            "rms": round(chance.between(0.05, 0.9), 2),
            "link": None,
        }
        self._order += 1
        heapq.heappush(told, (first, self._order, Invented(first, row["id"], row)))
        later = first + round((60 + _REVIEWED * chance.wait()) * SECOND)
        better = {**row, "updated": later, "status": "reviewed", "magnitude": round(magnitude, 1)}
        self._order += 1
        heapq.heappush(told, (later, self._order, Invented(later, row["id"], better)))
