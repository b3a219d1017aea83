"""The resident process: one session, one job at a time, an end after ten minutes without one. Jobs that last
run beside the others.

A client sends one line, `{"job": NAME, "arguments": {…}}`, and gets the events of the job, one a line; the
last is `{"event": "end", "code": …}`. If it hangs up or sends `{"job": "cancel"}`, the job is cancelled."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from liven.liveobjects.feeds.spark.jobs.registry import JOBS
from liven.liveobjects.feeds.spark.runner import Outcome, Places, Run, outcome_of, run_in
from liven.liveobjects.feeds.spark.session import Session
from liven.liveobjects.feeds.spark.settings import SparkSettings
from liven.liveobjects.feeds.spark.sidecar.greeting import RESTART, STATUS, STOP, WHY, greeting
from liven.liveobjects.feeds.spark.virtual_machine import VirtualMachineEndedError
from liven.runtime.exit_codes import BAD_USE, ENVIRONMENT, OK
from liven.runtime.files import PRIVATE
from liven.runtime.foreign_text import shown_line

IDLE: Final = 600.0
"""Seconds without a job after which the process ends."""
_LONGEST_REQUEST: Final = 1 << 20
_LONGEST_REASON: Final = 200
_LOOK_EVERY: Final = 0.5
_END_WITHIN: Final = 10.0


class AlreadyServedError(Exception):
    """Another resident process listens on the socket."""


class Sidecar:
    """Serves a session to the programs of this user."""

    def __init__(
        self,
        session: Session,
        settings: SparkSettings,
        places: Places,
        version: str,
        *,
        idle: float = IDLE,
    ) -> None:
        self._session = session
        self._settings = settings
        self._places = places
        self._version = version
        self._idle = idle
        self._jobs = threading.Lock()
        self._ending = threading.Event()
        self._why = ""
        """The reason for the end, in words."""
        self._used = time.monotonic()
        self._waiting = 0
        self._running: Run | None = None
        self._lasting: dict[threading.Event, Run] = {}

    def serve(self, listener: socket.socket) -> str:
        """Answer until somebody asks to stop, nobody has asked for long, or Java has ended; return which."""
        listener.settimeout(_LOOK_EVERY)
        while not self._ending.is_set():
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                if self._is_idle():
                    self._end(f"nobody had a job for {self._idle / 60:g} minutes")
                elif not self._is_running():
                    self._end("its Java has ended")
                continue
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()
        self._end_lasting()
        with self._jobs:  # the job that runs comes to its end
            return self._why

    def stop(self) -> None:
        """Make `serve` return."""
        self._end("it was stopped")

    def _end(self, why: str) -> None:
        if not self._ending.is_set():
            self._why = why
        self._ending.set()

    def _is_running(self) -> bool:
        return self._session.machine is None or self._session.machine.running

    def _is_idle(self) -> bool:
        return not self._waiting and time.monotonic() - self._used > self._idle

    def _answer(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as lines, suppress(OSError):
            self._send(connection, greeting(self._version, self._settings, self._places))
            try:
                request = json.loads(lines.readline(_LONGEST_REQUEST))
                job, arguments = str(request["job"]), dict(request.get("arguments", {}))
            except (ValueError, KeyError, TypeError):
                return
            if job == STOP:
                asked = shown_line(str(arguments.get(WHY, "")))[:_LONGEST_REASON]
                self._end(asked or "another program asked for it")
            if job in JOBS:
                outcome = self._outcome(connection, lines, job, arguments)
            elif job in (STOP, STATUS):
                outcome = Outcome(OK)
            else:
                outcome = Outcome(BAD_USE, f"there is no job {job!r}")
            self._send(connection, {"event": "end", **asdict(outcome)})

    def _outcome(self, connection: socket.socket, lines: Any, job: str, arguments: dict[str, Any]) -> Outcome:
        self._waiting += 1
        run = Run(
            job, arguments, self._settings, self._places, lambda event: self._report(connection, run, event)
        )
        finished = threading.Event()
        threading.Thread(target=self._watch, args=(lines, run, finished), daemon=True).start()
        try:
            return self._lasted(run, finished) if JOBS[job].lasts else self._done(run)
        except VirtualMachineEndedError as error:
            self._end("its Java has ended")
            return Outcome(RESTART, str(error))
        except Exception as error:
            return outcome_of(error)
        finally:
            finished.set()
            self._waiting -= 1
            self._used = time.monotonic()

    def _done(self, run: Run) -> Outcome:
        """Do a job when those before it are done."""
        if self._jobs.locked():
            run.report({"event": "waiting", "text": "waiting for another job"})
        with self._jobs:
            if self._ending.is_set():
                return Outcome(ENVIRONMENT, "the process of `liven feeds serve` is ending; try again")
            self._running = run
            try:
                return run_in(self._session, run)
            finally:
                self._running = None

    def _lasted(self, run: Run, finished: threading.Event) -> Outcome:
        """Do a job that lasts, beside the others; its client goes on with it if this process ends."""
        self._lasting[finished] = run
        try:
            outcome = run_in(self._session, run)
        finally:
            del self._lasting[finished]
        if self._ending.is_set():
            return Outcome(RESTART, "the process of `liven feeds serve` was asked to end")
        return outcome

    def _end_lasting(self) -> None:
        """Cancel the jobs that last, and wait for their ends."""
        running = dict(self._lasting)
        for run in running.values():
            run.cancelled.set()
        for finished in running:
            finished.wait(_END_WITHIN)

    def _watch(self, lines: Any, run: Run, finished: threading.Event) -> None:
        """Cancel a job when its client says so or hangs up."""
        with suppress(OSError, ValueError):
            lines.readline(_LONGEST_REQUEST)
        if not finished.is_set():
            run.cancelled.set()
            if self._running is run:
                self._session.cancel()

    def _report(self, connection: socket.socket, run: Run, event: dict[str, Any]) -> None:
        try:
            self._send(connection, event)
        except OSError:
            run.cancelled.set()

    def _send(self, connection: socket.socket, event: dict[str, Any]) -> None:
        connection.sendall(json.dumps(event, ensure_ascii=False).encode() + b"\n")


@contextmanager
def listening(path: Path) -> Iterator[socket.socket]:
    """Listen on a socket that only this user may open; raise AlreadyServedError or OSError."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if _answers(path):
        raise AlreadyServedError(f"`liven feeds serve` is running already: {path}")
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        listener.bind(str(path))
    finally:
        os.umask(before)
    try:
        path.chmod(PRIVATE)
        listener.listen()
        yield listener
    finally:
        listener.close()
        path.unlink(missing_ok=True)


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(str(path))
        except OSError:
            return False
        return True
