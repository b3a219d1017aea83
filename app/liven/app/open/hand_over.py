"""Handing files to the program that runs: what `liven open` does most, and all that it loads for that.

Nothing is imported here that is slow to import: neither Qt, nor XML, nor the parser of the command line.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from liven.app.instance.client import StuckError, ring
from liven.app.opening.link_url import LinkError, file_of, is_link, read_link
from liven.app.opening.regular_file import opened
from liven.runtime.user_folders import UserFolders

OK, NO, BAD_USE, ENVIRONMENT = 0, 1, 2, 3
_FROM_ICON = "--from-icon"


def hand_over(words: Sequence[str]) -> int | None:
    """Hands over what the command line names, if a program runs: the exit code. None, and not a word to
    anybody, where none runs, where nothing is left to hand over, or where other options are given."""
    from_icon = words[:1] == [_FROM_ICON]
    names = words[1:] if from_icon else words
    if any(name.startswith("-") for name in names):
        return None
    files = [absolute(name) for name in names]
    good = files if from_icon else [name for name in files if not unread(name)]
    if files and not good:
        return None
    try:
        problems = ring(UserFolders.of_user(os.environ).runtime, good, tell=not from_icon)
    except StuckError as error:
        return said_in_window(error) if from_icon else complain(str(error), ENVIRONMENT)
    if problems is None:
        return None
    code = OK if from_icon else told(files, unread, BAD_USE)[1]
    return max([code, *(complain(problem, NO) for problem in problems)])


def absolute(name: str) -> str:
    """A link as it is; a file by its path from the root."""
    return name if is_link(name) else str(_path(name))


def told(files: Sequence[str], fault: Callable[[str], str], code: int) -> tuple[list[str], int]:
    """The files without fault; the code, and a line for each of the others."""
    faults = {name: fault(name) for name in files}
    codes = [complain(why, code) for why in faults.values() if why]
    return [name for name in files if not faults[name]], max(codes, default=OK)


def complain(text: str, code: int) -> int:
    """Says why something is not opened; returns the code."""
    sys.stderr.write(f"liven open: {text}\n")
    return code


def said_in_window(why: BaseException | None) -> int:
    """Says why nothing opens to somebody who clicked an icon, and reads no terminal."""
    from liven.app.qt_application import say_why  # Qt, which a hand-over does not need

    say_why(str(why))
    return complain(str(why), ENVIRONMENT)


def unread(name: str) -> str:
    """Why there is nothing to read; empty where there is."""
    path: Path | bytes = Path(name)
    try:
        if is_link(name):
            path = read_link(name)
        if isinstance(path, Path):
            opened(path).close()
    except LinkError as error:
        return f"{name[:60]} is no link to an object: {error}"
    except OSError as error:
        return f"{error.filename}: {error.strerror or error}"
    return ""


def _path(name: str) -> Path:
    """A file as the command line names it; desktops hand over `file:` URLs."""
    found = file_of(name) if name[:5].lower() == "file:" else None
    return found or Path(name).absolute()
