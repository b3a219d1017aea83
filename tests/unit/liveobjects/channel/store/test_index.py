"""The index: the live records after any sequence of records."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import example, given
from hypothesis import strategies as st

from liven.liveobjects.channel.store.index import ChannelIndex, Place, turn
from liven.liveobjects.channel.store.records import Record, RecordKind

KEY = bytes(16)


def place_of(serial: int) -> Place:
    return Place(serial // 7, serial, 10)


@dataclass
class Model:
    """The same as simple as possible: a list of entries and a dictionary."""

    entries: list[int] = field(default_factory=list)
    covers: int = 0
    base: int | None = None
    notes: dict[str, int] = field(default_factory=dict)
    serial: int = 0
    records: list[Record] = field(default_factory=list)
    named: bool = False

    def say(self, kind: RecordKind, before: int, payload: bytes = b"") -> None:
        self.serial += 1
        self.records.append(Record(KEY, kind, self.serial, before, payload))

    def do(self, step: tuple[str, int]) -> None:
        what, number = step
        if not self.named and what != "forget":
            self.named = True
            self.say(RecordKind.NAME, self.covers, b"name")
        match what:
            case "append":
                self.say(RecordKind.ENTRY, self.entries[-1] if self.entries else self.covers)
                self.entries.append(self.serial)
            case "checkpoint":
                count = number % (len(self.entries) + 1)
                covers = self.entries[count - 1] if count else self.covers
                self.say(RecordKind.CHECKPOINT, covers)
                self.base, self.covers = self.serial, covers
                del self.entries[:count]
            case "start over":
                self.say(RecordKind.CHECKPOINT, self.serial + 1)
                self.base, self.covers = self.serial, self.serial
                self.entries.clear()
            case "cut":
                count = number % (len(self.entries) + 1)
                self.say(RecordKind.CUT, self.entries[count - 1] if count else self.covers)
                del self.entries[count:]
            case "note":
                self.say(RecordKind.NOTE, 0, b"k%d\0v" % (number % 3))
                self.notes[f"k{number % 3}"] = self.serial
            case "unnote":
                self.say(RecordKind.NOTE, 0, b"k%d\0" % (number % 3))
                self.notes.pop(f"k{number % 3}", None)
            case "forget":
                self.say(RecordKind.FORGET, 0)
                serial, records = self.serial, self.records
                self.__init__()  # type: ignore[misc]
                self.serial, self.records, self.covers = serial, records, serial


STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["append", "append", "append", "checkpoint", "start over", "cut", "note", "unnote", "forget"]
        ),
        st.integers(0, 20),
    ),
    max_size=40,
)


def built(records: list[Record]) -> ChannelIndex:
    index = ChannelIndex()
    for record in records:
        index.apply(record, place_of(record.serial))
    return index


@given(STEPS)
def test_the_index_equals_a_plain_list(steps: list[tuple[str, int]]) -> None:
    model = Model()
    for step in steps:
        model.do(step)
    index = built(model.records)
    assert [serial for serial, _ in index.entries()] == model.entries
    assert {key: serial for key, (serial, _) in index.notes.items()} == model.notes
    assert (index.base[0] if index.base else None) == model.base
    assert index.tip == (model.entries[-1] if model.entries else model.covers)
    assert not index.broken
    assert len(index) == len(model.entries)
    assert index.entry_bytes == 10 * len(model.entries)


@given(STEPS)
def test_every_record_is_live_or_freed_once(steps: list[tuple[str, int]]) -> None:
    model = Model()
    for step in steps:
        model.do(step)
    index = built(model.records)
    living = [serial for serial, _ in index.living()]
    freed = [serial for serial, _ in index.freed]
    assert sorted(living + freed) == [record.serial for record in model.records]
    assert all(index.place_of(serial) == place_of(serial) for serial in living)
    assert all(index.place_of(serial) is None for serial in freed)


@given(STEPS, st.data())
def test_live_records_can_be_moved(steps: list[tuple[str, int]], draw: st.DataObject) -> None:
    model = Model()
    for step in steps:
        model.do(step)
    index = built(model.records)
    living = [serial for serial, _ in index.living()]
    for serial in living:
        index.moved(serial, Place(900, 5 * serial, 10))
    assert [place for _, place in index.living()] == [Place(900, 5 * serial, 10) for serial in living]


@given(STEPS, st.integers(0, 40))
@example([("append", 0), ("append", 0), ("cut", 0)], 2)
def test_dead_records_at_the_start_of_a_log_may_be_missing(steps: list[tuple[str, int]], gone: int) -> None:
    model = Model()
    for step in steps:
        model.do(step)
    living = {serial for serial, _ in built(model.records).living()}
    left = [record for record in model.records if record.serial > gone or record.serial in living]
    index = built(sorted(left, key=turn))
    assert [serial for serial, _ in index.entries()] == model.entries
    assert (index.base[0] if index.base else None) == model.base
    assert index.tip == (model.entries[-1] if model.entries else model.covers) or not model.named
    assert not index.broken


def test_an_entry_without_its_predecessor_is_dropped_and_reported() -> None:
    index = built(
        [
            Record(KEY, RecordKind.ENTRY, 1, 0, b"a"),
            Record(KEY, RecordKind.ENTRY, 3, 2, b"c"),
            Record(KEY, RecordKind.ENTRY, 4, 3, b"d"),
        ]
    )
    assert [serial for serial, _ in index.entries()] == [1]
    assert index.broken


def test_a_checkpoint_repairs_a_gap() -> None:
    index = built(
        [
            Record(KEY, RecordKind.ENTRY, 1, 0, b"a"),
            Record(KEY, RecordKind.ENTRY, 3, 2, b"c"),
            Record(KEY, RecordKind.CHECKPOINT, 5, 4, b"state"),
            Record(KEY, RecordKind.ENTRY, 6, 4, b"e"),
        ]
    )
    assert [serial for serial, _ in index.entries()] == [6]
    assert not index.broken


def test_an_entry_after_an_earlier_one_replaces_its_followers() -> None:
    index = built(
        [
            Record(KEY, RecordKind.ENTRY, 1, 0, b"a"),
            Record(KEY, RecordKind.ENTRY, 2, 1, b"b"),
            Record(KEY, RecordKind.ENTRY, 3, 1, b"b2"),
        ]
    )
    assert [serial for serial, _ in index.entries()] == [1, 3]


def test_a_late_checkpoint_does_not_replace_a_newer_one() -> None:
    index = built(
        [
            Record(KEY, RecordKind.ENTRY, 1, 0, b"a"),
            Record(KEY, RecordKind.ENTRY, 2, 1, b"b"),
            Record(KEY, RecordKind.CHECKPOINT, 4, 2, b"ab"),
            Record(KEY, RecordKind.CHECKPOINT, 5, 1, b"a"),
        ]
    )
    assert index.base == (4, place_of(4))
