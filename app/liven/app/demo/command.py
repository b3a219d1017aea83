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
    parser.add_argument("--offscreen", action="store_true", help="drive the demo unseen, even with a display")
    parser.add_argument(
        "--picture", type=Path, metavar="FILE", help="where the unseen demo saves its picture"
    )


def run(arguments: argparse.Namespace) -> int:
    """Show the windows, or run invisibly where no window can open."""
    why = _why_unseen(offscreen=arguments.offscreen)
    folders = UserFolders.of_user(os.environ)
    if not why:
        from liven.app.demo.side_by_side import show

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

    print(f"liven demo: {why}; driving two programs unseen", flush=True)
    try:
        picture = run_headless(arguments.picture or folders.cache / "demo.png")
    except DemoError as error:
        print(f"liven demo: {error}", file=sys.stderr)
        return ENVIRONMENT if isinstance(error, UnsavedError) else NO
    print(
        "liven demo: what was written in one program stood in the other, and it was there again afterwards;\n"
        f"liven demo: its picture is {picture}"
    )
    return OK


def _why_unseen(*, offscreen: bool) -> str:
    """Return the reason why the demo must run without a display; empty if it can show windows."""
    if offscreen or os.environ.get("QT_QPA_PLATFORM") == "offscreen":
        return "asked to stay off the screen"
    if not has_display(os.environ):
        return "there is no display here"
    good, words = try_window(os.environ)
    return "" if good else f"no window can open here ({words})"
