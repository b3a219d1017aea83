"""The state at any moment is a fold of the log up to it, whichever way it is found."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

import msgpack  # type: ignore[import-untyped]
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.liveobjects.feeds.replay.recordings import checkpoint, numbered, record, recording

from liven.liveobjects.feeds.record import CHECKPOINT, CONTROL, FORK, GAP
from liven.liveobjects.feeds.recorder.log.marks import GAP_TYPE
from liven.liveobjects.feeds.replay import moments as module
from liven.liveobjects.feeds.replay.moments import Keeps, Moments
from liven.liveobjects.feeds.replay.remap import Remap
from liven.liveobjects.feeds.replay.rows import Event
from liven.liveobjects.feeds.replay.selection import Selection
from liven.liveobjects.feeds.replay.source.event_list import EventList

T = TypeVar("T")
CHANNELS = ("home/f/a", "home/f/b", "home/f/c")


def result(steps: Generator[None, None, T]) -> T:
    while True:
        try:
            next(steps)
        except StopIteration as ended:
            value: T = ended.value
            return value


def folded(moments: Moments, names: tuple[str, ...], at: int, since: int = 0) -> dict[str, list[Any]]:
    """Return the values that make up the state of each channel: that of its base, then the operations."""
    bases = result(moments.find(dict.fromkeys(names, Keeps.STATE), at))
    states: dict[str, list[Any]] = {name: [] for name in names}
    for events in moments.operations(bases, at, since):
        for event in events:
            value = msgpack.unpackb(event.record.payload)
            if event.record.flags & CHECKPOINT:
                states[event.record.channel] = [("state", value)]
            else:
                states[event.record.channel].append(value)
    return states


def expected(events: list[Event], names: tuple[str, ...], at: int) -> dict[str, list[Any]]:
    """Return the same by the definition: every record in order, and a fork takes back what is in a branch."""
    kept: dict[str, list[tuple[int, Any]]] = {name: [] for name in names}
    for sequence, one in events:
        if sequence >= at or one.channel not in kept or one.flags & (CONTROL | GAP):
            continue
        rows = kept[one.channel]
        if one.flags & FORK:
            rows[:] = [row for row in rows if row[0] <= one.serial]
        elif one.flags & CHECKPOINT:
            rows.append((one.serial, ("state", msgpack.unpackb(one.payload))))
        else:
            rows.append((one.serial, msgpack.unpackb(one.payload)))
    states = {}
    for name, rows in kept.items():
        values = [value for _, value in rows]
        last = max((place for place, value in enumerate(values) if isinstance(value, tuple)), default=0)
        states[name] = values[last:]
    return states


KINDS = st.sampled_from(["op"] * 8 + ["state", "state", "fork", "gap", "control"])
ROWS = st.lists(st.tuples(st.sampled_from(CHANNELS), KINDS, st.integers(0, 9)), max_size=80)


def log_of(rows: list[tuple[str, str, int]]) -> list[Event]:
    """Return a log as recorders write it: serials rise, except after a fork."""
    records, serials = [], dict.fromkeys(CHANNELS, 0)
    for place, (channel, kind, back) in enumerate(rows):
        if kind == "op":
            serials[channel] += 1
            records.append(record(place, place, channel=channel, serial=serials[channel]))
        elif kind == "state":
            records.append(checkpoint(place, place, channel=channel, serial=serials[channel]))
        elif kind == "fork":
            serials[channel] = max(0, serials[channel] - back)
            records.append(record(place, {}, channel=channel, serial=serials[channel], flags=FORK))
        elif kind == "gap":
            serials[channel] += 1
            gap = {"first": 0, "last": 0, "why": ""}
            serial = serials[channel]
            records.append(record(place, gap, channel=channel, serial=serial, flags=GAP, type=GAP_TYPE))
        else:
            serials[channel] += 1
            records.append(record(place, 0, channel=channel, serial=serials[channel], flags=CONTROL))
    return numbered(records)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ROWS, st.lists(st.integers(0, 85), min_size=1, max_size=6))
def test_state_is_the_fold_of_the_log(
    monkeypatch: pytest.MonkeyPatch, rows: list[tuple[str, str, int]], places: list[int]
) -> None:
    monkeypatch.setattr(module, "RANGE", 8)
    events = log_of(rows)
    moments = Moments(EventList(events, batch=5), Selection(), Remap(), 0)
    for place in places:
        at = min(place, len(events))
        assert folded(moments, CHANNELS, at) == expected(events, CHANNELS, at)


@pytest.mark.parametrize("most", [1, 30])
def test_summaries_stay_below_their_limit(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(module, "RANGE", 8)
    monkeypatch.setattr(module, "_SUMMARIES_MOST", most)
    events = log_of([(CHANNELS[place % 3], "op", 0) for place in range(400)])
    moments = Moments(EventList(events), Selection(), Remap(), 0)
    for at in (400, 13, 250, 399):
        assert folded(moments, CHANNELS, at) == expected(events, CHANNELS, at)
        assert moments._entries <= most


def test_values_and_channels_without_a_state() -> None:
    records = [record(at, at, channel=CHANNELS[at % 2]) for at in range(20)]
    moments = Moments(recording(records), Selection(), Remap(), 0)
    wanted = {CHANNELS[0]: Keeps.VALUE, CHANNELS[1]: Keeps.NOTHING, CHANNELS[2]: Keeps.VALUE}
    bases = result(moments.find(wanted, 11))
    assert bases == {CHANNELS[0]: 10, CHANNELS[1]: 11, CHANNELS[2]: -1}
    given_ = [event.sequence for events in moments.operations(bases, 11) for event in events]
    assert given_ == [10]


def test_value_among_the_selected_ones_is_the_newest_of_them() -> None:
    records = [record(at, at, channel="c", author="ann" if at % 3 == 0 else "ben") for at in range(12)]
    moments = Moments(recording(records), Selection(authors=("ann",)), Remap(), 4)
    for at, base in ((3, 2), (4, 3), (6, 3), (7, 6), (12, 9)):
        assert result(moments.find({"c": Keeps.VALUE}, at)) == {"c": base}


def test_two_channels_may_be_played_as_one() -> None:
    records = [checkpoint(0, 1, channel="a"), checkpoint(1, 2, channel="b"), record(2, 3, channel="a")]
    moments = Moments(recording(records), Selection(), Remap((("b", "a"),)), 0)
    assert folded(moments, ("a",), 3) == {"a": [("state", 2), 3]}
