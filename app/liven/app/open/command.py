"""`liven open`: show objects in windows. If the program is already running, hand the files to it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence

from liven.app.cli.deferred_sigint import deferred_sigint
from liven.app.confined.settings import add_argument, placement_of
from liven.app.instance.client import StuckError, send_files
from liven.app.network.settings import add_arguments
from liven.app.open.hand_over import absolute, complain, reason_unreadable, report_in_window, without_faults
from liven.app.program.gc_policy import disable
from liven.runtime.exit_codes import BAD_USE, ENVIRONMENT, NO, OK
from liven.runtime.user_folders import UserFolders

PLACES = ("left", "right", "both")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven open`."""
    parser.add_argument(
        "files",
        metavar="F",
        nargs="*",
        help="a .liveobject file or a liven: link; without any, the start window opens",
    )
    parser.add_argument(
        "--new-process", action="store_true", help="start another program even if one is running"
    )
    parser.add_argument(
        "--from-icon", action="store_true", help="report errors in a window, not in the terminal"
    )
    parser.add_argument(
        "--place",
        choices=PLACES,
        default="",
        help="the half of the screen for the window; both: a second program on the right",
    )
    parser.add_argument(
        "--safe", action="store_true", help="run nothing in it, so that a bad part can be removed"
    )
    add_argument(parser)
    parser.add_argument("--network", default="home", metavar="NAME", help="the name of the network (home)")
    add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Hand the files over, or show them and run until the last window closes. Return the exit code.

    Reasons why files cannot be opened are printed, and the others open; the code is then 2 if a file cannot
    be read and 1 if it holds no object.
    """
    files = [absolute(name) for name in arguments.files]
    if arguments.from_icon:
        return _from_icon(arguments, files)
    there, code = without_faults(files, reason_unreadable, BAD_USE)
    return max(code, _open(arguments, there)) if there or not files else code


def _from_icon(arguments: argparse.Namespace, files: Sequence[str]) -> int:
    """Open files for an icon: errors that prevent the start are shown in a window, if one can open."""
    try:
        return _open(arguments, files)
    except OSError as error:
        return report_in_window(error)
    except SystemExit as end:  # an invalid setting, which has been printed
        if end.__cause__ is None or _reason_without_display(os.environ):
            raise
        return report_in_window(end.__cause__)


def _open(arguments: argparse.Namespace, files: Sequence[str]) -> int:
    runtime, tell = UserFolders.of_user(os.environ).runtime, not arguments.from_icon
    try:
        problems = None if _alone(arguments) else send_files(runtime, files, tell=tell, safe=arguments.safe)
    except StuckError as error:
        return report_in_window(error) if arguments.from_icon else complain(str(error), ENVIRONMENT)
    if problems is not None:
        return max((complain(problem, NO) for problem in problems), default=OK)
    return _begin(arguments, files)


def _begin(arguments: argparse.Namespace, files: Sequence[str]) -> int:
    """Start the program with those files that can be opened."""
    disable()
    from liven.app.opening.source import reason_unopenable  # loads XML, which handing over does not need

    good, code = (files, OK) if arguments.from_icon else without_faults(files, reason_unopenable, NO)
    if files and not good:
        return code
    if why := _reason_without_display(os.environ):
        return complain(why, ENVIRONMENT)
    with deferred_sigint():
        from liven.app.network.cli import config_of
        from liven.app.network.object_limits import limits_of
        from liven.app.program.desktop_program import (
            run as run_program,
        )  # loads Qt, which handing over does not need either
        from liven.app.trust.earlier_libraries import mark_earlier_libraries
        from liven.liveobjects.channel.composition import Channels

    folders = UserFolders.of_user(os.environ)
    placement, limits = placement_of(arguments, folders.config), limits_of(folders)
    mark_earlier_libraries(folders)
    channels = Channels(config_of(arguments), folders, network=arguments.network, limits=limits)
    place, safe = arguments.place, arguments.safe
    return max(code, run_program(good, channels, placement, alone=_alone(arguments), place=place, safe=safe))


def _alone(arguments: argparse.Namespace) -> bool:
    """True if this start is a program of its own. A running one has placed its libraries already."""
    return bool(arguments.new_process or arguments.confined)


def _reason_without_display(environment: Mapping[str, str]) -> str:
    """Return the reason why no window can open here, with advice; empty if one can, as far as is known."""
    from liven.app.doctor.display import NO_DISPLAY, TO_HAVE_ONE, has_display

    asked = environment.get("QT_QPA_PLATFORM")  # an explicit platform is the user's choice
    return "" if asked or has_display(environment) else f"{NO_DISPLAY} → {TO_HAVE_ONE}"
