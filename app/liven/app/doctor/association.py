"""The check whether double-clicking a `.liveobject` file starts this program."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from liven.app.doctor.finding import Finding, State
from liven.runtime.user_folders import UserFolders

MIME = "application/x-liveobject+xml"
_FIX = "liven register-files"
_GIVEN = ("[Default Applications]", "[Added Associations]", "[MIME Cache]")


def examine_association(environment: Mapping[str, str], _folders: UserFolders) -> Finding:
    """Check the default programs of the user and the system."""
    for place in _lists(environment):
        handler = _handler(place)
        if handler:
            return Finding("File association", State.OK, f".liveobject files open with {handler} ({place})")
    return Finding("File association", State.MISSING, "no program opens .liveobject files", _FIX)


def _lists(environment: Mapping[str, str]) -> list[Path]:
    home = Path(environment.get("HOME") or Path.home())
    config = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    data = Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share")
    system = (environment.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share").split(":")
    folders = [data, *map(Path, system)]
    return [config / "mimeapps.list", *(folder / "applications" / "mimeinfo.cache" for folder in folders)]


def _handler(place: Path) -> str:
    """Return the program that a list of defaults names for our files; empty if none."""
    try:
        lines = place.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    section = ""
    for line in lines:
        name, _, value = line.partition("=")
        section = name.strip() if name.startswith("[") else section
        if section in _GIVEN and name.strip() == MIME and value.strip(" ;"):
            return value.split(";")[0].strip()
    return ""
