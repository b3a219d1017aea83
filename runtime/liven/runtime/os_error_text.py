"""The system's error about a file or disk as one sentence: where, what, and what to do."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Final

_ADVICE: Final = {
    errno.EISDIR: "name a file in it",
    errno.EACCES: "change its permissions, or choose another place",
    errno.EPERM: "change its permissions, or choose another place",
    errno.EROFS: "choose another place",
    errno.ENOSPC: "free some space on that disk and try again",
    errno.EDQUOT: "free some space on that disk and try again",
    errno.ENOTDIR: "a part of that path is a file, not a folder",
}


def explain_os_error(error: OSError, where: object = "") -> str:
    """Return the sentence; `where` replaces a name that the system did not give."""
    place = error.filename if error.filename is not None else where
    what = error.strerror or str(error) or type(error).__name__
    advice = _ADVICE.get(error.errno or 0, "")
    return f"{place}: {what}{'; ' if advice else ''}{advice}" if str(place) else what


def reason_unreadable(path: Path) -> str:
    """Return the sentence for a file that cannot be read; empty if it can be.

    A pipe is not opened, since that may block.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            return f"{path}: it is not a file; name one"
        path.open("rb").close()
    except OSError as error:
        return explain_os_error(error, path)
    return ""
