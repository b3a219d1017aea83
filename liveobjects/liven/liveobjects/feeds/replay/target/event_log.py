"""A new recording of what is replayed: a part of a feed, or one made from several by a query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from liven.liveobjects.feeds.record import REPLAYED
from liven.liveobjects.feeds.replay.errors import ReplayError
from liven.liveobjects.feeds.replay.rows import Event
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.runtime.os_error_text import explain_os_error


class EventLog:
    """The log of a recorder to which events are appended, each marked as replayed."""

    has_room = True

    def __init__(self, folder: Path) -> None:
        """Open a log, or make it; raise OSError or FeedError."""
        self._log = LogWriter(folder)

    def deliver(self, events: Sequence[Event]) -> None:
        try:
            self._log.extend([each.record._replace(flags=each.record.flags | REPLAYED) for each in events])
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
