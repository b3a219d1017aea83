"""The place in an author's code where an error was raised, and the traceback that leads there.

An author's code is all code that is neither ours nor Python's own. Our own frames before the author's first
line are left out, because they tell an author nothing.
"""

from __future__ import annotations

import sysconfig
import traceback
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Final

_OURS: Final = frozenset({"liven", "importlib"})
_PYTHONS: Final = tuple(
    {f"{sysconfig.get_path(name)}/" for name in ("stdlib", "platstdlib", "purelib", "platlib")}
)
_BUNDLE: Final = "liven_bundle_"


def author_line(error: BaseException) -> str:
    """Return `, at FILE:LINE in FUNCTION`, to follow the error: the deepest place in the author's code
    that it passed through. Empty if there is none."""
    found = list(_authors(error))
    if not found:
        return ""
    last = found[-1]
    code = last.tb_frame.f_code
    return f", at {_file(last.tb_frame)}:{last.tb_lineno} in {code.co_name}"


def author_frames(error: BaseException) -> str:
    """Return the traceback, from the author's first line on if there is one."""
    first = next(_authors(error), error.__traceback__)
    return "".join(traceback.format_exception(type(error), error, first))


def _authors(error: BaseException) -> Iterator[TracebackType]:
    step = error.__traceback__
    while step is not None:
        if _is_authors(step.tb_frame):
            yield step
        step = step.tb_next


def _is_authors(frame: FrameType) -> bool:
    name = str(frame.f_globals.get("__name__")).partition(".")[0]
    file = frame.f_code.co_filename
    return name not in _OURS and not file.startswith(("<", *_PYTHONS))


def _file(frame: FrameType) -> str:
    """Return a library's file by its place in the library, as its author knows it;
    any other as Python names it."""
    name, _, module = str(frame.f_globals.get("__name__")).partition(".")
    file = frame.f_code.co_filename
    if not name.startswith(_BUNDLE):
        return file
    parts = file.replace("\\", "/").split("/")
    depth = module.count(".") + (2 if parts[-1] == "__init__.py" else 1)
    return "/".join(parts[-depth:])
