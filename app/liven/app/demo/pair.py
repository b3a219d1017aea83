"""The demo on a screen: two programs on the user's own desktop, side by side."""

from __future__ import annotations

from liven.app.desk.another import another, wait_for
from liven.app.lesson.place import home_desktop
from liven.runtime.folders import Folders

ENVIRONMENT = 3


def show(folders: Folders) -> int:
    """Opens both and waits until they are closed; Ctrl-C in the terminal closes them."""
    file = home_desktop(folders)
    programs = [started for side in ("left", "right") if (started := another(file, "--place", side))]
    if len(programs) < 2:
        return ENVIRONMENT
    try:
        return wait_for(programs)
    except KeyboardInterrupt:
        for program in programs:
            program.terminate()
        return wait_for(programs)
