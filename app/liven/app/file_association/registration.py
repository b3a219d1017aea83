"""The files of the registration, all in the user's own folders."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from liven.app.file_association.desktop_entries import (
    DESKTOP_FILE,
    ICON,
    MIME,
    MIME_PACKAGE,
    SCHEME,
    desktop_entry,
    quoted,
)
from liven.app.file_association.mimeapps_list import SECTION, with_defaults, without
from liven.runtime.files import write_file

TYPES = (MIME, SCHEME)
_WITHIN = 60.0


@dataclass(frozen=True, slots=True)
class DesktopFolders:
    """The folders that the desktop environment searches."""

    data: Path
    config: Path

    @classmethod
    def of_user(cls, environment: Mapping[str, str]) -> DesktopFolders:
        home = Path(environment.get("HOME") or Path.home())
        data = environment.get("XDG_DATA_HOME") or home / ".local" / "share"
        return cls(Path(data), Path(environment.get("XDG_CONFIG_HOME") or home / ".config"))

    @property
    def texts(self) -> dict[Path, str]:
        """Return every file that only we write, with its contents."""
        command = f"{quoted(sys.executable)} -m liven.app.main"
        icons = self.data / "icons" / "hicolor" / "scalable"
        return {
            self.data / "mime" / "packages" / "liven.xml": MIME_PACKAGE,
            self.data / "applications" / DESKTOP_FILE: desktop_entry(command),
            icons / "apps" / "liven.svg": ICON,
            icons / "mimetypes" / "application-x-liveobject+xml.svg": ICON,
        }

    @property
    def defaults(self) -> Path:
        """The list of default programs, shared with all other programs."""
        return self.config / "mimeapps.list"


def register(places: DesktopFolders) -> list[Path]:
    """Write all files and return them; OSError names the one that failed."""
    for path, text in places.texts.items():
        _write(path, text)
    _write(places.defaults, with_defaults(_read(places.defaults), TYPES, DESKTOP_FILE))
    _refresh(places)
    return [*places.texts, places.defaults]


def unregister(places: DesktopFolders) -> list[Path]:
    """Undo the registration; return the files that were removed or changed."""
    gone = [path for path in places.texts if path.exists()]
    for path in gone:
        path.unlink()
    before = _read(places.defaults)
    after = without(before, TYPES, DESKTOP_FILE)
    if after != before:
        if after.strip() not in ("", SECTION):
            _write(places.defaults, after)
        else:
            places.defaults.unlink()
        gone.append(places.defaults)
    _refresh(places)
    return gone


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except FileNotFoundError:
        return ""


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, text.encode(errors="surrogateescape"))


def _refresh(places: DesktopFolders) -> None:
    """Update the caches of the desktop environment, where its tools are installed."""
    for tool, folder in (
        ("update-mime-database", places.data / "mime"),
        ("update-desktop-database", places.data / "applications"),
    ):
        found = shutil.which(tool)
        if found and folder.is_dir():
            subprocess.run([found, str(folder)], capture_output=True, timeout=_WITHIN, check=False)
