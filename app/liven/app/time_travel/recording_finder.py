"""The recordings on this computer, and those of one object among them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Final

from liven.app.time_travel.channel_names import channel_of
from liven.app.time_travel.program_history.history_folders import history_folder
from liven.liveobjects.feeds.author_names import authors_of
from liven.liveobjects.feeds.description import read_description
from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.liveobjects.feeds.segment.reader import Log
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import read_object

_BLOCKS_LOOKED: Final = 64
"""Blocks at either end of a log in which the name of a channel is looked for; a log may have 10,000."""


@dataclass(frozen=True, slots=True)
class FoundRecording:
    """One recording, as a person chooses it."""

    feed: Path
    folders: tuple[Path, ...]
    """The folders of its recorders' logs, which are played together."""
    title: str
    recipe: str
    """The XML of the recorded object; empty if it is not known."""
    records: int
    """Records of all recorders; what two of them have counts twice."""
    latest: int
    """The time of the last event, in microseconds since 1970; 0 if there is none."""
    authors: Mapping[str, str] = field(default_factory=dict)
    """The names of those who made the events."""
    by_author: frozenset[str] = frozenset()
    """The channels without an order."""
    is_history: bool = False
    """True if this program keeps it by itself."""

    @property
    def thing(self) -> Object | None:
        """The recorded object's recipe; None if it is not known or cannot be read."""
        try:
            return read_object(self.recipe) if self.recipe else None
        except ReadError:
            return None


def recordings_in(root: Path) -> Iterator[FoundRecording]:
    """Yield all recordings below the folder of feeds. Broken ones are left out: the panel lists them."""
    try:
        feeds = sorted(one for one in root.iterdir() if one.is_dir())
    except OSError:
        return
    for feed in feeds:
        try:
            found = recording_of_feed(feed)
        except (FeedError, OSError):
            continue
        if found is not None:
            yield found


def recording_of_feed(feed: Path) -> FoundRecording | None:
    """Return the recording of one feed, by all its recorders; None without any. Raises FeedError or
    OSError."""
    described = read_description(feed)
    folders = tuple(FeedFolder(feed).recorders())
    if not folders:
        return None
    logs = [Log(folder) for folder in folders]
    return FoundRecording(
        feed,
        folders,
        described.title or feed.name,
        described.recipe,
        sum(log.end - log.begin for log in logs),
        max(log.latest or 0 for log in logs),
        authors_of(described),
        described.by_author(),
    )


def pasts_of(
    root: Path, histories: Path | None, thing: Object, identity: Callable[[object], str]
) -> list[FoundRecording]:
    """Return what there is of the past of an object, the best first: its history, together with its latest
    recording, then other recordings. `root` is the folder of feeds."""
    own, around = recordings_of(root, thing, identity)
    history = history_of(histories, channel_of(thing))
    if history is not None:
        return [joined(history, own[0]), *own[1:], *around] if own else [history, *around]
    if own or around or histories is None:
        return [*own, *around]
    return recordings_of(histories, thing, identity)[1]


def joined(history: FoundRecording, recording: FoundRecording) -> FoundRecording:
    """Return a recording and the history of the same object as one: each may have what the other lacks."""
    return replace(
        recording,
        folders=(*recording.folders, *history.folders),
        records=recording.records + history.records,
        latest=max(recording.latest, history.latest),
        authors={**recording.authors, **history.authors},
        by_author=recording.by_author | history.by_author,
        is_history=True,
    )


def history_of(root: Path | None, channel: str) -> FoundRecording | None:
    """Return the history of the object on a channel; None if there is none. `root` is the folder of
    histories."""
    if root is None or not channel:
        return None
    try:
        found = recording_of_feed(history_folder(root, channel))
    except (FeedError, OSError):
        return None
    return replace(found, is_history=True) if found is not None and found.records else None


def recordings_of(
    root: Path, thing: Object, identity: Callable[[object], str]
) -> tuple[list[FoundRecording], list[FoundRecording]]:
    """Return the recordings of an object, and those of others in which it is recorded, too; the latest
    first."""
    own, around = [], []
    wanted, channel = _identity(identity, thing), channel_of(thing)
    for one in recordings_in(root):
        recorded = one.thing
        if not one.records or recorded is None:
            continue
        if _identity(identity, recorded) == wanted:
            own.append(one)
        elif channel and any(_has_channel(folder, channel) for folder in one.folders):
            around.append(one)
    for each in (own, around):
        each.sort(key=lambda one: one.latest, reverse=True)
    return own, around


def _identity(identity: Callable[[object], str], thing: Object) -> str:
    try:
        return identity(thing)
    except ValueError:
        return ""


def _has_channel(folder: Path, channel: str) -> bool:
    """Return True if a channel is in the first or the last blocks of a log."""
    log = Log(folder)
    begin, end = log.begin, log.end
    heads = [placed.head for index in log.indexes() for placed in index.blocks]
    late = max(begin, heads[-_BLOCKS_LOOKED].first) if len(heads) > _BLOCKS_LOOKED else end
    for low, high in ((begin, end), (late, end)):
        for block in islice(log.blocks(low, high, lambda _: None), _BLOCKS_LOOKED):
            if channel in block.channel.table:
                return True
    return False
