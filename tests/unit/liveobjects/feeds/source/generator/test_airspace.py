"""The airspace obeys the rules of the air, and the same seed gives the same flights."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from hashlib import sha256

import numpy as np
import pytest

from liven.liveobjects.feeds.source.formats.format_table import term
from liven.liveobjects.feeds.source.formats.records import Aircraft
from liven.liveobjects.feeds.source.generator.airspace import LOW, LOW_SPEED, TURN, Airspace
from liven.liveobjects.feeds.source.generator.great_circle import bearing, distance, moved
from liven.liveobjects.feeds.source.generator.invention import Invented
from liven.types.codec import Codec

START = 1_790_000_000_000_000


def reports(seed: int, count: int, seconds: float) -> list[Invented]:
    return [one for _, step in Airspace(seed, count).steps(START, seconds) for one in step]


@pytest.fixture(scope="module")
def flown() -> dict[str, list[dict[str, float]]]:
    found = defaultdict(list)
    for one in reports(3, 30, 1500):
        found[one.subject].append(one.row)
    return found


def test_each_aircraft_reports_once_a_second_at_its_own_moment() -> None:
    found = reports(1, 5, 4)
    assert [one.at for one in found] == sorted(one.at for one in found)
    for _, own in itertools.groupby(sorted(found, key=lambda one: one.subject), lambda one: one.subject):
        times = [one.at for one in own]
        assert len(times) == 4
        assert {later - before for before, later in itertools.pairwise(times)} == {1_000_000}


def test_nobody_is_faster_than_250_knots_below_10000_feet(flown: dict[str, list[dict[str, float]]]) -> None:
    low = [row for rows in flown.values() for row in rows if row["altitude"] < LOW - 0.1]
    assert len(low) > 1000
    assert max(row["speed"] for row in low) <= LOW_SPEED + 0.01
    assert max(row["speed"] for rows in flown.values() for row in rows) > 180


def test_nobody_turns_faster_than_3_degrees_a_second(flown: dict[str, list[dict[str, float]]]) -> None:
    turns = []
    for rows in flown.values():
        for before, after in itertools.pairwise(rows):
            if before["callsign"] == after["callsign"]:
                turns.append(abs((after["track"] - before["track"] + 180) % 360 - 180))
    assert max(turns) <= TURN + 0.02
    assert sum(turn > TURN - 0.02 for turn in turns) > 20, "somebody turns"


def test_a_second_brings_an_aircraft_as_far_as_its_speed_says(
    flown: dict[str, list[dict[str, float]]],
) -> None:
    for rows in flown.values():
        for before, after in itertools.pairwise(rows):
            if before["callsign"] != after["callsign"] or before["on_ground"]:
                continue
            places = [np.array([one[name]]) for one in (before, after) for name in ("latitude", "longitude")]
            assert float(distance(*places)[0]) == pytest.approx(after["speed"], abs=2.5)


@pytest.mark.slow
def test_aircraft_climb_cruise_descend_land_and_start_again() -> None:
    found = defaultdict(list)
    for one in reports(5, 12, 9000):
        found[one.subject].append(one.row)
    flights = {row["callsign"] for rows in found.values() for row in rows}
    assert len(flights) > 12, "somebody has landed and started again"
    assert any(row["on_ground"] for rows in found.values() for row in rows)
    climbs = [row["climb"] for rows in found.values() for row in rows]
    assert min(climbs) < -9
    assert max(climbs) > 10


def test_the_same_seed_gives_the_same_rows_and_another_one_others() -> None:
    assert reports(7, 10, 60) == reports(7, 10, 60)
    assert reports(7, 10, 60) != reports(8, 10, 60)


def test_a_seed_gives_the_same_rows_in_every_version() -> None:
    codec = Codec(term(Aircraft))
    whole = b"".join(codec.encode(one.row) for one in reports(1, 10, 300))
    assert sha256(whole).hexdigest()[:16] == "ce2a80af43115918"


def test_a_part_of_a_second_has_a_part_of_the_reports() -> None:
    assert 0 < len(reports(1, 100, 0.5)) < 100
    assert len(reports(1, 100, 1.0)) == 100


@pytest.mark.parametrize("count", [0, -1, 10**9])
def test_a_number_of_aircraft_that_is_none_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match="an airspace has 1 to"):
        Airspace(1, count)


def test_great_circles_agree_with_known_distances() -> None:
    zurich, london = (np.array([47.4647]), np.array([8.5492])), (np.array([51.4700]), np.array([-0.4543]))
    assert float(distance(*zurich, *london)[0]) == pytest.approx(788_000, rel=0.01)
    way = bearing(*zurich, *london)
    assert math.isclose(float(way[0]), 306, abs_tol=2)
    there = moved(*zurich, way, distance(*zurich, *london))
    assert float(there[0][0]) == pytest.approx(51.47, abs=1e-6)
    assert float(there[1][0]) == pytest.approx(-0.4543, abs=1e-6)
