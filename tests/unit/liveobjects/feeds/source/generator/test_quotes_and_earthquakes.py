"""Made-up prices and earthquakes follow the laws that they are named after."""

from __future__ import annotations

import math
from collections import defaultdict
from hashlib import sha256
from typing import Any

import pytest

from liven.liveobjects.feeds.source.formats.format_table import term
from liven.liveobjects.feeds.source.generator import earthquakes
from liven.liveobjects.feeds.source.generator.earthquakes import Earthquakes
from liven.liveobjects.feeds.source.generator.generators import COUNTED, COUNTS, GENERATORS
from liven.liveobjects.feeds.source.generator.quotes import TICK, Quotes
from liven.liveobjects.feeds.source.generator.random_stream import RandomStream
from liven.types.codec import Codec

START = 1_790_000_000_000_000
DAY = 86_400.0


def rows(generator: Any, seconds: float) -> list[dict[str, Any]]:
    return [one.row for _, step in generator.steps(START, seconds) for one in step]


@pytest.mark.parametrize("name", GENERATORS)
def test_every_row_has_the_type_of_its_generator_and_its_place_in_time(name: str) -> None:
    generator = GENERATORS[name](1, COUNTS[name])
    codec, last, count = Codec(term(generator.record)), START, 0
    for begin, step in generator.steps(START, 3600 if name == "earthquakes" else 30):
        for one in step:
            assert last <= one.at
            assert begin <= one.at
            assert codec.decode(codec.encode(one.row)) == one.row
            last, count = one.at, count + 1
    assert count > 20
    assert name in COUNTED


@pytest.mark.parametrize(
    ("name", "told"), [("quotes", "6851970afe57cf30"), ("earthquakes", "52b483e7000dcda7")]
)
def test_a_seed_gives_the_same_rows_in_every_version(name: str, told: str) -> None:
    generator = GENERATORS[name](1, COUNTS[name])
    codec = Codec(term(generator.record))
    data = b"".join(codec.encode(row) for row in rows(generator, DAY if name == "earthquakes" else 60))
    assert sha256(data).hexdigest()[:16] == told


def test_quotes_have_a_spread_of_whole_ticks() -> None:
    found = rows(Quotes(1, 20), 60)
    spreads = {round((row["ask"] - row["bid"]) / TICK, 6) for row in found}
    assert spreads == {1.0, 2.0, 3.0, 4.0}
    trades = [row for row in found if row["last"] is not None]
    assert 0.05 < len(trades) / len(found) < 0.2
    assert all(row["last"] in (row["bid"], row["ask"]) for row in trades)
    assert all((row["last"] is None) == (row["last_size"] is None) for row in found)


def test_prices_move_as_much_as_their_volatility_says() -> None:
    generator = Quotes(2, 400)
    volatility = generator._volatility.copy()
    before = generator._log_price.copy()
    for _ in generator.steps(START, 100):
        pass
    moved = (generator._log_price - before) / (volatility * math.sqrt(100 / (252 * 6.5 * 3600)))
    assert float(moved.std()) == pytest.approx(1.0, abs=0.12)


def test_magnitudes_follow_gutenberg_and_richter() -> None:
    last = {row["id"]: row["magnitude"] for row in rows(Earthquakes(1, 500), DAY / 4)}
    found = [magnitude for magnitude in last.values() if magnitude >= 2.5]
    assert len(found) > 500
    b = math.log10(math.e) / (sum(found) / len(found) - (2.5 - 0.05))  # Aki (1965), of values rounded to 0.1
    assert b == pytest.approx(1.0, abs=0.12)


def test_aftershocks_follow_omori() -> None:
    generator = Earthquakes(1, 1)
    times = [generator._omori() for _ in range(20_000)]
    assert min(times) >= 0
    assert max(times) <= 30 * DAY
    power = 1 - earthquakes.OMORI_P

    def sum_until(seconds: float) -> float:
        whole = (30 * DAY + earthquakes.OMORI_C) ** power - earthquakes.OMORI_C**power
        return float(((seconds + earthquakes.OMORI_C) ** power - earthquakes.OMORI_C**power) / whole)

    for seconds in (600.0, 3600.0, DAY, 10 * DAY):
        part = sum(one <= seconds for one in times) / len(times)
        assert part == pytest.approx(sum_until(seconds), abs=0.015)


def test_each_earthquake_comes_again_when_it_is_reviewed() -> None:
    found = defaultdict(list)
    for row in rows(Earthquakes(4, 100), DAY):
        found[row["id"]].append(row)
    twice = [both for both in found.values() if len(both) == 2]
    assert len(twice) > 0.8 * len(found)
    for first, second in twice:
        assert (first["status"], second["status"]) == ("automatic", "reviewed")
        assert first["updated"] < second["updated"]
        assert (first["at"], first["latitude"]) == (second["at"], second["latitude"])


def test_random_numbers_are_uniform_normal_and_exponential() -> None:
    stream = RandomStream(1, "test")
    uniforms, normals = stream.uniforms(100_000), stream.normals(100_000)
    waits = [stream.wait() for _ in range(20_000)]
    assert float(uniforms.mean()) == pytest.approx(0.5, abs=0.01)
    assert 0 <= float(uniforms.min()) <= float(uniforms.max()) < 1
    assert (float(normals.mean()), float(normals.std())) == pytest.approx((0.0, 1.0), abs=0.02)
    assert sum(waits) / len(waits) == pytest.approx(1.0, abs=0.03)
    assert {stream.below(3) for _ in range(100)} == {0, 1, 2}
    assert RandomStream(1, "other").uniform() != RandomStream(1, "test").uniform()


@pytest.mark.parametrize("make", [Quotes, Earthquakes])
def test_a_count_that_is_none_is_refused(make: Any) -> None:
    with pytest.raises(ValueError, match="not 0"):
        make(1, 0)
