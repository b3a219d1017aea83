"""Arguments that the commands on Spark share, and running their jobs."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from liven.app.feeds.spark.job_progress import SparkProgress
from liven.app.network.cli import complain
from liven.app.version import version
from liven.liveobjects.feeds.errors import UnknownFeedError
from liven.liveobjects.feeds.feed_folder import resolve
from liven.liveobjects.feeds.spark.runner import Outcome, Places, Run
from liven.liveobjects.feeds.spark.settings import SparkSettings
from liven.liveobjects.feeds.spark.settings_file import MASTER, read_settings
from liven.liveobjects.feeds.spark.sidecar.delegation import submitted
from liven.liveobjects.feeds.table.commits.layout import Layout
from liven.runtime.exit_codes import OK
from liven.runtime.user_folders import UserFolders

_MASTER_HELP: Final = "a Spark master, such as spark://host:7077 (this computer)"
_REMOTE_HELP: Final = "a Spark Connect server, such as sc://host:15002"
_CONF_HELP: Final = "a setting of Spark; may be given more than once"
_FILE_HELP: Final = "settings of Spark from a file, a key and a value a line; spark.master names the master"
_TABLES_HELP: Final = "the folder of the tables, which all workers must see (below the state folder)"
_ALONE_HELP: Final = "do not use the resident process of `liven feeds serve`"
_PREPARE_HELP: Final = "do not prepare faster starts of Java in the background"


def add_spark(parser: argparse.ArgumentParser, title: str = "Spark") -> None:
    """Add the arguments that choose Spark and the places of tables."""
    group = parser.add_argument_group(title)
    where = group.add_mutually_exclusive_group()
    where.add_argument("--master", default="", metavar="URL", help=_MASTER_HELP)
    where.add_argument("--remote", default="", metavar="URL", help=_REMOTE_HELP)
    group.add_argument(
        "--conf", action="append", default=[], type=setting, metavar="KEY=VALUE", help=_CONF_HELP
    )
    group.add_argument("--conf-file", type=Path, metavar="FILE", help=_FILE_HELP)
    group.add_argument("--tables", type=Path, metavar="FOLDER", help=_TABLES_HELP)


def add_job(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a job."""
    add_spark(parser)
    parser.add_argument("--alone", action="store_true", help=_ALONE_HELP)
    parser.add_argument("--no-prepare", action="store_true", help=_PREPARE_HELP)
    parser.add_argument("--json", action="store_true", help="print each event as a line of JSON")


def setting(text: str) -> tuple[str, str]:
    """Return the key and the value of a setting; raise ArgumentTypeError."""
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUE")
    return key, value


def spark_words(arguments: argparse.Namespace) -> list[str]:
    """Return the words that choose the same Spark for another command."""
    words = [word for key, value in arguments.conf for word in ("--conf", f"{key}={value}")]
    for name in ("master", "remote", "conf_file", "tables"):
        value = getattr(arguments, name)
        if value:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return words


def settings_of(arguments: argparse.Namespace) -> SparkSettings:
    """Return the Spark that was chosen; raise BadSettingsError.

    A master of `liven feeds cluster` needs no more than its address: the rest is in the user's file.
    """
    file, own = arguments.conf_file, cluster_file()
    settings = read_settings(file) if file else {}
    if not file and arguments.master and own.exists():
        found = read_settings(own)
        settings = found if found.get(MASTER) == arguments.master else {}
    settings |= dict(arguments.conf)
    named = settings.pop(MASTER, "")
    return SparkSettings(arguments.master or ("" if arguments.remote else named), arguments.remote, settings)


def cluster_file() -> Path:
    """Return the file with the settings of the cluster that the user runs here."""
    return UserFolders.of_user(os.environ).runtime / "spark-cluster.conf"


def places_of(arguments: argparse.Namespace) -> Places:
    """Return the folders that were chosen."""
    tables = None if arguments.tables is None else arguments.tables.expanduser().absolute()
    return Places.of(UserFolders.of_user(os.environ), tables)


def run_job(job: str, given: dict[str, Any], arguments: argparse.Namespace, progress: SparkProgress) -> int:
    """Do a job, show its progress, and return the exit code."""
    places = places_of(arguments)
    if "feeds" in given:
        given = {**given, "feeds": [_found_from_anywhere(name, places) for name in given["feeds"]]}
    run = Run(job, given, settings_of(arguments), places, progress.show)
    try:
        outcome = run.run() if arguments.alone else submitted(run, version())
    finally:
        progress.end()
    return finished(outcome, arguments)


def _found_from_anywhere(which: str, places: Places) -> str:
    """Return the whole path of a feed that is named by one: the resident process works in another folder.
    Raise UnknownFeedError, before Java is started, for one that has neither records nor tables."""
    try:
        place = resolve(which, places.feeds)
    except UnknownFeedError:
        if which in Layout(places.tables).feeds():
            return which
        raise
    path = place.recorder or place.feed.path
    return which if path.is_relative_to(places.feeds.absolute()) else str(path)


def finished(outcome: Outcome, arguments: argparse.Namespace) -> int:
    """Say how a job ended, prepare the next start, and return the exit code."""
    if outcome.text:
        complain(outcome.text, outcome.code)
    if outcome.code == OK and outcome.cache_missing and not arguments.no_prepare:
        prepare_in_background()
    return outcome.code


def prepare_in_background() -> None:
    """Start `liven feeds prepare` as a process of its own, which outlives this one."""
    subprocess.Popen(
        [sys.executable, "-m", "liven.app.main", "feeds", "prepare", "--background"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd="/",
    )
