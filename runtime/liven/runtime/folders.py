"""Where the user's files are: config, data, state, cache and sockets.

`LIVEN_HOME` puts all of them below one folder, for a trial run or a second identity.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Folders:
    """The five folders of a user; none is made before something is written there."""

    config: Path
    """`config.toml` and `registry/`"""
    data: Path
    """`libraries/` and `objects/`"""
    state: Path
    """`logs/` and `feeds/`"""
    cache: Path
    """may be deleted at any time"""
    runtime: Path
    """sockets; gone after a restart of the machine"""

    @classmethod
    def below(cls, home: Path) -> Folders:
        """All five below one folder."""
        return cls(home / "config", home / "data", home / "state", home / "cache", home / "run")

    @classmethod
    def of_user(cls, environment: Mapping[str, str]) -> Folders:
        """The folders that the system keeps for programs of this user."""
        home = environment.get("LIVEN_HOME")
        if home:
            return cls.below(Path(home).expanduser().resolve())
        from platformdirs import PlatformDirs  # costs 10 ms, which `LIVEN_HOME` need not pay

        dirs = PlatformDirs("liven", appauthor=False)
        sockets = environment.get("XDG_RUNTIME_DIR")
        return cls(
            dirs.user_config_path,
            dirs.user_data_path,
            dirs.user_state_path,
            dirs.user_cache_path,
            # Without a login session there is no private runtime folder; the cache at least is the user's.
            Path(sockets) / "liven" if sockets else dirs.user_cache_path / "run",
        )

    def items(self) -> list[tuple[str, Path]]:
        """The folders with their names, in the order above."""
        return [
            ("config", self.config),
            ("data", self.data),
            ("state", self.state),
            ("cache", self.cache),
            ("runtime", self.runtime),
        ]
