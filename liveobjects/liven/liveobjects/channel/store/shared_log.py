"""The log shared by all channels of a process: recovery, writing, reading and compaction.

Everything runs in the caller's thread when called; `store.py` decides when. A failed write raises OSError and
leaves log and index unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from liven.liveobjects.channel.store.frames import Damage, FoundRecord, scan
from liven.liveobjects.channel.store.index import ChannelIndex, Place, turn
from liven.liveobjects.channel.store.large_payloads import LargePayloads
from liven.liveobjects.channel.store.records import Record
from liven.liveobjects.channel.store.segments import Segments

SEGMENT_BYTES: Final = 2 * 1024 * 1024
_MOST_SEGMENTS: Final = 64
_Found: TypeAlias = dict[bytes, dict[int, tuple[Record, Place]]]


@dataclass(frozen=True, slots=True)
class DamagedPart:
    """A part of a file that could not be read."""

    segment: int
    damage: Damage


class SharedLog:
    """One log in one folder. Nobody else may write there; a read-only user changes nothing."""

    def __init__(self, folder: Path, segment_bytes: int = SEGMENT_BYTES, *, reading: bool = False) -> None:
        self.segments = Segments(folder, segment_bytes)
        self.aside = LargePayloads(folder / "aside")
        self.channels: dict[bytes, ChannelIndex] = {}
        self.damaged_parts: list[DamagedPart] = []
        """Parts that could not be read when the log was opened."""
        self.orphans: list[tuple[bytes, int]] = []
        """Large-payload files that are not needed once the present log is on disk."""
        self.dead_segments: list[int] = []
        """Segments without live records, likewise."""
        self.copied: list[Record] = []
        """Records copied out of them, for the job that forces the log to disk."""
        self._files: set[tuple[bytes, int]] = set()
        self._slack = 4 * segment_bytes  # dead bytes that a small log may have
        self._living: dict[int, int] = {}
        self._recover()
        if not reading:
            self.aside.sweep(self._files)

    @property
    def living(self) -> int:
        """Bytes of live records."""
        return sum(self._living.values())

    @property
    def has_payloads(self) -> bool:
        """True if each large payload that a record names has its file."""
        return all(self.aside.has(*each) for each in self._files)

    def write(self, records: Sequence[Record]) -> None:
        """Append the records, all or none."""
        if records:
            self._take_in(records, self.segments.append(records))

    def index(self, channel: bytes) -> ChannelIndex:
        """Return the index of a channel, empty if nothing is stored."""
        return self.channels.setdefault(channel, ChannelIndex())

    def names(self) -> list[str]:
        """Return the channels in the log. Names of auxiliary data begin with a zero byte."""
        named = [(key, index.name) for key, index in self.channels.items() if index.name is not None]
        records = [next(self.read(key, [name])) for key, name in named]
        told = [record.payload.decode(errors="replace") for record in records if record is not None]
        return sorted(name for name in told if not name.startswith("\0"))

    def read(self, channel: bytes, places: Sequence[tuple[int, Place]]) -> Iterator[Record | None]:
        """Return a channel's records at these places; None for a damaged one."""
        found = self.segments.records([place for _, place in places])
        for (serial, _), record in zip(places, found, strict=True):
            right = record is not None and (record.channel, record.serial) == (channel, serial)
            yield record if right else None

    def compact(self) -> bool:
        """Copy the live records of the oldest segment to the end if too much of the log is dead, and return
        True if so. It is then one of the `dead_segments`: it is removed when the copies are on disk."""
        numbers = sorted(set(self.segments.sizes) - set(self.dead_segments))
        kept = sum(self.segments.sizes[number] for number in numbers)
        crowded = len(numbers) > _MOST_SEGMENTS
        if len(numbers) < 2 or (kept <= 2 * self.living + self._slack and not crowded):
            return False
        self._move_out(numbers[0])
        self.dead_segments.append(numbers[0])
        return True

    def remove_dead(self, segments: Sequence[int], files: Sequence[tuple[bytes, int]]) -> None:
        """Remove doomed segments and orphaned files, once everything written after them is on disk."""
        for number in segments:
            self.segments.remove(number)
            self._living.pop(number, None)
            self.dead_segments.remove(number)
        for channel, serial in files:
            self.aside.remove(channel, serial)

    def rewrite(self, records: Sequence[Record]) -> None:
        """Write records again into a new segment, because the disk may have lost them."""
        self.segments.begin()
        needed = [one for one in records if self.channels[one.channel].place_of(one.serial) is not None]
        if needed:
            self._moved(needed, self.segments.append(needed))

    def close(self) -> None:
        """Close the files."""
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
                    self.damaged_parts.append(DamagedPart(number, thing))
                else:
                    self._file(found, number, thing)
        for rows in found.values():
            ordered = sorted(rows.values(), key=lambda row: turn(row[0]))
            self._take_in([record for record, _ in ordered], [place for _, place in ordered])
        self.orphans.clear()

    def _file(self, found: _Found, number: int, thing: FoundRecord) -> None:
        # A copy comes after its original; both are the same record.
        place = Place(number, thing.offset, thing.size)
        found.setdefault(thing.record.channel, {})[thing.record.serial] = (thing.record, place)


def is_tear(damaged_parts: Sequence[DamagedPart]) -> bool:
    """True if the damage is at the ends of segments only, as a power cut leaves it."""
    return all(scar.damage.at_end for scar in damaged_parts)
