"""`liven open`: shows objects in windows; hands the files to the program that runs, if one does."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from liven.app.desk.doorbell import StuckError, ring
from liven.app.desk.links import is_link
from liven.app.network.settings import add_arguments
from liven.runtime.folders import Folders

OK, ENVIRONMENT = 0, 3
PLACES = ("left", "right", "both")


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `liven open`."""
    parser.add_argument(
        "files",
        metavar="F",
        nargs="*",
        help="a .liveobject file or a liven: link; with none, your own desktop opens",
    )
    parser.add_argument(
        "--new-process", action="store_true", help="start another program, though one runs already"
    )
    parser.add_argument(
        "--place",
        choices=PLACES,
        default="",
        help="the half of the screen to begin on; both: on the left, and in another program on the right",
    )
    parser.add_argument(
        "--network", default="home", metavar="NAME", help="the name of the network; others are others (home)"
    )
    add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Hands over, or shows the windows until the last is closed."""
    files = [name if is_link(name) else str(_path(name)) for name in arguments.files]
    try:
        if not arguments.new_process and ring(Folders.of_user(os.environ).runtime, files):
            return OK
    except StuckError as error:
        print(f"liven open: {error}", file=sys.stderr)
        return ENVIRONMENT
    if (why := _why_unseen(os.environ)) != "":
        print(f"liven open: {why}", file=sys.stderr)
        return ENVIRONMENT
    from liven.app.desk.program import run as run_program  # Qt, which a hand-over does not need
    from liven.app.network.command import config_of
    from liven.liveobjects.channel.process import Channels

    folders = Folders.of_user(os.environ)
    channels = Channels(config_of(arguments), folders, network=arguments.network)
    return run_program(files, channels, alone=arguments.new_process, place=arguments.place)


def _why_unseen(environment: Mapping[str, str]) -> str:
    """Why no window can be seen from here, and what to do; empty where one can, as far as is known."""
    from liven.app.doctor.display import NO_DISPLAY, TO_HAVE_ONE, has_display

    asked = environment.get("QT_QPA_PLATFORM")  # whoever names a platform knows where windows go
    return "" if asked or has_display(environment) else f"{NO_DISPLAY} → {TO_HAVE_ONE}"


def _path(name: str) -> Path:
    """A file as the command line names it; desktops hand over `file:` URLs."""
    found = urlsplit(name)
    if found.scheme == "file" and found.netloc in ("", "localhost"):
        return Path(unquote(found.path))
    return Path(name).absolute()
