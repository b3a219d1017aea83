"""`liven feeds serve`: keeps Spark running for the next commands, and ends when nobody has used it for a
while."""

from __future__ import annotations

import argparse
import os
import signal

from liven.app.feeds.activity_line import ActivityLine
from liven.app.feeds.spark.job_arguments import add_spark, places_of, settings_of
from liven.app.network.cli import complain
from liven.app.version import version
from liven.runtime.exit_codes import ENVIRONMENT, NO, OK

_MINUTE = 60.0


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds serve`."""
    idle = "end after this many minutes without a job (10)"
    parser.add_argument("--idle", type=float, default=10.0, metavar="MINUTES", help=idle)
    parser.add_argument("--stop", action="store_true", help="end the process that serves now")
    add_spark(parser)
    parser.epilog = (
        "Other commands find it by a socket that only you may open. Jobs then begin in 0.3 s instead of 5 s."
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until nobody asks any more."""
    from liven.liveobjects.feeds.spark.runner import INTERRUPTED
    from liven.liveobjects.feeds.spark.sidecar.server import AlreadyServedError
    from liven.liveobjects.feeds.spark.virtual_machine import NoSparkError

    if arguments.stop:
        return _stop(arguments)
    try:
        with ActivityLine() as activity:
            _serve(arguments, activity)
    except AlreadyServedError as error:
        return complain(str(error), NO)
    except NoSparkError as error:
        return complain(str(error), ENVIRONMENT)
    except KeyboardInterrupt:
        return complain("stopped before Spark was ready", INTERRUPTED)
    return OK


def _serve(arguments: argparse.Namespace, activity: ActivityLine) -> None:
    from liven.liveobjects.feeds.spark.runner import tables_lock
    from liven.liveobjects.feeds.spark.session import open_session
    from liven.liveobjects.feeds.spark.sidecar.server import Sidecar, listening

    places, settings = places_of(arguments), settings_of(arguments)
    owner, log = f"process {os.getpid()} (liven feeds serve)", places.logs / "spark-serve.log"

    def said(_step: str, text: str) -> None:
        activity.step(text)

    with (
        listening(places.socket) as listener,
        tables_lock(places, owner, lambda event: activity.step(event["text"])) as lock,
    ):
        session = open_session(settings, places.cache, log, keep=(lock,), said=said)
        try:
            sidecar = Sidecar(session, settings, places, version(), idle=arguments.idle * _MINUTE)
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda _number, _frame: sidecar.stop())
            activity.end()
            print(f"serving at {places.socket}; Ctrl-C ends it", flush=True)
            print(f"ended: {sidecar.serve(listener)}", flush=True)
        finally:
            session.close()


def _stop(arguments: argparse.Namespace) -> int:
    from liven.liveobjects.feeds.spark.sidecar.client import SidecarClient
    from liven.liveobjects.feeds.spark.sidecar.greeting import STOP

    client = SidecarClient.connect(places_of(arguments).socket)
    if client is None:
        return complain("no process serves", NO)
    with client:
        client.ask(STOP, {}, lambda _event: None)
    print("it ends when its job is done")
    return OK
