"""Rates, losses and slow members between two readings of the counters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.app.network_panel.history import KEPT, Flow, History, amount, channel_of
from liven.liveobjects.channel.line.traffic_counters import GroupTraffic, NetworkSnapshot
from liven.multicast.laggard import Lag, Laggard


def look(at: float, count: int = 0, slow: str = "", name: str = "home/f/list") -> NetworkSnapshot:
    stats = {
        "messages_sent": count,
        "messages_delivered": 2 * count,
        "packets_received": 100 * count,
        "repairs_received": count,
        "bytes_sent": 10 * count,
        "bytes_received": 20 * count,
        "token_rtt": 2_500_000,
    }
    return NetworkSnapshot(at, stats, (GroupTraffic(name, 2, count, 3 * count, 7 * count, slow),))


def test_the_second_reading_makes_the_first_moment() -> None:
    history = History()
    history.add(look(10.0))
    assert history.now is None
    history.add(look(12.0, 20))
    now = history.now
    assert now is not None
    assert now.flows == (Flow("home/f/list", 2, 10.0, 30.0, 70.0, ""),)
    assert (now.sent, now.received, now.bytes_out, now.row.megabytes) == (10.0, 30.0, 100.0, 0.0002)
    assert (now.row.loss, now.row.round_trip) == (1.0, 2.5)
    assert now.flows[0].network == "home"


def test_a_new_group_starts_at_zero() -> None:
    history = History()
    history.add(look(1.0, 5, name="home/f/old"))
    history.add(look(2.0, 50, name="home/f/new"))
    assert history.now is not None
    assert history.now.flows == (Flow("home/f/new", 2, 0.0, 0.0, 0.0, ""),)


def test_slow_groups_are_named() -> None:
    history = History()
    history.add(look(1.0))
    history.add(look(2.0, slow="waits for a slow member"))
    assert history.now is not None
    assert [flow.slow for flow in history.now.slow] == ["waits for a slow member"]


def test_a_slow_member_is_listed_only_in_its_groups() -> None:
    silent, braking = Laggard(7, Lag.SILENT), Laggard(8, Lag.BRAKING, "home/f/b")
    groups = (
        GroupTraffic("home/f/a", 3, 0, 0, 0, "", (1, 7, 8)),
        GroupTraffic("home/f/b", 2, 0, 0, 0, "", (1, 8)),
        GroupTraffic("home/f/c", 1, 0, 0, 0, "", (1,)),
    )
    history = History()
    for at in (1.0, 2.0):
        history.add(NetworkSnapshot(at, {}, groups, (silent, braking)))
    assert history.now is not None
    assert [flow.waits for flow in history.now.flows] == [(silent,), (braking,), ()]
    assert [flow.group for flow in history.now.slow] == ["home/f/a", "home/f/b"]


def test_a_member_with_two_reasons_is_listed_once() -> None:
    twice = (Laggard(7, Lag.SILENT), Laggard(7, Lag.DEMOTED), Laggard(8, Lag.BEHIND))
    history = History()
    for at in (1.0, 2.0):
        history.add(NetworkSnapshot(at, {}, (GroupTraffic("home/f/a", 3, 0, 0, 0, "", (7, 8)),), twice))
    assert history.now is not None
    assert sorted(one.node for one in history.now.flows[0].waits) == [7, 8]


def test_the_history_ends_with_the_engine() -> None:
    history = History()
    history.add(look(1.0))
    history.add(look(2.0))
    history.add(None)
    assert history.now is None
    history.add(look(3.0))
    assert history.now is None


def test_traffic_during_a_pause_belongs_to_no_moment() -> None:
    history = History()
    history.add(look(1.0))
    history.pause()
    history.add(look(100.0, 5000))
    assert history.now is None


@given(st.lists(st.tuples(st.floats(0, 1e6), st.integers(0, 10**12)), max_size=300))
def test_rates_are_not_negative_and_the_history_is_bounded(looks: list[tuple[float, int]]) -> None:
    history = History()
    for at, count in looks:
        history.add(look(at, count))
    assert len(history.moments) <= KEPT
    for moment in history.moments:
        assert min(moment.sent, moment.received, moment.bytes_out, moment.row.loss) >= 0


@pytest.mark.parametrize(
    ("number", "unit", "text"),
    [
        (0, "B", "0 B"),
        (3.0, "", "3"),
        (3.25, "", "3.2"),
        (999, "B", "999 B"),
        (1500, "B", "1.5 kB"),
        (2.5e6, "", "2.5 M"),
        (4e9, "B", "4.0 GB"),
    ],
)
def test_amounts_are_short(number: float, unit: str, text: str) -> None:
    assert amount(number, unit) == text


def test_a_presence_group_belongs_to_its_channel() -> None:
    assert channel_of("home/f/list/presence") == channel_of("home/f/list") == "home/f/list"
