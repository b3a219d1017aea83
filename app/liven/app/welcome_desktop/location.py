"""The file with the user's welcome desktop, created at the first run."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from liven.app.welcome_desktop.content import first_desktop
from liven.liveobjects.channel.api.names import fresh_name
from liven.runtime.files import PRIVATE, create_file
from liven.runtime.reference.xml import write
from liven.runtime.user_folders import UserFolders

NAME = "Welcome"


def home_desktop(folders: UserFolders) -> Path:
    """Return the file with the user's welcome desktop, creating it, with new channels, if necessary."""
    path = folders.data / "objects" / f"{NAME}.liveobject"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):  # another program was faster
            create_file(path, write(first_desktop(NAME, fresh_name())), PRIVATE)
    return path
