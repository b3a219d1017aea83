"""Where feeds lie: a folder for each feed, in it one for each recorder with that recorder's log.

A feed is named by its folder's name below the root, or by a path; a recorder by `feed/recorder`. Other
folders of a feed, such as its tables, hold no segments and are no recorders.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Final

from liven.liveobjects.feeds.errors import BadNameError, UnknownFeedError
from liven.liveobjects.feeds.segment.block_format import SUFFIX
from liven.liveobjects.feeds.segment.durable_mark import NAME as MARK
from liven.runtime.foreign_text import visible
from liven.runtime.user_folders import UserFolders

if TYPE_CHECKING:
    from liven.liveobjects.feeds.segment.reader import Log

DESCRIPTION: Final = "feed.json"
_PATHS: Final = ("/", "./", "../", "~")
"""The beginnings of paths. Other words with a slash would make a folder where nobody looks for it."""
_LONGEST: Final = 100
"""Bytes of a name; file systems allow 255, and names of drafts are longer than the file's."""


@dataclass(frozen=True, slots=True)
class FeedFolder:
    """The folder of one feed, which may not exist yet."""

    path: Path

    @property
    def name(self) -> str:
        """The name of the feed."""
        return self.path.name

    def recorder(self, name: str) -> Path:
        """Return the folder of a recorder's log, which may not exist yet; raise BadNameError."""
        return self.path / checked_name(name)

    def recorders(self) -> list[Path]:
        """Return the folders of the recorders that have a log, by name."""
        return [place for place in _folders(self.path) if is_log(place)]

    def logs(self) -> list[Log]:
        """Return the logs of the recorders, by name."""
        from liven.liveobjects.feeds.segment.reader import Log  # loads numpy

        return [Log(place) for place in self.recorders()]


@dataclass(frozen=True, slots=True)
class FeedPlace:
    """The feed or the one recorder that a name or a path leads to."""

    feed: FeedFolder
    recorder: Path | None = None

    def recorders(self) -> list[Path]:
        """Return the folder of the recorder, or those of all."""
        return self.feed.recorders() if self.recorder is None else [self.recorder]

    def log(self) -> Log:
        """Return the log of the only recorder; raise UnknownFeedError if there are several or none."""
        found = self.recorders()
        if len(found) == 1:
            from liven.liveobjects.feeds.segment.reader import Log  # loads numpy

            return Log(found[0])
        if not found:
            raise UnknownFeedError(
                f"{visible(self.feed.name)}: nothing was recorded here yet; record something first"
            )
        names = ", ".join(f"{self.feed.name}/{place.name}" for place in found)
        raise UnknownFeedError(f"{visible(self.feed.name)} has several recorders; name one: {visible(names)}")


def feeds_root(folders: UserFolders) -> Path:
    """Return the folder of a user's feeds."""
    return folders.state / "feeds"


def checked_name(name: str) -> str:
    """Return the name of a feed or a recorder; raise BadNameError if no folder can have it."""
    fault = ""
    if not name or name.startswith("."):
        fault = "a name begins with a letter or a digit"
    elif "/" in name or "\x00" in name or not name.isprintable():
        fault = "it has a character that no name may have; use letters, digits and hyphens"
    elif len(os.fsencode(name)) > _LONGEST:
        fault = f"it is longer than {_LONGEST} bytes; shorten it"
    if fault:
        raise BadNameError(
            f"{visible(name)[:_LONGEST]!r} cannot be the name of a feed or a recorder: {fault}"
        )
    return name


def is_log(folder: Path) -> bool:
    """Return True if a folder holds the log of a recorder."""
    try:
        names = os.listdir(folder)  # noqa: PTH208 - names alone
    except OSError:
        return False
    return MARK in names or any(name.endswith(SUFFIX) for name in names)


def is_feed(folder: Path) -> bool:
    """Return True if a folder is a feed."""
    return (folder / DESCRIPTION).is_file() or any(is_log(each) for each in _folders(folder))


def listed_feeds(root: Path) -> list[FeedFolder]:
    """Return the feeds below a root by name; raise OSError."""
    return [FeedFolder(each) for each in _folders(root) if is_feed(each)]


def resolve(which: str, root: Path) -> FeedPlace:
    """Return the feed or recorder of a name (`feed`, `feed/recorder`) or of a path; raise
    UnknownFeedError."""
    for place in (root / which, _named(Path(which).expanduser())):
        if is_log(place):
            return FeedPlace(FeedFolder(place.absolute().parent), place.absolute())
        if is_feed(place):
            return FeedPlace(FeedFolder(place.absolute()))
    raise UnknownFeedError(f"there is no feed {visible(which)!r}; {_known(which, root)}")


def feed_to_write(which: str, root: Path) -> FeedFolder:
    """Return the folder of a feed to create or go on with: a name below the root, or a path, which begins
    with `/`, `./`, `../` or `~`; raise BadNameError."""
    if "/" in which and not which.startswith(_PATHS):
        raise BadNameError(
            f"{visible(which)[:_LONGEST]!r} cannot be the name of a feed: it has a slash. A path begins with"
            " / or ./, and a recorder is named by an option of its own"
        )
    if "/" in which:
        return FeedFolder(_named(Path(which).expanduser()).absolute())
    return FeedFolder(root / checked_name(which))


def _named(place: Path) -> Path:
    """Return a path whose last part is a name: `..` is none. A link stays, as its name is the feed's."""
    return place.resolve() if ".." in place.parts else place.absolute()


def _known(which: str, root: Path) -> str:
    try:
        names = [feed.name for feed in listed_feeds(root)]
    except OSError:
        names = []
    near = get_close_matches(which.split("/")[0], names, n=1)
    if near:
        return f"did you mean {visible(near[0])!r}?"
    return "`liven feeds ls` lists those there are" if names else f"nothing was recorded below {root} yet"


def _folders(place: Path) -> list[Path]:
    try:
        with os.scandir(place) as entries:
            names = [each.name for each in entries if each.is_dir() and not each.name.startswith(".")]
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [place / name for name in sorted(names)]
