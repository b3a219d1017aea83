"""The user's `config.toml`, with one table for each part of the program."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

from liven.runtime.files import read_regular
from liven.runtime.os_error_text import explain_os_error

NAME: Final = "config.toml"
LIBRARIES: Final = "libraries"
CONFINE: Final = "confine"
PRIVATE_HOSTS: Final = "private_hosts"
LIBRARY_SETTINGS: Final = (CONFINE, PRIVATE_HOSTS)
"""The names in the table of libraries, each of which is read where it is used."""
LARGEST: Final = 1 << 20


def section(
    path: Path, name: str, known: Collection[str], refused: Callable[[str], Exception]
) -> dict[str, object]:
    """Return one table of the file; empty if there is no file.

    Errors, such as a name not in `known`, are raised as the exception that `refused` makes of a message.
    """
    try:
        content = tomllib.loads(read_regular(path, LARGEST).decode())
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise refused(
            f"{path} cannot be read: {explain_os_error(error).removeprefix(f'{path}: ')}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise refused(f"{path} cannot be read: {error}") from error
    found = content.get(name, {})
    if not isinstance(found, dict):
        raise refused(f"{path}: {name} is not a table; write [{name}] on a line of its own")
    for each in found:
        if each not in known:
            there = ", ".join(sorted(known))
            raise refused(f"{path}: {name}.{each} is not a setting; valid names: {there}")
    return found
