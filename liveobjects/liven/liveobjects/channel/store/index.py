"""What of a channel is where in the log: the checkpoint, the entries after it, the notes.

Its law: fed with the same records in their `turn`, in whatever order they stand in the log, it comes to the
same; a record that is missing takes away at most what follows it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from liven.liveobjects.channel.store.fields import Record, RecordKind


def turn(record: Record) -> tuple[int, int, int]:
    """By what the records of a channel are sorted when a log is read: by their serials, and a checkpoint
    right after what it covers. Entries that came while it was taken follow what it covers, of which nothing
    may be left."""
    if record.kind is RecordKind.CHECKPOINT:
        return record.before, 1, record.serial
    return record.serial, 0, record.serial


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record is, and how many bytes it takes."""

    segment: int
    offset: int
    size: int


class ChannelIndex:
    """The living records of one channel. Small: a process may have thousands."""

    __slots__ = (
        "_at",
        "_serials",
        "_sizes",
        "base",
        "broken",
        "covers",
        "entry_bytes",
        "freed",
        "name",
        "notes",
        "top",
    )

    def __init__(self) -> None:
        self.base: tuple[int, Place] | None = None
        """The checkpoint's serial and place."""
        self.name: tuple[int, Place] | None = None
        self.notes: dict[str, tuple[int, Place]] = {}
        self.covers = 0
        """The serial that the first entry follows."""
        self.top = 0
        """The greatest serial so far."""
        self.broken = False
        """Whether an entry came whose predecessor is missing."""
        self.entry_bytes = 0
        """Bytes of the entries after the checkpoint."""
        self.freed: list[tuple[int, Place]] = []
        """What is no longer needed, each with its serial; whoever counts living bytes takes it."""
        self._serials = array("Q")
        self._at = array("Q")
        self._sizes = array("I")

    @property
    def tip(self) -> int:
        """The serial of the last entry, or what the checkpoint covers."""
        return self._serials[-1] if self._serials else self.covers

    def __len__(self) -> int:
        return len(self._serials)

    def entries(self) -> Iterator[tuple[int, Place]]:
        """The entries after the checkpoint, oldest first."""
        for number, serial in enumerate(self._serials):
            yield serial, self._place(number)

    def living(self) -> Iterator[tuple[int, Place]]:
        """Every record that is needed."""
        for one in (self.name, self.base):
            if one is not None:
                yield one
        yield from self.notes.values()
        yield from self.entries()

    def apply(self, record: Record, place: Place) -> None:
        """Takes in the next record."""
        self.top = max(self.top, record.serial)
        match record.kind:
            case RecordKind.NAME:
                if record.before > self.covers:
                    self._clear(record.before)  # what was before is forgotten, and so may be the word of that
                    self.top = record.serial
                self.name = self._instead(self.name, record.serial, place)
            case RecordKind.ENTRY:
                self._entry(record, place)
            case RecordKind.CHECKPOINT:
                self._checkpoint(record, place)
            case RecordKind.CUT:
                self.freed.append((record.serial, place))
                self._cut_after(record.before)
            case RecordKind.NOTE:
                self._note(record, place)
            case RecordKind.FORGET:
                self.freed.append((record.serial, place))
                self._clear(record.serial)

    def place_of(self, serial: int) -> Place | None:
        """Where the living record with this serial is; None if it is not needed."""
        for one in (self.base, self.name, *self.notes.values()):
            if one is not None and one[0] == serial:
                return one[1]
        number = bisect_left(self._serials, serial)
        found = number < len(self._serials) and self._serials[number] == serial
        return self._place(number) if found else None

    def moved(self, serial: int, place: Place) -> None:
        """A living record was copied to another place."""
        if self.base is not None and self.base[0] == serial:
            self.base = (serial, place)
        elif self.name is not None and self.name[0] == serial:
            self.name = (serial, place)
        else:
            for key, (known, _) in self.notes.items():
                if known == serial:
                    self.notes[key] = (serial, place)
                    return
            self._at[bisect_left(self._serials, serial)] = place.segment << 32 | place.offset

    def _entry(self, record: Record, place: Place) -> None:
        if record.before != self.tip and not self._cut_after(record.before):
            self.broken = True
            self.freed.append((record.serial, place))
            return
        self._serials.append(record.serial)
        self._at.append(place.segment << 32 | place.offset)
        self._sizes.append(place.size)
        self.entry_bytes += place.size

    def _checkpoint(self, record: Record, place: Place) -> None:
        if record.before < self.covers:
            self.freed.append((record.serial, place))
            return
        self.base = self._instead(self.base, record.serial, place)
        keep = bisect_left(self._serials, record.before + 1)
        known = keep > 0 and self._serials[keep - 1] == record.before
        if record.before != self.covers and not known:
            keep = len(self._serials)  # it stands for a history that these entries are no part of
        self._free(0, keep)
        self.covers = record.before
        self.broken = False

    def _note(self, record: Record, place: Place) -> None:
        key, _, value = record.payload.partition(b"\0")
        text = key.decode(errors="replace")
        known = self.notes.pop(text, None)
        if known is not None:
            self.freed.append(known)
        if value or record.aside:
            self.notes[text] = (record.serial, place)
        else:
            self.freed.append((record.serial, place))

    def _cut_after(self, serial: int) -> bool:
        """Lets go of the entries after the one with this serial; whether that is known."""
        number = bisect_left(self._serials, serial)
        if number < len(self._serials) and self._serials[number] == serial:
            self._free(number + 1, len(self._serials))
        elif serial == self.covers:
            self._free(0, len(self._serials))
        else:
            return False
        return True

    def _clear(self, serial: int) -> None:
        self.freed += self.living()
        freed = self.freed
        self.__init__()  # type: ignore[misc]  # as new, but for what was freed and the serials given
        self.freed, self.top, self.covers = freed, serial, serial

    def _free(self, first: int, end: int) -> None:
        self.freed += [(self._serials[number], self._place(number)) for number in range(first, end)]
        self.entry_bytes -= sum(self._sizes[first:end])
        del self._serials[first:end], self._at[first:end], self._sizes[first:end]

    def _place(self, number: int) -> Place:
        at = self._at[number]
        return Place(at >> 32, at & 0xFFFFFFFF, self._sizes[number])

    def _instead(self, known: tuple[int, Place] | None, serial: int, place: Place) -> tuple[int, Place]:
        if known is not None:
            self.freed.append(known)
        return serial, place
