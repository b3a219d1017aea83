"""Doing a job where it begins soonest: in the resident process, or in a session of our own."""

from __future__ import annotations

from contextlib import suppress

from liven.liveobjects.feeds.spark.jobs.registry import JOBS
from liven.liveobjects.feeds.spark.runner import Outcome, Run
from liven.liveobjects.feeds.spark.sidecar.client import SidecarClient, SidecarGoneError
from liven.liveobjects.feeds.spark.sidecar.greeting import PROCESS, RESTART, STOP, fits, greeting


def submitted(run: Run, version: str) -> Outcome:
    """Do the job and return its end.

    A resident process with other settings holds the lock of the tables, so it is asked to end first if the
    job writes."""
    client = SidecarClient.connect(run.places.socket)
    if client is None:
        return run.run()
    with client:
        if fits(client.hello, greeting(version, run.settings, run.places)):
            with suppress(SidecarGoneError, OSError):
                return _delegated(client, run) or run.run()
            run.report({"event": "restart", "text": "the resident process ended; going on without it"})
        elif JOBS[run.job].writes:
            text = f"asking the resident process {client.hello.get(PROCESS)} to end: it has other settings"
            run.report({"event": "waiting", "text": text})
            with suppress(SidecarGoneError, OSError):
                client.ask(STOP, {}, run.report)
    return run.run()


def _delegated(client: SidecarClient, run: Run) -> Outcome | None:
    """Return the end of the job in the resident process; None if Java ended there."""
    run.report({"event": "ready", "resident": True})
    end = client.ask(run.job, run.arguments, run.report)
    if end["code"] == RESTART:
        run.report({"event": "restart", "text": end["text"]})
        return None
    return Outcome(int(end["code"]), str(end["text"]), bool(end["cache_missing"]))
