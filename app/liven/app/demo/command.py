"""`liven demo`: opens the program; without a display it drives the same steps and saves a picture."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from liven.app.doctor.display import has_display, try_window
from liven.runtime.folders import Folders

OK, ENVIRONMENT = 0, 3


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `liven demo`."""
    parser.add_argument("--offscreen", action="store_true", help="drive the demo unseen, even with a display")
    parser.add_argument(
        "--picture", type=Path, metavar="FILE", help="where the unseen demo saves its picture"
    )


def run(arguments: argparse.Namespace) -> int:
    """Shows the window, or drives it unseen where no window can open."""
    why = _why_unseen(offscreen=arguments.offscreen)
    if not why:
        from liven.app.shell import show

        return show()
    good, words = try_window({**os.environ, "QT_QPA_PLATFORM": "offscreen"})
    if not good:
        print(
            f"liven demo: Qt does not start: {words}\nTry: apt install libegl1 libgl1 libfontconfig1",
            file=sys.stderr,
        )
        return ENVIRONMENT
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from liven.app.demo.rehearsal import RehearsalError, rehearse
    from liven.app.shell import examination

    print(f"liven demo: {why}; driving the window unseen", flush=True)
    try:
        folders = Folders.of_user(os.environ)
        picture = rehearse(arguments.picture or folders.cache / "demo.png", examination(folders))
    except RehearsalError as error:
        print(f"liven demo: {error}", file=sys.stderr)
        return ENVIRONMENT
    print(f"liven demo: went well; its picture is {picture}")
    return OK


def _why_unseen(*, offscreen: bool) -> str:
    """Why the demo must run without a screen; empty when it need not."""
    if offscreen or os.environ.get("QT_QPA_PLATFORM") == "offscreen":
        return "asked to stay off the screen"
    if not has_display(os.environ):
        return "there is no display here"
    good, words = try_window(os.environ)
    return "" if good else f"no window can open here ({words})"
