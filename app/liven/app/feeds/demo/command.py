"""`liven feeds demo`: a board and an airspace are recorded, ingested with Spark, queried and played again."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path

from liven.app.demo.headless import DemoError, UnsavedError, check_writable
from liven.app.doctor.display import QT_PACKAGES, try_window
from liven.app.network.cli import complain
from liven.runtime.exit_codes import ENVIRONMENT, NO, OK
from liven.runtime.user_folders import UserFolders

_INTERRUPTED = 130
_PREFIX = "liven-feeds-"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds demo`."""
    picture = "the file for the picture at the end (in the cache folder)"
    parser.add_argument("--picture", type=Path, metavar="FILE", help=picture)
    home = "keep everything below this folder (a temporary one, which is deleted)"
    parser.add_argument("--home", type=Path, metavar="FOLDER", help=home)
    parser.add_argument("--no-spark", action="store_true", help="leave out the steps with Spark")
    parser.epilog = (
        "It works in a home of its own and touches none of your files. With --home, look at the feeds\n"
        "afterwards: LIVEN_HOME=FOLDER liven feeds ls."
    )


def run(arguments: argparse.Namespace) -> int:
    """Tell the story."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    good, words = try_window(os.environ)
    if not good:
        return complain(f"Qt does not start: {words}\nTry: apt install {QT_PACKAGES}", ENVIRONMENT)
    from liven.app.feeds.demo.story import Story  # slow to import

    with_spark = not arguments.no_spark and find_spec("pyspark") is not None
    if not with_spark and not arguments.no_spark:
        print("Spark is not installed: pip install 'liven[spark]', or make build. The demo goes on without.")
    picture = arguments.picture or UserFolders.of_user(os.environ).cache / "feeds-demo.png"
    place = nullcontext(arguments.home) if arguments.home else _temporary_home()
    try:
        check_writable(picture)
        with place as home:
            Path(home).mkdir(parents=True, exist_ok=True)
            Story(Path(home).absolute(), picture.absolute(), with_spark, _say).tell()
    except KeyboardInterrupt:
        return _INTERRUPTED
    except DemoError as error:
        return complain(str(error), ENVIRONMENT if isinstance(error, UnsavedError) else NO)
    return OK


def _temporary_home() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that goes with the demo; a service that still ends in it may keep a few files."""
    return tempfile.TemporaryDirectory(prefix="liven-feeds-", ignore_cleanup_errors=True)


def _say(text: str) -> None:
    print(text)
    sys.stdout.flush()
