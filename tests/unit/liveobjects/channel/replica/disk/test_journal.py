"""The journal: waiting operations are on disk, in order, and nothing else for long."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.history import MalformedError, Operation
from liven.liveobjects.channel.replica.disk.journal import MARK, Journal, unpacked_lines
from liven.liveobjects.channel.replica.disk.persistence import Persistence
from liven.liveobjects.channel.store import ChannelStore, Store
from liven.liveobjects.channel.store.records import StoreFullError
from liven.liveobjects.channel.testing import BreakableStore

ANN, BOB = b"a" * 16, b"b" * 16


def of_ann(*numbers: int) -> list[Operation]:
    return [Operation(ANN, number, b"%d" % number) for number in numbers]


@pytest.fixture
def breakable(tmp_path: Path) -> Iterator[BreakableStore]:
    made = BreakableStore(tmp_path)
    yield made
    made.crash()


def opened(store: Store) -> Journal:
    return Journal(store.open(MARK + "home/f/notes"))


def test_entered_operations_are_found_in_order(breakable: BreakableStore) -> None:
    journal = opened(breakable.open())
    journal.enter(of_ann(3, 4), 4)
    journal.enter(of_ann(5), 5)
    assert journal.last == 5
    assert opened(breakable.again()).found == of_ann(3, 4, 5)


def test_a_replaced_journal_has_only_the_new_operations(breakable: BreakableStore) -> None:
    journal = opened(breakable.open())
    journal.enter(of_ann(1), 1)
    journal.replace([Operation(BOB, 9, b"9")])
    journal.enter(of_ann(2), 2)
    assert opened(breakable.again()).found == [Operation(BOB, 9, b"9"), Operation(ANN, 2, b"2")]


def test_without_a_disk_only_the_count_is_kept() -> None:
    journal = Journal(None)
    journal.enter(of_ann(1), 1)
    journal.replace([])
    assert journal.last == 1
    assert journal.is_empty


def test_a_journal_is_long_when_most_of_it_is_not_needed(breakable: BreakableStore) -> None:
    journal = opened(breakable.open())
    for number in range(1, 100):
        journal.enter([Operation(ANN, number, b"x" * 1000)], number)
    assert journal.is_long
    journal.replace([Operation(ANN, 99, b"x" * 1000)])
    assert not journal.is_long


def test_long_lists_are_split_into_short_entries(breakable: BreakableStore) -> None:
    journal = opened(breakable.open())
    many = [Operation(ANN, number, b"x" * 100_000) for number in range(1, 11)]
    journal.enter(many, 10)
    assert opened(breakable.again()).found == many


def test_a_refused_replacement_changes_nothing(
    breakable: BreakableStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = opened(breakable.open())
    journal.enter(of_ann(1, 2), 2)
    with monkeypatch.context() as full:
        full.setattr(ChannelStore, "start_over", refused)
        full.setattr(ChannelStore, "forget", refused)
        with pytest.raises(StoreFullError):
            journal.replace(of_ann(3))
        with pytest.raises(StoreFullError):
            journal.replace([])
    assert not journal.is_empty
    assert [each.number for each in opened(breakable.again()).found] == [1, 2]


def test_refused_operations_are_entered_when_there_is_room(
    breakable: BreakableStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = breakable.open()
    persistence = Persistence(store.open("home/f/notes"), store.open)
    before = persistence.journal.last
    with monkeypatch.context() as full:
        full.setattr(ChannelStore, "start_over", refused)
        persistence.settle(of_ann(1, 2, 3), 3)
    assert persistence.journal.last == before
    persistence.journal.enter(of_ann(1, 2, 3), 3)
    assert [each.number for each in opened(breakable.again()).found] == [1, 2, 3]


def refused(*_: object) -> None:
    raise StoreFullError("the disk is full")


@given(st.binary(max_size=60))
def test_invalid_bytes_are_refused(data: bytes) -> None:
    try:
        unpacked_lines(data)
    except (MalformedError, ValueError):
        return
    assert data[:1] == b"\x92"


def test_a_broken_entry_is_reported_and_the_others_are_read(breakable: BreakableStore) -> None:
    store = breakable.open()
    journal = opened(store)
    journal.enter(of_ann(1), 1)
    store.open(MARK + "home/f/notes").append([b"no lines"])
    journal.enter(of_ann(2), 2)
    journal = opened(breakable.again())
    assert journal.trouble != ""
    assert [each.number for each in journal.found] == [1, 2]
