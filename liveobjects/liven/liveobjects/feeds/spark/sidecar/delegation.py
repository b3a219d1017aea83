"""Doing a job where it begins soonest: in the resident process, or in a session of our own."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from liven.liveobjects.feeds.spark.jobs.registry import JOBS
from liven.liveobjects.feeds.spark.runner import INCOMPLETE, Outcome, Run, stopped
from liven.liveobjects.feeds.spark.sidecar.client import SidecarClient, SidecarGoneError
from liven.liveobjects.feeds.spark.sidecar.greeting import PROCESS, RESTART, STOP, WHY, fits, greeting
from liven.runtime.exit_codes import NO

_ALONE: Final = "the process of `liven feeds serve` or its Java ended; going on without it"
_STARTING: Final = "waiting for the process of `liven feeds serve`, which starts Spark"
_OTHER: Final = "a command that writes tables has other settings of Spark, and asked for it"


def submitted(run: Run, version: str) -> Outcome:
    """Do the job and return its end.

    A resident process with other settings holds the lock of the tables, so it is asked to end first if the
    job writes."""
    try:
        client = SidecarClient.connect(run.places.socket, lambda: run.say("waiting", _STARTING))
    except KeyboardInterrupt:
        return stopped(run.job)
    if client is None:
        return run.run()
    with client:
        if fits(client.hello, greeting(version, run.settings, run.places)):
            with suppress(SidecarGoneError, OSError):
                end = _delegated(client, run)
                if end is not None:
                    return end
            if run.has_told_rows:
                return Outcome(NO, INCOMPLETE)
            run.report({"event": "restart", "text": _ALONE})
        elif JOBS[run.job].writes:
            served = f"`liven feeds serve`, process {client.hello.get(PROCESS)}"
            run.report({"event": "waiting", "text": f"asking {served}, to end: it has other settings"})
            with suppress(SidecarGoneError, OSError):
                client.ask(STOP, {WHY: _OTHER}, run.report)
    return run.run()


def _delegated(client: SidecarClient, run: Run) -> Outcome | None:
    """Return the end of the job in the resident process; None if Java ended there."""
    run.report({"event": "ready", "resident": True})
    end = client.ask(run.job, run.arguments, run.tell)
    if end["code"] == RESTART:
        return None
    return Outcome(int(end["code"]), str(end["text"]), bool(end["cache_missing"]))
