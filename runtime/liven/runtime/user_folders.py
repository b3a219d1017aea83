"""The folders of the user's files: config, data, state, cache and sockets.

`LIVEN_HOME` puts all of them below one folder, for a trial run or a second identity.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


class NoHomeError(OSError):
    """There is no folder for the user's files."""


def _home(named: str) -> Path:
    try:
        return Path(named).expanduser().resolve()
    except RuntimeError:
        raise NoHomeError(f"LIVEN_HOME={named!r} names a user that does not exist") from None


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
    """For sockets; deleted when the machine restarts."""

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
            # Without a login session there is no private runtime folder; the cache is at least private.
            Path(sockets) / "liven" if sockets else dirs.user_cache_path / "run",
        )

    def items(self) -> list[tuple[str, Path]]:
        """Return the folders with their names, in the order above."""
        return [
            ("config", self.config),
            ("data", self.data),
            ("state", self.state),
            ("cache", self.cache),
            ("runtime", self.runtime),
        ]
