"""The format of a log: its number is looked at before anything else, so that no version misreads another's.

The number covers everything in the log: frames, records, and what channels write into them. It is in the
first bytes of each frame. A log of another format is not opened for writing, not adopted and not repaired.
"""

from __future__ import annotations

from pathlib import Path

from liven.liveobjects.channel.store.frames import FORMAT, MAGIC, format_of
from liven.liveobjects.channel.store.segments import segment_files
from liven.runtime.problems import Kind, Problem


def other_format(folder: Path) -> int | None:
    """Return the format of a log that another version wrote; None if the log is of the present format, empty
    or unreadable. A single changed byte does not turn a log of several frames into another format."""
    found = None
    try:
        for name, _ in segment_files(folder):
            with (folder / name).open("rb") as file:
                number = format_of(file.read(len(MAGIC)))
                if number == FORMAT or (number is not None and MAGIC in file.read()):
                    return None
            found = found or number
    except OSError:
        return None
    return found


def other_version(folder: Path, number: int) -> Problem:
    """Return the problem that a log was written by another version."""
    what = (
        f"the log in {folder} was written by another version of Liven"
        f" (format {number}; this version reads format {FORMAT}), so what only it holds is missing here"
    )
    advice = "it is left as it is: open it with that version, or delete the folder if you do not need it"
    return Problem(Kind.RAISED, ("channels", "store"), what, advice)
