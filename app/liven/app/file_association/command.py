"""`liven register-files`: open .liveobject files by double-click, and liven: links by click, with this
program."""

from __future__ import annotations

import argparse
import json
import os
import sys

from liven.runtime.exit_codes import ENVIRONMENT, OK


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven register-files`."""
    parser.add_argument("--undo", action="store_true", help="undo the registration")
    parser.add_argument("--json", action="store_true", help="print the file names as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Write or remove the files, for this user only."""
    from liven.app.file_association.registration import DesktopFolders, register, unregister

    places = DesktopFolders.of_user(os.environ)
    try:
        files = unregister(places) if arguments.undo else register(places)
    except OSError as error:
        from liven.runtime.os_error_text import explain_os_error

        print(f"liven register-files: {explain_os_error(error, places.data)}", file=sys.stderr)
        return ENVIRONMENT
    if arguments.json:
        print(json.dumps({"undo": arguments.undo, "files": [str(path) for path in files]}))
        return OK
    done = "removed or changed" if arguments.undo else "written"
    for path in files:
        print(f"{done}: {path}")
    if arguments.undo:
        print(".liveobject files are no longer opened by Liven." if files else "Nothing was registered.")
    else:
        print(".liveobject files now open by double-click. To undo this: --undo")
    return OK
