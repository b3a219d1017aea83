"""A new recording of what is replayed: a part of a feed, or one made from several by a query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from liven.liveobjects.feeds.description import FeedDescription, read_description, write_description
from liven.liveobjects.feeds.record import REPLAYED
from liven.liveobjects.feeds.replay.errors import ReplayError
from liven.liveobjects.feeds.replay.rows import Event
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.runtime.os_error_text import explain_os_error


class EventLog:
    """The log of a recorder to which events are appended, each marked as replayed, and each once: what is
    played again is there already."""

    has_room = True

    def __init__(self, folder: Path, description: FeedDescription) -> None:
        """Open a log, or make it, in a feed that gets the types of this description, and all of it if the
        feed is new; raise OSError or FeedError."""
        there = read_description(folder.parent)
        self._log = LogWriter(folder)
        self._last = -1
        """The last sequence that was written, in the recording that is played."""
        try:
            _describe(folder.parent, there, description)
        except BaseException:
            self._log.close_files()
            raise

    def deliver(self, events: Sequence[Event]) -> None:
        new = [each for each in events if each.sequence > self._last]
        try:
            self._log.extend([each.record._replace(flags=each.record.flags | REPLAYED) for each in new])
            self._last = new[-1].sequence if new else self._last
            self._log.tick()
        except OSError as error:
            what = f"the new recording cannot go on: {explain_os_error(error, self._log.folder)}"
            raise ReplayError(what, "what was written before is there") from None

    def rebuild(self, at: int) -> Iterator[None]:  # noqa: ARG002
        """Do nothing: a log has no state."""
        return iter(())

    def close(self) -> None:
        """Write the rest; raise OSError."""
        self._log.close()


def _describe(feed: Path, there: FeedDescription, played: FeedDescription) -> None:
    """Describe what is written; what a feed that there was says of itself stays."""
    if there == FeedDescription():
        joined = played
    else:
        numbering = {**played.numbering, **there.numbering}
        joined = replace(there, types={**played.types, **there.types}, numbering=numbering)
    if joined != there:
        write_description(feed, joined)
