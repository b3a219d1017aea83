"""`liven feeds cluster`: a Spark cluster of this computer, or workers for that of another computer."""

from __future__ import annotations

import argparse
import re
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from liven.app.feeds.spark.job_arguments import cluster_file, places_of
from liven.app.network.cli import complain, many
from liven.liveobjects.feeds.spark.cluster.local_cluster import (
    SECRET,
    LocalCluster,
    WorkerSize,
    cluster_settings,
)
from liven.liveobjects.feeds.spark.server_address import local_address_towards
from liven.liveobjects.feeds.spark.settings_file import (
    MASTER,
    BadSettingsError,
    read_settings,
    write_settings,
)
from liven.liveobjects.feeds.spark.virtual_machine import LOOPBACK, NoSparkError
from liven.runtime.exit_codes import BAD_USE, ENVIRONMENT, NO, OK
from liven.runtime.os_error_text import explain_os_error

_LOOK_EVERY: Final = 0.5
_MEMORY: Final = re.compile(r"[1-9]\d*[mg]")
_PORT: Final = re.compile(r":(\d{1,5})$")
_NOTE: Final = """\
A Spark cluster of Liven. Whoever has this file can run programs on it as its user: keep it private.
Give it to jobs as --conf-file, and to `liven feeds cluster --join` on other computers."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds cluster`."""
    parser.add_argument("--workers", type=_count, default=2, metavar="N", help="the number of workers (2)")
    parser.add_argument("--cores", type=_count, default=1, metavar="N", help="the cores of each (1)")
    memory = "the memory of each, such as 2g (1g)"
    parser.add_argument("--memory", type=_memory, default="1g", metavar="SIZE", help=memory)
    host = f"this computer's address, by which others reach it ({LOOPBACK}, so none does)"
    parser.add_argument("--host", default="", metavar="ADDRESS", help=host)
    port = "the master's port (the one in the file, else one that is free)"
    parser.add_argument("--port", type=_port, default=0, metavar="N", help=port)
    file = "write the settings for jobs and other computers to this file, and keep the secret and port in it"
    parser.add_argument("--file", type=Path, metavar="FILE", help=file)
    join = "start workers only, for the master of which another computer wrote this file"
    parser.add_argument("--join", type=Path, metavar="FILE", help=join)
    parser.set_defaults(tables=None)
    parser.epilog = (
        "It runs until Ctrl+C. Any number of computers may join; docs/feeds-cluster.md says what they need.\n"
        "Exit code: 0 stopped; 1 a process ended unasked; 3 this computer lacks something."
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the cluster until somebody stops it."""
    if arguments.join and (arguments.file or arguments.port):
        return complain(
            "--join takes the address and the secret from its file; leave --file and --port out", BAD_USE
        )
    try:
        with _started(arguments) as (cluster, file):
            stop = _stopped_by_signals()  # before anybody is told to press Ctrl+C
            _describe(cluster, file, arguments)
            return _watch(cluster, stop)
    except NoSparkError as error:
        return complain(str(error), ENVIRONMENT)
    except OSError as error:
        return complain(explain_os_error(error), ENVIRONMENT)
    except KeyboardInterrupt:
        return OK


@contextmanager
def _started(arguments: argparse.Namespace) -> Iterator[tuple[LocalCluster, Path]]:
    """Start the processes with their settings in a file, and end them."""
    size = WorkerSize(arguments.cores, arguments.memory)
    file: Path = arguments.join or arguments.file or cluster_file()
    settings = _joined(file) if arguments.join else _new(file, arguments, size)
    towards = local_address_towards(settings[MASTER]) if arguments.join else None
    host = arguments.host or towards or LOOPBACK
    print(
        f"starting {'' if arguments.join else 'a master and '}{many(arguments.workers, 'worker')}", flush=True
    )
    cluster = LocalCluster.open(settings, places_of(arguments).cache, host)
    try:
        if not arguments.join:
            cluster.start_master(arguments.port or _port_of(cluster.url))
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_settings(file, cluster.settings, _NOTE)
        cluster.start_workers(arguments.workers, size)
        yield cluster, file
    finally:
        cluster.close()
        if not (arguments.join or arguments.file):
            with suppress(OSError):
                file.unlink()


def _joined(file: Path) -> dict[str, str]:
    """Return the settings of the cluster to join; raise BadSettingsError."""
    settings = read_settings(file)
    if MASTER not in settings:
        raise BadSettingsError(
            f"{file}: it names no {MASTER}; `liven feeds cluster --file` writes such a file"
        )
    return settings


def _new(file: Path, arguments: argparse.Namespace, size: WorkerSize) -> dict[str, str]:
    """Return the settings of a new cluster, with the secret of the file; raise NoSparkError if that runs."""
    before = read_settings(file) if file.exists() else {}
    if MASTER in before and _answers(before[MASTER]):
        raise NoSparkError(
            f"{file}: its cluster runs at {before[MASTER]}; stop it first, or use another --file"
        )
    settings = cluster_settings(size, arguments.host or LOOPBACK, before.get(SECRET, ""))
    return {**({MASTER: before[MASTER]} if MASTER in before else {}), **settings}


def _answers(master: str) -> bool:
    try:
        local_address_towards(master)
    except NoSparkError:
        return False
    return True


def _port_of(master: str) -> int:
    """Return the port at which a master was before, so that workers on other computers find it again."""
    found = _PORT.search(master)
    return int(found[1]) if found else 0


def _describe(cluster: LocalCluster, file: Path, arguments: argparse.Namespace) -> None:
    of_each = f"{many(arguments.cores, 'core')} and {arguments.memory} of memory"
    print(f"master    {cluster.url}\nworkers   {arguments.workers}, each with {of_each}")
    print(f"settings  {file}\nmessages  {cluster.folder}")
    if not arguments.join:
        chosen = f"--conf-file {file}" if arguments.file else f"--master {cluster.url}"
        print(f"Use it with, for example:  liven feeds ingest {chosen}")
    print("Ctrl+C ends it.", flush=True)


def _stopped_by_signals() -> threading.Event:
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: stop.set())
    return stop


def _watch(cluster: LocalCluster, stop: threading.Event) -> int:
    """Wait until it is to stop, or until the master or all workers have ended."""
    known = list(cluster.daemons)
    while not stop.wait(_LOOK_EVERY):
        for daemon in [one for one in known if not one.running]:
            known.remove(daemon)
            text = f"the {daemon.name} ended: {daemon.reason_of_end()}"
            if daemon.name == "master" or not known or [one.name for one in known] == ["master"]:
                return complain(text, NO)
            print(f"liven: {text}; the others go on", file=sys.stderr, flush=True)
    print("ending", flush=True)
    return OK


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least 1")
    return int(text)


def _port(text: str) -> int:
    number = _count(text)
    if number >= 1 << 16:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port")
    return number


def _memory(text: str) -> str:
    if not _MEMORY.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 512m or 2g")
    return text
