"""The log that all channels of a process share: recovered, written, read and compacted.

Everything here happens when it is called, in the caller's thread; `store.py` says when. What cannot be
written raises OSError and leaves log and index as they were.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from liven.liveobjects.channel.store.frames import Damage, Found, scan
from liven.liveobjects.channel.store.index import ChannelIndex, Place, turn
from liven.liveobjects.channel.store.large_payloads import Aside
from liven.liveobjects.channel.store.records import Record
from liven.liveobjects.channel.store.segments import Segments

SEGMENT_BYTES: Final = 2 * 1024 * 1024
_MOST_SEGMENTS: Final = 64
_Found: TypeAlias = dict[bytes, dict[int, tuple[Record, Place]]]


@dataclass(frozen=True, slots=True)
class Scar:
    """A part of a file that could not be read."""

    segment: int
    damage: Damage


class SharedLog:
    """One log below one folder. Nobody else may write there; who only reads changes nothing."""

    def __init__(self, folder: Path, segment_bytes: int = SEGMENT_BYTES, *, reading: bool = False) -> None:
        self.segments = Segments(folder, segment_bytes)
        self.aside = Aside(folder / "aside")
        self.channels: dict[bytes, ChannelIndex] = {}
        self.scars: list[Scar] = []
        """What could not be read when the log was opened."""
        self.orphans: list[tuple[bytes, int]] = []
        """Files aside that are needed no more, once the log is on the disk as it is now."""
        self.doomed: list[int] = []
        """Segments in which nothing lives, likewise."""
        self.copied: list[Record] = []
        """What was copied out of them; whoever forces the log to the disk takes it from here."""
        self._files: set[tuple[bytes, int]] = set()
        self._slack = 4 * segment_bytes  # what may be dead of a small log
        self._living: dict[int, int] = {}
        self._recover()
        if not reading:
            self.aside.sweep(self._files)

    @property
    def living(self) -> int:
        """Bytes of the records that are needed."""
        return sum(self._living.values())

    def write(self, records: Sequence[Record]) -> None:
        """Appends the records, all or none."""
        if records:
            self._take_in(records, self.segments.append(records))

    def index(self, channel: bytes) -> ChannelIndex:
        """The index of a channel, empty if nothing is kept of it."""
        return self.channels.setdefault(channel, ChannelIndex())

    def names(self) -> list[str]:
        """The channels of which anything is kept. The names of what is kept beside them begin with a zero."""
        named = [(key, index.name) for key, index in self.channels.items() if index.name is not None]
        records = [next(self.read(key, [name])) for key, name in named]
        told = [record.payload.decode(errors="replace") for record in records if record is not None]
        return sorted(name for name in told if not name.startswith("\0"))

    def read(self, channel: bytes, places: Sequence[tuple[int, Place]]) -> Iterator[Record | None]:
        """The records of a channel at these places; None for one that is damaged."""
        found = self.segments.records([place for _, place in places])
        for (serial, _), record in zip(places, found, strict=True):
            right = record is not None and (record.channel, record.serial) == (channel, serial)
            yield record if right else None

    def compact(self) -> bool:
        """Copies what lives in the oldest segment to the end, if too much of the log is dead; whether it did.
        The segment is `doomed` then: to be removed when the copies are on the disk."""
        numbers = sorted(set(self.segments.sizes) - set(self.doomed))
        kept = sum(self.segments.sizes[number] for number in numbers)
        crowded = len(numbers) > _MOST_SEGMENTS
        if len(numbers) < 2 or (kept <= 2 * self.living + self._slack and not crowded):
            return False
        self._move_out(numbers[0])
        self.doomed.append(numbers[0])
        return True

    def bury(self, segments: Sequence[int], files: Sequence[tuple[bytes, int]]) -> None:
        """Removes doomed segments and orphaned files, since the disk has all that was written after them."""
        for number in segments:
            self.segments.remove(number)
            self._living.pop(number, None)
            self.doomed.remove(number)
        for channel, serial in files:
            self.aside.remove(channel, serial)

    def rewrite(self, records: Sequence[Record]) -> None:
        """Writes records again, into a new segment, because the disk may have lost them."""
        self.segments.begin()
        needed = [one for one in records if self.channels[one.channel].place_of(one.serial) is not None]
        if needed:
            self._moved(needed, self.segments.append(needed))

    def close(self) -> None:
        """Closes the files."""
        self.segments.close()

    def _move_out(self, segment: int) -> None:
        moving: list[Record] = []
        for key, index in self.channels.items():
            places = [one for one in index.living() if one[1].segment == segment]
            moving += [record for record in self.read(key, places) if record is not None]
        if moving:
            self._moved(moving, self.segments.append(moving))
            self.copied += moving

    def _moved(self, records: Sequence[Record], places: Sequence[Place]) -> None:
        for record, place in zip(records, places, strict=True):
            index = self.channels[record.channel]
            self._count(index.place_of(record.serial), -1)
            self._count(place, 1)
            index.moved(record.serial, place)

    def _count(self, place: Place | None, sign: int) -> None:
        if place is not None:
            self._living[place.segment] = self._living.get(place.segment, 0) + sign * place.size

    def _take_in(self, records: Sequence[Record], places: Sequence[Place]) -> None:
        for record, place in zip(records, places, strict=True):
            index = self.index(record.channel)
            if record.aside:
                self._files.add((record.channel, record.serial))
            self._count(place, 1)
            index.apply(record, place)
            freed, index.freed = index.freed, ()
            for serial, gone in freed:
                self._count(gone, -1)
                self._orphan(record.channel, serial)

    def _orphan(self, channel: bytes, serial: int) -> None:
        if (channel, serial) in self._files:
            self._files.remove((channel, serial))
            self.orphans.append((channel, serial))

    def _recover(self) -> None:
        found: _Found = {}
        for number in sorted(self.segments.sizes):
            for thing in scan(self.segments.read(number), number):
                if isinstance(thing, Damage):
                    self.scars.append(Scar(number, thing))
                else:
                    self._file(found, number, thing)
        for rows in found.values():
            ordered = sorted(rows.values(), key=lambda row: turn(row[0]))
            self._take_in([record for record, _ in ordered], [place for _, place in ordered])
        self.orphans.clear()

    def _file(self, found: _Found, number: int, thing: Found) -> None:
        # A copy stands behind what it was copied from; both are the same record.
        place = Place(number, thing.offset, thing.size)
        found.setdefault(thing.record.channel, {})[thing.record.serial] = (thing.record, place)


def is_tear(scars: Sequence[Scar]) -> bool:
    """Whether the damage is what a power cut leaves: at the end of segments only."""
    return all(scar.damage.at_end for scar in scars)
