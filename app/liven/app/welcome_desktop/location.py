"""The file with the user's welcome desktop, created at the first run."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from liven.app.welcome_desktop.content import first_desktop
from liven.liveobjects.channel.api.names import fresh_name
from liven.runtime.reference.xml import write
from liven.runtime.user_folders import UserFolders

NAME = "Welcome"
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS)
"""What file systems say that cannot give a file a second name."""


def home_desktop(folders: UserFolders) -> Path:
    """Return the file with the user's welcome desktop, creating it, with new channels, if necessary."""
    path = folders.data / "objects" / f"{NAME}.liveobject"
    if not path.exists():
        save_new(path, write(first_desktop(NAME, fresh_name())))
    return path


def _put(fresh: Path, path: Path) -> None:
    """Rename a new file to its final name; raise FileExistsError if that is taken."""
    try:
        os.link(fresh, path)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if path.exists():
            raise FileExistsError(path) from None
        fresh.replace(path)


def save_new(path: Path, data: bytes) -> None:
    """Write a complete file unless another program creates it first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with fresh.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        _put(fresh, path)
    except FileExistsError:
        return
    finally:
        fresh.unlink(missing_ok=True)
