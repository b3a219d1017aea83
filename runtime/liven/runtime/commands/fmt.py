"""`liven fmt`: write files in the standard layout, so that they compare line by line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from liven.runtime.commands.input_file import load
from liven.runtime.exit_codes import BAD_USE, ENVIRONMENT, NO, OK
from liven.runtime.files import rewrite_file
from liven.runtime.os_error_text import explain_os_error
from liven.runtime.reference.errors import ReadError, WriteError
from liven.runtime.reference.xml import read, write


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("files", metavar="F", nargs="+", help="a .liveobject file; - filters standard input")
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if a file would")


def run(arguments: argparse.Namespace) -> int:
    """Format each file; return the worst of their exit codes."""
    return max(_format(name, check=arguments.check) for name in arguments.files)


def _format(name: str, *, check: bool) -> int:
    data = load(name)
    if data is None:
        return BAD_USE
    try:
        done = write(read(data))
    except (ReadError, WriteError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return NO
    if check:
        if done != data:
            print(f"{name}: would change")
        return NO if done != data else OK
    return _put(name, data, done)


def _put(name: str, data: bytes, done: bytes) -> int:
    if name == "-":
        sys.stdout.write(done.decode())
    elif done != data:
        try:
            rewrite_file(Path(name), done)
        except OSError as error:
            print(f"{explain_os_error(error, name)}; nothing was changed", file=sys.stderr)
            return ENVIRONMENT
        print(f"{name}: formatted")
    return OK
