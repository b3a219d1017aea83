"""Writes what a generator gives into the logs of a feed, as recorders at several places would have heard it.

Each recorder loses some rows and hears the others a little late, so that two of them hear most rows twice and
in different orders. The feed appears when it is complete, or not at all.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from liven.liveobjects.feeds.description import FeedDescription, TypeEntry, write_description
from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.liveobjects.feeds.record import GAP, VALUE, Record
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.liveobjects.feeds.source.formats.format_table import term
from liven.liveobjects.feeds.source.generator.invention import SECOND, Generator, Invented
from liven.liveobjects.feeds.source.generator.random_stream import RandomStream
from liven.runtime.reference.model import OtherClass, Parameter, Plain, Reference
from liven.runtime.reference.xml import compact
from liven.types.codec import Codec
from liven.types.terms.type_text import spell
from liven.types.terms.value_types import Record as RecordType

MOST_RECORDERS: Final = 16
_GROUP: Final = 2_000
"""Rows that are sent on their way together."""
_NAMES: Final = ("north", "south", "east", "west")
_SHORTEST: Final = 0.02
_MEAN: Final = 0.03
"""Seconds that a row is on its way at least, and on average beyond that."""


class ExistingFeedError(FeedError):
    """There is something at the place of the feed."""

    def __init__(self, feed: FeedFolder) -> None:
        super().__init__(f"{feed.path} exists already; give the feed another name, or remove it first")


@dataclass(frozen=True, slots=True)
class Hearing:
    """The recorders of a feed, and their losses."""

    recorders: int = 1
    loss: float = 0.0
    """The part of the rows that each recorder misses."""


Progress = Callable[[int, int], object]
"""Takes the rows so far, and the part of the time that has passed, in thousandths."""


def write_invented(
    feed: FeedFolder,
    generator: Generator,
    seed: int,
    start: int,
    seconds: float,
    hearing: Hearing,
    progress: Progress = lambda rows, part: None,  # noqa: ARG005
) -> int:
    """Make a feed of what the generator gives from `start` (µs since 1970) for `seconds`; return the number
    of records. Raise FeedError or OSError, and leave nothing then."""
    if feed.path.exists():
        raise ExistingFeedError(feed)
    feed.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = FeedFolder(feed.path.with_name(f".{feed.name[:40]}-{secrets.token_hex(4)}"))
    try:
        write_description(draft.path, _description(generator, seed))
        count = _write(draft, generator, seed, start, seconds, hearing, progress)
        if feed.path.exists():
            raise ExistingFeedError(feed)
        draft.path.rename(feed.path)
    except BaseException:
        shutil.rmtree(draft.path, ignore_errors=True)
        raise
    return count


def _description(generator: Generator, seed: int) -> FeedDescription:
    kind = term(generator.record)
    assert isinstance(kind, RecordType)
    assert kind.tag is not None
    entry = TypeEntry(spell(RecordType(kind.fields)), str(kind.tag.id), 1)
    return FeedDescription(
        title=f"{generator.name.capitalize()}, made up with seed {seed}",
        recipe=_subscriber(kind.tag.alias, _channel(generator)),
        types={kind.tag.alias: entry},
    )


def _subscriber(kind: str, channel: str) -> str:
    """Return the recipe of an object that hears the channel, for a sandbox that replays the feed."""
    same = tuple(
        Parameter(name, OtherClass("ValueClass", kind)) for name in ("MessageClass", "CheckpointClass")
    )
    shared = Reference("liven:shared-channel", (*same, Parameter("name", Plain("string", channel))))
    takes = (Parameter("ValueClass", OtherClass("ValueClass", kind)), Parameter("channel", shared))
    return compact(Reference("liven:subscriber", takes))


def _channel(generator: Generator) -> str:
    return f"home/feeds/{generator.name}"


def _write(
    feed: FeedFolder,
    generator: Generator,
    seed: int,
    start: int,
    seconds: float,
    hearing: Hearing,
    progress: Progress,
) -> int:
    encoder = _Encoder(generator)
    with ExitStack() as open_logs:
        recorders = [
            _Recorder(
                open_logs.enter_context(LogWriter(feed.path / name)), RandomStream(seed, name), hearing.loss
            )
            for name in _recorder_names(hearing.recorders)
        ]
        whole = max(1, round(seconds * SECOND))
        for begin, rows in _groups(generator.steps(start, seconds)):
            records = encoder.records(rows)
            for one in recorders:
                one.hear(records, begin)
            progress(sum(one.written for one in recorders), 1000 * (begin - start) // whole)
        for one in recorders:
            one.finish()
        return sum(one.written for one in recorders)


def _groups(steps: Iterator[tuple[int, list[Invented]]]) -> Iterator[tuple[int, list[Invented]]]:
    """Join short steps, because each costs time of its own."""
    first = 0
    held: list[Invented] = []
    for begin, rows in steps:
        first = begin if not held else first
        held += rows
        if len(held) >= _GROUP:
            yield first, held
            held = []
    if held:
        yield first, held


class _Encoder:
    """Makes records of rows, numbered for each author."""

    def __init__(self, generator: Generator) -> None:
        kind = term(generator.record)
        assert isinstance(kind, RecordType)
        assert kind.tag is not None
        self._encode = Codec(kind).encode
        self._type = kind.tag.alias
        self._name = generator.name
        self._channel = _channel(generator)
        self._serials: dict[str, int] = {}

    def records(self, rows: list[Invented]) -> list[Record]:
        """Return the records of rows, as their authors sent them."""
        serials, encode, kind, channel, name = (
            self._serials,
            self._encode,
            self._type,
            self._channel,
            self._name,
        )
        found = []
        for at, subject, row in rows:
            serial = serials.get(subject, 0) + 1
            serials[subject] = serial
            found.append(
                Record(at, at, f"{name}/{subject}", channel, subject, kind, serial, VALUE, encode(row))
            )
        return found


class _Recorder:
    """One log, with the rows that are still on their way to it."""

    def __init__(self, log: LogWriter, chance: RandomStream, loss: float) -> None:
        self._log = log
        self._chance = chance
        self._loss = loss
        self._coming: list[Record] = []
        self._last: dict[str, int] = {}
        self.written = 0

    def hear(self, records: list[Record], now: int) -> None:
        """Send rows on their way, and write those that arrived before `now`."""
        self._arrive(now)
        heard = (self._chance.uniforms(len(records)) >= self._loss).tolist()
        delays = [round((_SHORTEST + _MEAN * self._chance.wait()) * SECOND) for _ in records]
        for record, is_heard, delay in zip(records, heard, delays, strict=True):
            if is_heard:
                self._coming.append(Record(record[1] + delay, *record[1:]))  # faster than _replace

    def finish(self) -> None:
        """Write everything that is on its way."""
        self._arrive(None)
        self._log.sync()

    def _arrive(self, now: int | None) -> None:
        self._coming.sort()
        count = len(self._coming)
        while now is not None and count and self._coming[count - 1].received >= now:
            count -= 1
        arrived, self._coming = self._coming[:count], self._coming[count:]
        self._log.extend([self._flagged(one) for one in arrived])
        self.written += len(arrived)

    def _flagged(self, record: Record) -> Record:
        """Return the record with the mark of a gap if its author's numbers before it are missing."""
        last = self._last.get(record.author, record.serial - 1)
        self._last[record.author] = max(last, record.serial)
        return record._replace(flags=record.flags | GAP) if record.serial > last + 1 else record


def _recorder_names(count: int) -> list[str]:
    if not 1 <= count <= MOST_RECORDERS:
        raise FeedError(f"a feed is made up with 1 to {MOST_RECORDERS} recorders, not {count}")
    return [_NAMES[one] if one < len(_NAMES) else f"recorder-{one + 1}" for one in range(count)]


def draft_folders(root: Path) -> list[Path]:
    """Return what killed programs left of unfinished feeds below a root."""
    return [one for one in root.glob(".*-????????") if one.is_dir()]
