"""The progress of a job on Spark: a bar with the time left, or the job's events as lines of JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from liven.app.feeds.progress import ProgressBar
from liven.app.network.cli import many, printable

_STEPS = ("start", "java", "waiting", "restart", "retry")


class SparkProgress:
    """Shows the events of one job."""

    def __init__(self, verb: str, done: str, *, as_json: bool) -> None:
        self._verb, self._done, self._json = verb, done, as_json
        self._bar: ProgressBar | None = None

    def show(self, event: Mapping[str, Any]) -> None:
        """Show one event."""
        if self._json:
            print(json.dumps(event, ensure_ascii=False), flush=True)
            return
        kind = event["event"]
        if kind == "plan":
            self.end()
            self._bar = ProgressBar(f"{self._verb} {printable(event['feed'])}")
        elif kind == "batch" and self._bar is not None:
            self._bar.show(event["done"], event["total"])
        elif kind == "done":
            self.end()
            rows, seconds = event["rows"], event["seconds"]
            print(f"{printable(event['feed'])}: {self._done} {many(rows, 'record')} in {seconds:.1f} s")
        elif kind == "warning" or (kind in _STEPS and sys.stderr.isatty()):
            if self._bar is not None:
                self._bar.end()  # it is drawn again below the line
            print(f"liven: {printable(event.get('text', kind))}", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.end()
            self._bar = None
