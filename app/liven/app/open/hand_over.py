"""The fast path of `liven open`: handing files to the running program.

This module must not import anything slow: no Qt, no XML, no argument parser.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from liven.app.instance.client import StuckError, send_files
from liven.app.instance.peer_user import StrangeFolderError
from liven.app.opening.link_url import LinkError, file_of, is_link, read_link
from liven.runtime.exit_codes import BAD_USE, ENVIRONMENT, NO, OK
from liven.runtime.files import open_regular
from liven.runtime.user_folders import UserFolders

_FROM_ICON = "--from-icon"


def hand_over(words: Sequence[str]) -> int | None:
    """Hand the files of a command line to the running program and return the exit code.

    Return None without printing anything if no program runs, if no file is readable, or if there are other
    options: the full command then takes over.
    """
    from_icon = words[:1] == [_FROM_ICON]
    names = words[1:] if from_icon else words
    if any(name.startswith("-") for name in names):
        return None
    files = [absolute(name) for name in names]
    good = files if from_icon else [name for name in files if not reason_unreadable(name)]
    if files and not good:
        return None
    try:
        problems = send_files(UserFolders.of_user(os.environ).runtime, good, tell=not from_icon)
    except (StuckError, StrangeFolderError) as error:
        return report_in_window(error) if from_icon else complain(str(error), ENVIRONMENT)
    if problems is None:
        return None
    code = OK if from_icon else without_faults(files, reason_unreadable, BAD_USE)[1]
    return max([code, *(complain(problem, NO) for problem in problems)])


def absolute(name: str) -> str:
    """Return the absolute path of a file; links are returned unchanged."""
    return name if is_link(name) else str(_path(name))


def without_faults(files: Sequence[str], fault: Callable[[str], str], code: int) -> tuple[list[str], int]:
    """Print the fault of each bad file; return the good files and the worst exit code."""
    faults = {name: fault(name) for name in files}
    codes = [complain(why, code) for why in faults.values() if why]
    return [name for name in files if not faults[name]], max(codes, default=OK)


def complain(text: str, code: int) -> int:
    """Print why something cannot be opened; return the exit code."""
    sys.stderr.write(f"liven open: {text}\n")
    return code


def report_in_window(why: BaseException | None) -> int:
    """Show in a window why nothing opens, for users who clicked an icon and see no terminal."""
    from liven.app.qt_application import report_start_failure  # loads Qt, which handing over does not need

    report_start_failure(str(why))
    return complain(str(why), ENVIRONMENT)


def reason_unreadable(name: str) -> str:
    """Return the reason why a file or link cannot be read; empty if it can."""
    path: Path | bytes = Path(name)
    try:
        if is_link(name):
            path = read_link(name)
        if isinstance(path, Path):
            open_regular(path).close()
    except LinkError as error:
        return f"{name[:60]} is not a link to an object: {error}"
    except OSError as error:
        return f"{error.filename}: {error.strerror or error}"
    return ""


def _path(name: str) -> Path:
    """Return the path of a file on the command line. Desktops pass `file:` URLs."""
    found = file_of(name) if name[:5].lower() == "file:" else None
    return found or Path(name).absolute()
