"""The errors of feeds. Each text says what is wrong, where, and what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_ADVICE: Final = (
    "`liven feeds verify` lists all damage, `liven feeds repair` sets it aside and keeps the rest"
)


class FeedError(Exception):
    """The base of all errors here; never raised itself."""


class BadUseError(FeedError):
    """A person named something that there is not; never raised itself."""


class LockedError(FeedError):
    """Another program writes this log."""

    def __init__(self, folder: Path, process: int | None) -> None:
        owner = f"process {process}" if process else "another program"
        super().__init__(f"{folder}: {owner} is writing this log; stop it, or record under another name")
        self.folder = folder


class DamagedError(FeedError):
    """A part of a log cannot be read: its bytes changed or are missing."""

    def __init__(self, file: Path, offset: int, first: int, end: int, what: str) -> None:
        numbers = f"records {first} to {end - 1}" if end > first + 1 else f"record {first}"
        super().__init__(f"{file}, byte {offset}: {what}, so {numbers} cannot be read; {_ADVICE}")
        self.file = file
        self.offset = offset
        self.first = first
        self.end = end


class ForeignSegmentError(FeedError):
    """A file in the folder of a log belongs to another log."""

    def __init__(self, file: Path) -> None:
        super().__init__(
            f"{file}: it belongs to another log; move it back to the folder that it came from"
            " (a log cannot be put together from files of several)"
        )
        self.file = file


class FutureVersionError(FeedError):
    """A file was written by a later version of the program."""

    def __init__(self, file: Path, version: int) -> None:
        super().__init__(
            f"{file}: it has format {version}, which this version of Liven does not know;"
            " update Liven to read it"
        )
        self.file = file


class GoneError(FeedError):
    """Records were deleted by the limits of the recording."""

    def __init__(self, folder: Path, wanted: int, begin: int) -> None:
        super().__init__(
            f"{folder}: records from {wanted} on were deleted by the limits of the recording;"
            f" it begins at {begin}, so begin there"
        )
        self.wanted = wanted
        self.begin = begin


class BegunAnewError(FeedError):
    """A log was deleted and another one begun under its name, while it was read as it grew."""

    def __init__(self, feed: Path, recorder: str) -> None:
        super().__init__(f"{feed}: the recording {recorder} was begun anew; read it again from its beginning")


class UnrepairableError(FeedError):
    """A log holds something that this version of the program cannot judge, so it is left as it is."""


class NoRecordError(FeedError):
    """A log has no record of this number."""


class BadRecordError(FeedError):
    """A value is no record, so nothing of it was written."""


class BadDescriptionError(FeedError):
    """The description of a feed cannot be read."""


class UnknownFeedError(BadUseError):
    """There is no feed of this name, or at this place."""


class BadNameError(BadUseError):
    """A name cannot be one of a feed or a recorder."""
