"""Derived tables: as-of against a fold of the log, sessions, gaps, figures, and running the job again."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from liven.liveobjects.feeds.asof.states import states_as_of
from liven.liveobjects.feeds.record import CHECKPOINT, GAP, GAP_TYPE, VALUE, Record
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.spark.jobs.derived import tables as derived
from liven.liveobjects.feeds.spark.jobs.job import JobError

SECOND = 1_000_000
MOMENTS = int(os.environ.get("LIVEN_MOMENTS", "100"))
NOON = 20_000 * 86_400 * SECOND + 43_200 * SECOND


pytestmark = pytest.mark.slow  # each job of Spark takes more than a second


def event(at: float, serial: int, **more: Any) -> Record:
    """Return a record of a number, received `at` seconds after noon."""
    received = NOON + int(at * SECOND)
    values: dict[str, Any] = {
        "object": "o",
        "channel": "c",
        "author": "ann",
        "type": "int64",
        "flags": 0,
        "payload": bytes([serial % 100]),
        **more,
    }
    return Record(received=received, sent=received, serial=serial, **values)


def derive(workplace: Any, *tables: str, **more: Any) -> None:
    derived.run(workplace.context, {"tables": list(tables), **more})


def test_states_agree_with_the_log_at_many_moments(workplace: Any) -> None:
    """Spark, numpy and a fold in plain Python know the same state of each object."""
    chance = random.Random(7)
    kinds = (0, 0, 0, 0, CHECKPOINT, VALUE, GAP)
    records = []
    for n in range(900):
        flags = chance.choice(kinds)
        kind = GAP_TYPE if flags & GAP and n % 2 else "int64"
        records.append(event(n / 10, n + 1, object=f"o{chance.randrange(9)}", flags=flags, type=kind))
    log = Log(workplace.record(records))
    moments = sorted(NOON + chance.randrange(90 * SECOND) for _ in range(MOMENTS))
    derive(workplace, "asof", moments=moments)
    rows = workplace.sql("select unix_micros(at), object, seq, base, state, operations from asof")
    of_spark: dict[int, dict[str, Any]] = {}
    for at, name, *state in rows:
        of_spark.setdefault(at, {})[name] = tuple(state)
    for at in set(moments):
        assert of_spark.get(at, {}) == of_numpy(log, at) == of_fold(records, at)


def of_numpy(log: Log, at: int) -> dict[str, Any]:
    return {
        state.key.object: (
            state.sequence,
            state.base,
            None if state.state is None else state.state.hex(),
            [one.hex() for one in state.operations],
        )
        for state in states_as_of(log, log.sequence_at(at))
    }


def of_fold(records: list[Record], at: int) -> dict[str, Any]:
    states: dict[str, Any] = {}
    for sequence, record in enumerate(records):
        if record.received >= at:
            break
        _, base, state, operations = states.get(record.object, (0, None, None, []))
        if record.flags & (CHECKPOINT | VALUE):
            states[record.object] = (sequence, sequence, record.payload.hex(), [])
        elif record.type != GAP_TYPE:
            states[record.object] = (sequence, base, state, [*operations, record.payload.hex()])
    return states


def test_moments_are_added_once(workplace: Any) -> None:
    workplace.record([event(n * 1800, n + 1, flags=VALUE) for n in range(6)])
    derive(workplace, "asof")
    hours = [[NOON + hour * 3600 * SECOND, hour * 2 - 1] for hour in (1, 2)]
    question = "select unix_micros(at), seq from asof order by at"
    assert workplace.sql(question) == hours
    derive(workplace, "asof")
    assert workplace.sql(question) == hours
    assert workplace.told("done")[-1]["rows"] == 0


def test_the_recorder_that_got_more_of_a_channel_counts(workplace: Any) -> None:
    workplace.record([event(n, n + 1, flags=VALUE) for n in range(3)], recorder="a")
    workplace.record([event(n, n + 1, flags=VALUE) for n in range(9)], recorder="b")
    derive(workplace, "asof", moments=[NOON + 60 * SECOND])
    assert workplace.sql("select recorder, seq from asof") == [["b", 8]]


def test_sessions_end_with_a_pause(workplace: Any) -> None:
    times = [0, 1, 2.5, 1000, 1001]
    workplace.record([event(at, n + 1) for n, at in enumerate(times)])
    derive(workplace, "sessions", pause=60.0)
    rows = workplace.sql("select events, bytes, longest_gap from sessions order by first_received")
    assert rows == [[3, 3, 1.5], [2, 2, 1.0]]


def test_gaps_are_numbers_that_no_recorder_got(workplace: Any) -> None:
    workplace.record([event(n, n) for n in (1, 2, 5, 9)], recorder="a")
    workplace.record([event(n, n) for n in (2, 3, 9)], recorder="b")
    derive(workplace, "gaps")
    rows = workplace.sql("select after_serial, before_serial, missing from gaps order by 1")
    assert rows == [[3, 5, 1], [5, 9, 3]]


def test_a_channel_with_one_order_has_one_row_of_numbers(workplace: Any) -> None:
    records = [event(0, 3, flags=CHECKPOINT, author="")]
    records += [event(n, n, author=f"a{n % 2}") for n in (4, 5, 6, 9)]
    workplace.record(records)
    derive(workplace, "gaps")
    rows = workplace.sql("select author, after_serial, before_serial, missing from gaps")
    assert rows == [["", 6, 9, 2]]


def test_figures_of_minutes_count_each_event_once(workplace: Any) -> None:
    events = [event(n * 20, n + 1, author=f"a{n % 2}") for n in range(6)]
    workplace.record(events, recorder="a")
    workplace.record(events[2:], recorder="b")
    derive(workplace, "stats_1m")
    derive(workplace, "stats_1m")
    assert workplace.sql("select events, bytes, authors from stats_1m order by start") == [
        [3, 3, 2],
        [3, 3, 2],
    ]


def test_an_unknown_table_is_refused(workplace: Any) -> None:
    with pytest.raises(JobError, match="there are asof, sessions, gaps, stats_1m"):
        derive(workplace, "moods")


def test_too_many_moments_are_refused(workplace: Any) -> None:
    workplace.record([event(0, 1), event(2_000_000, 2)])
    with pytest.raises(JobError, match="longer distance"):
        derive(workplace, "asof", every=100 * SECOND)
    assert workplace.layout.feeds() == []
