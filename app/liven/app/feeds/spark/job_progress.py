"""The progress of a job on Spark: a bar with the time left, or the job's events as lines of JSON.

Until there is a bar, a line says what is being done, so that nobody looks at nothing while Java starts."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any, Final

from liven.app.feeds.activity_line import ActivityLine
from liven.app.feeds.progress import ProgressBar
from liven.app.network.cli import many, printable

_STEPS: Final = ("start", "java", "spark", "waiting")
_NOTICES: Final = ("warning", "restart", "retry", "sealed")


class SparkProgress:
    """Shows the events of one job."""

    def __init__(
        self, verb: str, done: str, *, as_json: bool, work: str = "", is_quiet: bool = False
    ) -> None:
        """Show them in these words. `work` is what is done until there are numbers (looking at what is
        there); with `is_quiet`, only notices are shown."""
        self._verb, self._done, self._json = verb, done, as_json
        self._work = work or f"{verb} what is there"
        self._bar: ProgressBar | None = None
        self._activity = None if is_quiet or as_json else ActivityLine()

    def show(self, event: Mapping[str, Any]) -> None:
        """Show one event."""
        if self._json:
            print(json.dumps(event, ensure_ascii=False), flush=True)
            return
        kind = event["event"]
        if kind in _STEPS:
            self._step(printable(event.get("text", kind)))
        elif kind == "ready":
            self._step(self._work)
        elif kind == "plan":
            self.end()
            what = f"{self._verb} {printable(event['feed'])}"
            self._bar = ProgressBar(what)
            rows = many(event["rows"], event.get("unit", "record"))
            self._step(f"{what}, {rows}")  # the first batch may take long
        elif kind == "batch" and self._bar is not None:
            if self._activity is not None:
                self._activity.end()
            self._bar.show(event["done"], event["total"])
        elif kind == "done":
            self.end()
            rows, seconds = many(event["rows"], event.get("unit", "record")), event["seconds"]
            print(f"{printable(event['feed'])}: {self._done} {rows} in {seconds:.1f} s")
            sys.stdout.flush()
        elif kind in _NOTICES:
            self._notice(printable(event.get("text", kind)))

    def end(self) -> None:
        """Remove the bar and the line."""
        if self._activity is not None:
            self._activity.end()
        if self._bar is not None:
            self._bar.end()
            self._bar = None

    def _step(self, text: str) -> None:
        if self._activity is not None:
            self._activity.step(text)

    def _notice(self, text: str) -> None:
        if self._activity is not None:
            self._activity.end()
        if self._bar is not None:
            self._bar.end()  # it is drawn again below the line
        print(f"liven: {text}", file=sys.stderr, flush=True)
