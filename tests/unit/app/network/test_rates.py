from __future__ import annotations

from liven.app.network.rates import PreviousFigures, rows
from liven.multicast.laggard import Lag, Laggard
from liven.multicast.published_stats import EngineStats


def shown(engine: str, at: float, **stats: int) -> EngineStats:
    return EngineStats(engine, 1000 + len(engine), at, ("chat:room",), stats)


def test_rates_are_computed_between_two_readings() -> None:
    before = [shown("a", 10.0, messages_sent=100, bytes_received=0)]
    now = [shown("a", 12.0, messages_sent=300, bytes_received=4_000_000, kernel_drops=2, messages_dropped=3)]
    (row,) = rows(before, now)
    assert (row.sent, row.megabytes, row.drops) == (100.0, 2.0, 5)


def test_loss_is_the_share_of_repairs() -> None:
    before = [shown("a", 0.0, packets_received=1000, repairs_received=10)]
    (row,) = rows(before, [shown("a", 1.0, packets_received=1200, repairs_received=13)])
    assert row.loss == 1.5
    (row,) = rows(before, [shown("a", 1.0, packets_received=1000, repairs_received=10)])
    assert row.loss == 0


def test_slow_groups_pending_messages_and_drops_are_counted() -> None:
    stats = {
        "groups_paused": 2,
        "groups_demoted": 1,
        "pending_messages": 4,
        "pending_packets": 5,
        "regions": 3,
    }
    (row,) = rows(
        [], [shown("a", 1.0, **stats, drop_tag=1, drop_replay=2, kernel_drops=4, token_rtt=2_500_000)]
    )
    assert (row.slow, row.pending, row.regions, row.drops, row.round_trip) == (3, 9, 3, 7, 2.5)


def test_a_new_or_idle_engine_has_no_rate() -> None:
    same = [shown("a", 10.0, messages_sent=100)]
    assert rows([], same)[0].sent == 0
    assert rows(same, same)[0].sent == 0


def test_a_restarted_engine_has_no_negative_rate() -> None:
    assert rows([shown("a", 1.0, messages_sent=100)], [shown("a", 2.0, messages_sent=1)])[0].sent == 0


def test_the_busiest_engine_is_first() -> None:
    before = [shown("a", 0.0), shown("bb", 0.0)]
    now = [shown("a", 1.0, messages_sent=1), shown("bb", 1.0, messages_sent=9)]
    assert [row.pid for row in rows(before, now)] == [1002, 1001]


def test_rows_with_nearly_equal_rates_keep_their_order() -> None:
    before = [shown("a", 0.0), shown("bb", 0.0)]
    for one, other in ((1000, 1003), (1003, 1000), (0, 0)):
        now = [shown("bb", 1.0, messages_sent=other), shown("a", 1.0, messages_sent=one)]
        assert [row.pid for row in rows(before, now)] == [1001, 1002]
    alike = [EngineStats(engine, 7, 1.0, (engine,), {}) for engine in ("7-b", "7-a")]
    for looked in (alike, alike[::-1]):
        assert [row.names for row in rows([], looked)] == [("7-a",), ("7-b",)]


def test_outdated_waits_are_dropped() -> None:
    looked = [EngineStats("a", 10, 100.0, (), {}, 1, (Laggard(2, Lag.BEHIND, packets=5),))]
    assert len(rows([], looked, 101.0)[0].waits) == 1
    assert rows([], looked, 120.0)[0].waits == ()


def test_sent_megabytes_are_counted() -> None:
    (row,) = rows([shown("a", 10.0, bytes_sent=0)], [shown("a", 12.0, bytes_sent=40_000_000)])
    assert (row.megabytes, row.megabytes_sent) == (0.0, 20.0)


def test_reading_more_often_than_the_engine_updates_gives_no_zero_rate() -> None:
    past = PreviousFigures(0.5)
    first, second = [shown("a", 10.0, messages_sent=100)], [shown("a", 11.0, messages_sent=150)]
    rates = []
    for now, clock in ((first, 10.2), (second, 11.1), (second, 11.6), (second, 12.1)):
        (row,) = rows(past.before(now, clock), now, clock)
        rates.append(row.sent)
    assert rates == [0.0, 50.0, 50.0, 50.0]


def test_a_burst_after_a_pause_is_not_averaged_over_the_pause() -> None:
    past = PreviousFigures(1.0)
    first, quiet, burst = (
        [shown("a", 10.0)],
        [shown("a", 11.0, messages_sent=10)],
        [shown("a", 60.0, messages_sent=110)],
    )
    past.before(first, 10.0)
    assert rows(past.before(quiet, 11.0), quiet)[0].sent == 10
    assert rows(past.before(quiet, 20.0), quiet)[0].sent == 0
    assert rows(past.before(burst, 60.5), burst)[0].sent == 50  # in two seconds at most
