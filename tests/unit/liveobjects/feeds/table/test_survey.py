"""The first look at a stretch of a log."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.liveobjects.feeds.table import survey as module
from liven.liveobjects.feeds.table.survey import ANYBODY, MANY, mark_key, survey

DAY = 86_400_000_000


def test_types_and_days_are_counted(log: Callable[..., Log], make: Callable[..., Record]) -> None:
    records = [make(n, received=n * DAY // 2, type="a" if n % 3 else "b") for n in range(6)]
    found = survey(log(records), "r", 1, 6, {})
    assert found.types == {"a": 4, "b": 1}
    assert found.days == {"1970-01-01", "1970-01-02", "1970-01-03"}
    assert found.rows == 5
    assert found.fresh
    assert found.marks == {mark_key("c", "ann"): 6, mark_key("c", ANYBODY): 6}


def test_a_serial_that_was_there_is_noticed(log: Callable[..., Log], make: Callable[..., Record]) -> None:
    records = [make(n) for n in range(10)]
    assert survey(log(records), "r", 0, 10, {mark_key("c", "ann"): 0}).fresh
    assert not survey(Log(log([]).folder), "r", 0, 10, {mark_key("c", "ann"): 1}).fresh


def test_an_unknown_author_may_be_any(log: Callable[..., Log], make: Callable[..., Record]) -> None:
    made = log([make(0), make(1), make(1, author=""), make(2, author=""), make(2), make(4)])
    first = survey(made, "r", 0, 2, {})
    second = survey(made, "r", 2, 4, first.marks)
    assert not second.fresh
    third = survey(made, "r", 4, 5, first.marks | second.marks)
    assert not third.fresh
    assert survey(made, "r", 5, 6, first.marks | second.marks | third.marks).fresh


def test_times_that_no_calendar_has_are_counted(log: Callable[..., Log], make: Callable[..., Record]) -> None:
    found = survey(log([make(0, received=0), make(1, received=1 << 60)]), "r", 0, 2, {})
    assert (found.far, found.days, found.rows) == (1, {"1970-01-01"}, 2)


def test_authors_are_told_apart(log: Callable[..., Log], make: Callable[..., Record]) -> None:
    records = [make(n, author=f"a{n % 4}", channel=f"c{n % 3}", serial=n // 12 + 1) for n in range(60)]
    found = survey(log(records), "r", 0, 60, {})
    assert found.fresh
    assert set(found.marks.values()) == {5}
    assert len(found.marks) == 12 + 3  # those of anybody


def test_records_without_a_number_are_never_duplicates(
    log: Callable[..., Log], make: Callable[..., Record]
) -> None:
    found = survey(log([make(n, serial=0) for n in range(10)]), "r", 0, 10, {})
    assert found.fresh
    assert found.marks == {}


def test_too_many_authors_end_the_marks(
    log: Callable[..., Log], make: Callable[..., Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_MARKS", 3)
    found = survey(log([make(n, author=str(n)) for n in range(5)]), "r", 0, 5, {})
    assert found.marks == {MANY: 0}
    assert not survey(Log(log([]).folder), "r", 0, 1, {MANY: 0}).fresh


def test_damage_is_noted_and_the_rest_read(log: Callable[..., Log], make: Callable[..., Record]) -> None:
    made = log([make(n, b"x" * 200_000) for n in range(30)])
    (file,) = made.folder.glob("*.seg")
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    found = survey(made, "r", 0, 30, {})
    (skipped,) = found.skipped
    assert found.rows == 30 - (skipped.end - skipped.first)
    assert 0 < skipped.end - skipped.first < 30
    assert "damaged" in skipped.why


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 6)), max_size=25), st.integers(0, 25))
def test_nothing_fresh_holds_a_duplicate(
    tmp_path_factory: pytest.TempPathFactory, events: list[tuple[int, int]], cut: int
) -> None:
    """The survey of two stretches after each other may be wary, but never takes a duplicate for fresh."""
    folder = Path(tmp_path_factory.mktemp("log"))
    with LogWriter(folder) as writer:
        for author, serial in events:
            writer.append(Record(1, 1, "o", "c", str(author), "t", serial, 0, b""))
    cut = min(cut, len(events))
    first = survey(Log(folder), "r", 0, cut, {})
    second = survey(Log(folder), "r", cut, len(events), first.marks)
    for found, low, high in ((first, 0, cut), (second, cut, len(events))):
        numbered = [event for event in events[low:high] if event[1]]
        before = {event for event in events[:low] if event[1]}
        if found.fresh:
            assert len(set(numbered)) == len(numbered)
            assert not before & set(numbered)
