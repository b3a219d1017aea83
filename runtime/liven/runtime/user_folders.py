"""The folders of the user's files: config, data, state, cache and sockets.

`LIVEN_HOME` puts all of them below one folder, for a trial run or a second identity.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_OTHERS: Final = 0o077
"""The permissions of everybody but the owner."""
SESSIONS = Path("/run/user")
"""Holds a folder for each user who is logged in; see pam_systemd(8)."""


class NoHomeError(OSError):
    """There is no folder for the user's files."""


def _home(named: str) -> Path:
    try:
        home = Path(named).expanduser()
    except RuntimeError:
        raise NoHomeError(f"LIVEN_HOME={named!r} names a user that does not exist") from None
    try:
        home.stat()
    except OSError as error:
        if error.errno == errno.ELOOP:  # resolve() raises for it, or returns it, by the version of Python
            raise NoHomeError(f"LIVEN_HOME={named!r} is a link that leads to itself") from None
    return home.resolve()


def _session_folder(named: str | None) -> Path | None:
    """Return the folder of the login session for sockets, or None if the machine has none.

    A program that was started without the session's environment, as by cron, finds the same folder as the
    others: two membership services of one user would be two histories.
    """
    if named:
        return Path(named) / "liven"
    folder = SESSIONS / str(os.getuid())
    try:
        found = folder.stat()
    except OSError:
        return None
    is_private = found.st_uid == os.getuid() and not stat.S_IMODE(found.st_mode) & _OTHERS
    return folder / "liven" if is_private else None


@dataclass(frozen=True, slots=True)
class UserFolders:
    """The five folders of a user; none is created before something is written there."""

    config: Path
    """For `config.toml` and `registry/`."""
    data: Path
    """For `libraries/` and `objects/`."""
    state: Path
    """For `logs/` and `feeds/`."""
    cache: Path
    """May be deleted at any time."""
    runtime: Path
    """For sockets and locks; usually deleted when the machine restarts."""

    @classmethod
    def below(cls, home: Path) -> UserFolders:
        """Return all five below one folder."""
        return cls(home / "config", home / "data", home / "state", home / "cache", home / "run")

    @classmethod
    def of_user(cls, environment: Mapping[str, str]) -> UserFolders:
        """Return the folders that the system keeps for programs of this user; raise NoHomeError.

        `environment` gives `LIVEN_HOME` (relative to the current folder) and `XDG_RUNTIME_DIR`; for the rest
        platformdirs reads the process's own environment.
        """
        home = environment.get("LIVEN_HOME", "").strip()
        if home:
            return cls.below(_home(home))
        from platformdirs import PlatformDirs  # importing it takes 10 ms, which `LIVEN_HOME` avoids

        try:
            dirs = PlatformDirs("liven", appauthor=False)
            dirs.user_data_path  # noqa: B018 - asks who the user is, which may have no answer
        except RuntimeError as error:
            raise NoHomeError(f"this user has no home folder ({error}); set LIVEN_HOME to a folder") from None
        sockets = environment.get("XDG_RUNTIME_DIR")
        return cls(
            dirs.user_config_path,
            dirs.user_data_path,
            dirs.user_state_path,
            dirs.user_cache_path,
            _session_folder(sockets) or dirs.user_state_path / "run",
        )

    def close_to_others(self) -> None:
        """Keep other users out of the folders that exist already, also out of those that an earlier version
        made. A folder that belongs to somebody else stays as it is."""
        for _name, folder in tuple(self.items()):
            with suppress(OSError):
                found = folder.stat()
                if found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) & _OTHERS:
                    folder.chmod(stat.S_IMODE(found.st_mode) & ~_OTHERS)

    def items(self) -> list[tuple[str, Path]]:
        """Return the folders with their names, in the order above."""
        return [
            ("config", self.config),
            ("data", self.data),
            ("state", self.state),
            ("cache", self.cache),
            ("runtime", self.runtime),
        ]
