"""Events printed as they are played: as lines for people, or as lines of JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from liven.app.feeds.replay.status_line import shown_clock
from liven.app.network.cli import printable
from liven.liveobjects.feeds.exchange.json_form import json_record
from liven.liveobjects.feeds.payload_decoder import PayloadDecoder
from liven.liveobjects.feeds.replay.rows import Event

_WIDEST: Final = 100


class PrintedEvents:
    """A target that prints. `before` is called first, to clear what else is on the terminal, and `gone` when
    nobody reads what is printed any more."""

    has_room = True

    def __init__(
        self,
        decoder: PayloadDecoder,
        before: Callable[[], object],
        gone: Callable[[], object],
        *,
        author: Callable[[str], str] = str,
        as_json: bool = False,
    ) -> None:
        """`author` returns the name of an author."""
        self._author = author
        self._decoder = decoder
        self._before, self._gone = before, gone
        self._as_json = as_json

    def deliver(self, events: Sequence[Event]) -> None:
        self._before()
        lines = [self._line(event) for event in events]
        try:
            sys.stdout.write("".join(f"{line}\n" for line in lines))
            sys.stdout.flush()
        except BrokenPipeError:
            self._gone()

    def rebuild(self, at: int) -> Iterator[None]:  # noqa: ARG002
        """Do nothing: what is printed is printed."""
        return iter(())

    def close(self) -> None:
        """Do nothing."""

    def _line(self, event: Event) -> str:
        author = self._author(event.record.author)
        found = json_record(event.sequence, event.record._replace(author=author), self._decoder)
        if self._as_json:
            return json.dumps({"event": "record", **found}, ensure_ascii=False)
        value = json.dumps(found.get("value", found.get("payload")), ensure_ascii=False)
        value = value if len(value) <= _WIDEST else value[: _WIDEST - 1] + "…"
        record = event.record
        names = f"{record.object or record.channel}  {author or '–'}"
        return printable(f"{shown_clock(record.received)}  #{event.sequence}  {names}  {value}")
