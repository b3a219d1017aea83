"""`liven new`: write a live object that runs, with its test and a file that opens it."""

from __future__ import annotations

import argparse
import keyword
import os
import re
import secrets
import sys
from pathlib import Path

from liven.runtime.exit_codes import BAD_USE, ENVIRONMENT, OK
from liven.runtime.files import document_mode
from liven.runtime.os_error_text import explain_os_error

_NAME = re.compile(r"[A-Z][A-Za-z0-9]{0,60}")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("type", metavar="TYPE", help="the name of the class, such as Thermometer")
    parser.add_argument(
        "--in",
        dest="folder",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="the folder to write to",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write three files; return 2 for an invalid name or folder, 3 if they cannot be written.

    Never overwrite a file.
    """
    name: str = arguments.type
    if _NAME.fullmatch(name) is None or keyword.iskeyword(module_name(name)):
        print(f"{name!r} is not a valid class name; write it like Thermometer", file=sys.stderr)
        return BAD_USE
    if not arguments.folder.is_dir():
        print(f"{arguments.folder}: no such folder; make it first, or name another", file=sys.stderr)
        return BAD_USE
    from liven.runtime.commands.new_templates import new_files  # only needed for a valid name

    files = new_files(name, module_name(name), _fresh_id(), _fresh_id())
    taken = [path for path in files if os.path.lexists(arguments.folder / path)]
    if taken:
        print(f"{', '.join(taken)}: already there; nothing was written", file=sys.stderr)
        return BAD_USE
    return _write(arguments.folder, name, files)


def module_name(name: str) -> str:
    """Return `WeatherStation` as `weather_station`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _fresh_id() -> str:
    return secrets.token_hex(16).upper()


def _write(folder: Path, name: str, files: dict[str, str]) -> int:
    written: list[Path] = []
    try:
        for path, text in files.items():
            with (folder / path).open("x", encoding="utf-8") as file:
                written.append(folder / path)
                os.fchmod(file.fileno(), document_mode())
                file.write(text)
    except OSError as error:
        for path_ in written:
            path_.unlink(missing_ok=True)
        print(f"{explain_os_error(error, folder)}; nothing was written", file=sys.stderr)
        return ENVIRONMENT
    module, test, opener = files
    print(f"{name} is in {folder / module}. Try it:")
    print(f"  python -m pytest {folder / test}   # pytest comes with make build, or pip install pytest")
    print(f"  liven run {folder / opener} --module {folder / module} --log all --for 3")
    print(f"  liven library add {folder / module}")
    print(f"  liven open {folder / opener}")
    print("Its appearance is the function show; see “A lamp with a switch” in docs/author-guide-view.md.")
    return OK
