"""The generators as objects: rows come in their time, which runs faster or stands still."""

from __future__ import annotations

from typing import Any

import pytest

from liven.liveobjects.feeds.source.generator.invented_streams import (
    AirspaceStream,
    EarthquakesStream,
    QuotesStream,
)
from liven.runtime.capability import CapabilityKind
from liven.runtime.errors import CallFailedError
from liven.runtime.testing import Bench


def rows(probe: Any) -> list[Any]:
    return [event[1] for event in probe.heard if event[0] == "set"]


def test_each_aircraft_is_reported_once_a_second() -> None:
    with Bench() as bench:
        probe = bench.build(AirspaceStream, count=10).probe("Endpoint")
        bench.advance(3)
        assert 25 <= len(rows(probe)) <= 31
        assert [row.at for row in rows(probe)] == sorted(row.at for row in rows(probe))
        assert len({row.icao for row in rows(probe)}) == 10


def test_time_runs_faster_and_stands_still_while_nobody_is_connected() -> None:
    with Bench() as bench:
        built = bench.build(AirspaceStream, count=10, speed=10.0)
        probe = built.probe("Endpoint")
        bench.advance(2)
        first = rows(probe)
        assert 180 <= len(first) <= 210
        probe.close()
        bench.advance(60)
        again = built.probe("Endpoint")
        bench.advance(1)
        assert rows(again)[0] == first[-1], "the latest row comes at once"
        assert rows(again)[1].at - first[-1].at < 3_000_000


def test_the_seed_chooses_the_rows() -> None:
    with Bench() as bench:
        probes = [bench.build(QuotesStream, seed=seed).probe("Endpoint") for seed in (1, 1, 2)]
        bench.advance(1)
        symbols = [{row.symbol for row in rows(probe)} for probe in probes]
        assert symbols[0] == symbols[1]
        assert symbols[0] != symbols[2]


def test_earthquakes_of_a_day_pass_in_a_minute() -> None:
    with Bench() as bench:
        probe = bench.build(EarthquakesStream, speed=1440.0).probe("Endpoint")
        bench.advance(60)
        assert 200 < len(rows(probe)) < 4000


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"count": 0}, "1 to 100,000 aircraft"),
        ({"speed": 0.0}, "a speed is above 0"),
        ({"speed": float("nan")}, "a speed is above 0"),
        ({"count": 10_001}, "10,001 rows a second; the limit is 10,000"),
    ],
)
def test_a_wrong_recipe_is_refused_with_the_reason(values: dict[str, Any], told: str) -> None:
    with Bench() as bench, pytest.raises(CallFailedError, match=told):
        bench.build(AirspaceStream, **values)


def test_the_rate_is_stated() -> None:
    [one] = AirspaceStream.capabilities(count=100, speed=2.0)
    assert one.kind is CapabilityKind.SEND
    assert one.rate == 100 * 2 * 300
