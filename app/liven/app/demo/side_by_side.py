"""The demo on a screen: two programs on the user's own desktop, side by side."""

from __future__ import annotations

from liven.app.instance.spawn import another
from liven.app.welcome_desktop.location import home_desktop
from liven.runtime.user_folders import UserFolders

ENVIRONMENT = 3


def show(folders: UserFolders) -> int:
    """Opens the first, which opens the second beside it once it shows something, and waits until the first is
    closed. Ctrl-C in the terminal closes the first; the second goes on, as any other program."""
    first = another(home_desktop(folders), "--place", "both")
    if first is None:
        return ENVIRONMENT
    try:
        return first.wait()
    except KeyboardInterrupt:
        first.terminate()
        return first.wait()
