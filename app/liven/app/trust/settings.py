"""The table `[libraries]` of `config.toml`: the hosts of the own network that libraries may come from."""

from __future__ import annotations

from pathlib import Path

from liven.app import config_file
from liven.app.config_file import LIBRARIES, LIBRARY_SETTINGS, PRIVATE_HOSTS


class LibrarySettingError(ValueError):
    """The setting cannot be used; the message says why."""


def read_private_hosts(config: Path) -> frozenset[str]:
    """Return the hosts that the person has named, each HOST or HOST:PORT; raise LibrarySettingError."""
    path = config / config_file.NAME
    found = config_file.section(path, LIBRARIES, LIBRARY_SETTINGS, LibrarySettingError).get(PRIVATE_HOSTS, [])
    if not isinstance(found, list) or not all(isinstance(one, str) and one.strip() for one in found):
        raise LibrarySettingError(
            f"{path}: {LIBRARIES}.{PRIVATE_HOSTS} is {found!r}; write a list of hosts, such as"
            ' ["intranet:8080"]'
        )
    return frozenset(one.strip().lower() for one in found)
