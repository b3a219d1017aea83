"""`liven demo`: show two programs side by side on one desktop. Without a display, run them invisibly and save
a picture."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from liven.app.doctor.display import QT_PACKAGES, has_display, try_window
from liven.runtime.exit_codes import ENVIRONMENT, NO, OK
from liven.runtime.user_folders import UserFolders


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven demo`."""
    parser.add_argument(
        "--offscreen", action="store_true", help="run without a display, even if there is one"
    )
    parser.add_argument(
        "--picture", type=Path, metavar="FILE", help="the file for the picture of the demo without a display"
    )


def run(arguments: argparse.Namespace) -> int:
    """Show the windows, or run invisibly where no window can open."""
    why = _reason_for_headless(offscreen=arguments.offscreen)
    folders = UserFolders.of_user(os.environ)
    if not why:
        from liven.app.demo.side_by_side import show

        print("liven demo: two programs open on one desktop; close both windows to end", flush=True)
        return show(folders)
    good, words = try_window({**os.environ, "QT_QPA_PLATFORM": "offscreen"})
    if not good:
        print(
            f"liven demo: Qt does not start: {words}\nTry: apt install {QT_PACKAGES}",
            file=sys.stderr,
        )
        return ENVIRONMENT
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from liven.app.demo.headless import DemoError, UnsavedError, run_headless

    print(f"liven demo: {why}; running two programs without a display", flush=True)
    try:
        picture = run_headless(arguments.picture or folders.cache / "demo.png")
    except DemoError as error:
        print(f"liven demo: {error}", file=sys.stderr)
        return ENVIRONMENT if isinstance(error, UnsavedError) else NO
    print(
        "liven demo: text written in one program appeared in the other and survived a restart\n"
        f"liven demo: saved a picture: {picture}"
    )
    return OK


def _reason_for_headless(*, offscreen: bool) -> str:
    """Return the reason why the demo must run without a display; empty if it can show windows."""
    if offscreen:
        return "you asked for no windows (--offscreen)"
    if os.environ.get("QT_QPA_PLATFORM") == "offscreen":
        return "QT_QPA_PLATFORM=offscreen is set, so no window can be seen"
    if not has_display(os.environ):
        return "there is no display"
    good, words = try_window(os.environ)
    return "" if good else f"no window can open here ({words})"
