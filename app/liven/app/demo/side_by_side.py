"""The demo with a display: two programs side by side on the user's own desktop."""

from __future__ import annotations

from liven.app.instance.spawn import spawn
from liven.app.welcome_desktop.location import home_desktop
from liven.runtime.exit_codes import ENVIRONMENT
from liven.runtime.user_folders import UserFolders


def show(folders: UserFolders) -> int:
    """Start the first program, which starts the second, and wait until the first ends.

    Ctrl-C in the terminal ends the first one; the second keeps running.
    """
    first = spawn(home_desktop(folders), "--place", "both")
    if first is None:
        return ENVIRONMENT
    try:
        return first.wait()
    except KeyboardInterrupt:
        first.terminate()
        return first.wait()
