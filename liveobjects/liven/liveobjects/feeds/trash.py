"""The trash of feeds: removed ones lie in a hidden folder beside the others until they are deleted."""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from liven.liveobjects.feeds.errors import BadUseError, UnknownFeedError
from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.liveobjects.feeds.segment.log_lock import LogLock
from liven.runtime.files import sync_folder
from liven.runtime.foreign_text import visible

NAME: Final = ".trash"
_STAMP: Final = "%Y%m%dT%H%M%S%f"
_STAMP_LENGTH: Final = len("20261120T055831000000")


class TakenNameError(BadUseError):
    """A feed cannot come back, because there is another one of its name."""


@dataclass(frozen=True, slots=True)
class RemovedFeed:
    """One feed in the trash."""

    path: Path
    name: str
    when: datetime

    @property
    def size(self) -> int:
        """Its bytes on the disk."""
        return size_below(self.path)


def remove(feed: FeedFolder, now: datetime) -> RemovedFeed:
    """Move a feed to the trash; raise LockedError while a program records it, or OSError."""
    with ExitStack() as locks:
        for folder in feed.recorders():
            locks.enter_context(LogLock(folder))  # whoever begins to record meanwhile is refused
        trash = feed.path.parent / NAME
        trash.mkdir(mode=0o700, exist_ok=True)
        place = trash / f"{now.astimezone(UTC):{_STAMP}} {feed.name}"
        feed.path.rename(place)
        sync_folder(trash)
        sync_folder(feed.path.parent)
    return RemovedFeed(place, feed.name, now)


def removed_feeds(root: Path) -> list[RemovedFeed]:
    """Return the feeds in the trash, the latest first; raise OSError."""
    try:
        names = sorted(os.listdir(root / NAME), reverse=True)  # noqa: PTH208 - names alone
    except FileNotFoundError:
        return []
    found = []
    for name in names:
        try:
            when = datetime.strptime(name[:_STAMP_LENGTH], _STAMP).replace(tzinfo=UTC)
        except ValueError:
            continue  # somebody else put it there
        found.append(RemovedFeed(root / NAME / name, name[_STAMP_LENGTH + 1 :], when))
    return found


def restore(name: str, root: Path) -> FeedFolder:
    """Put the feed of this name that was removed last back; raise UnknownFeedError, TakenNameError or
    OSError."""
    found = next((one for one in removed_feeds(root) if one.name == name), None)
    if found is None:
        names = ", ".join(dict.fromkeys(visible(one.name) for one in removed_feeds(root))) or "nothing"
        raise UnknownFeedError(f"no feed {visible(name)!r} is in the trash; in it: {names}")
    place = root / name
    if place.exists():
        raise TakenNameError(
            f"{visible(name)} cannot come back: there is a feed of this name again; remove that first"
        )
    found.path.rename(place)
    sync_folder(root)
    return FeedFolder(place)


def delete(feed: RemovedFeed) -> None:
    """Delete a feed in the trash for good; raise OSError."""
    if feed.path.is_symlink():
        feed.path.unlink()  # what it leads to is not ours
    else:
        shutil.rmtree(feed.path)


def size_below(folder: Path) -> int:
    """Return the bytes of all files in a folder."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            total += os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118 - there may be many
    return total
