"""The log of a run: one line for each event, for people or as JSON."""

from __future__ import annotations

import dataclasses
import json
import sys
import threading
import time
from typing import IO, Any

from liven.runtime.problems import Problem


class RunLog:
    """Writes lines at once, so that readers see them as they happen. Any thread may write."""

    def __init__(self, *, as_json: bool, to: IO[str] | None = None) -> None:
        self._as_json = as_json
        self._to = to if to is not None else sys.stdout
        self._start = time.monotonic()
        self._one = threading.Lock()

    def say(self, kind: str, subject: str, **more: object) -> None:
        """Write one line: its kind, its subject, and details."""
        if self._as_json:
            self._write(
                json.dumps({"time": self._now(), "kind": kind, "subject": subject, **more}, default=plain)
            )
        else:
            details = "".join(
                f"{':' if name == 'what' else ''} {_said(value)}" for name, value in more.items()
            )
            self._write(f"{self._now():9.3f}  {subject}: {kind}{details}")

    def event(self, endpoint: str, way: str, event: str, values: tuple[object, ...]) -> None:
        """Write one event at an endpoint, `in` or `out` as its owner sees it."""
        if self._as_json:
            self.say("event", endpoint, way=way, event=event, values=[plain(value) for value in values])
        else:
            shown = " ".join(json.dumps(plain(value), ensure_ascii=False) for value in values)
            self._write(f"{self._now():9.3f}  {endpoint} {way}.{event} {shown}".rstrip())

    def problem(self, problem: Problem) -> None:
        """Write one problem."""
        if self._as_json:
            self.say("problem", "/".join(problem.where), problem=problem.as_record())
        else:
            explained = f"\n{problem.explanation.render()}" if problem.explanation is not None else ""
            word = "over" if problem.is_over else "problem"
            self._write(f"{self._now():9.3f}  {word}: {problem}{explained}")

    def _now(self) -> float:
        return round(time.monotonic() - self._start, 3)

    def _write(self, line: str) -> None:
        with self._one:
            self._to.write(line + "\n")
            self._to.flush()


def plain(value: Any) -> Any:
    """Return a value as JSON has it: bytes in hexadecimal, an author's own classes by their fields."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def _said(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
