"""The user of this program: a key, made at the first run, that identifies the author of an edit, and a
name."""

from __future__ import annotations

import getpass
import re
import secrets
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

from liven.runtime.files import create_file, read_regular, write_file
from liven.runtime.os_error_text import explain_os_error

_KEY = re.compile(r"[0-9a-f]{32}")
_LONGEST = 60
_REMARK = "# The user of this account. You may change the name; the key identifies your edits to others."


class PersonError(OSError):
    """Raised when `person.toml` cannot be used."""


@dataclass(frozen=True, slots=True)
class Person:
    """One user of this machine."""

    key: str
    """32 hexadecimal digits, the same in every run."""
    name: str
    slot: int = 1
    """The number of this program among those that the user runs at the same time."""

    @property
    def known_as(self) -> str:
        """The name that others see. Additional programs of the user add their number."""
        return self.name if self.slot == 1 else f"{self.name} {self.slot}"

    @property
    def colour(self) -> str:
        """The colour of this user's caret and cursor, as #rrggbb. It depends on the key and on the number of
        the program; neighbouring numbers get clearly different colours."""
        hue = int(self.key[:4], 16) / 0x10000
        return _COLOURS[(int(hue * len(_COLOURS)) + _APART * (self.slot - 1)) % len(_COLOURS)]


_LARGEST_FILE = 64 * 1024
_COLOURS = ("#c0392b", "#b9770e", "#7d8c1a", "#1e8449", "#148f77", "#2471a3", "#6c3483", "#ad1457")
_APART = 3
"""Coprime to the number of colours, so that all are used before one repeats."""


def person(config: Path) -> Person:
    """Read the user from `person.toml`, creating the file, readable by the user only, if there is none."""
    path = config / "person.toml"
    try:
        found = tomllib.loads(read_regular(path, _LARGEST_FILE).decode())
    except FileNotFoundError:
        return _first(path)
    except (OSError, ValueError, RecursionError) as error:
        raise PersonError(f"{path} cannot be read: {error}; correct it or move it away") from None
    key, name = found.get("key"), found.get("name")
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise PersonError(f"{path} has no key of 32 hexadecimal digits; correct it or move it away")
    return Person(key, name.strip()[:_LONGEST] if isinstance(name, str) and name.strip() else _login())


def rename(config: Path, one: Person, name: str) -> Person:
    """Save a new name and return the renamed user. On PersonError nothing has changed."""
    path, plain = config / "person.toml", "".join(sign for sign in name if sign.isprintable()).strip()
    if not plain:
        raise PersonError("a name needs at least one letter")
    made = replace(one, name=plain[:_LONGEST].strip())
    text = f'{_REMARK}\nkey = "{made.key}"\nname = {_quoted(made.name)}\n'
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, text.encode(), 0o600)
    except OSError as error:
        raise PersonError(f"it could not be saved: {explain_os_error(error, path)}") from None
    return made


def _first(path: Path) -> Person:
    made = Person(secrets.token_hex(16), _login())
    path.parent.mkdir(parents=True, exist_ok=True)
    text = f'{_REMARK}\nkey = "{made.key}"\n'
    try:
        create_file(path, (text + f"name = {_quoted(made.name)}\n").encode(), 0o600)
    except FileExistsError:
        if not path.exists():
            raise PersonError(f"{path} links to a missing file; correct it or move it away") from None
        return person(path.parent)  # another program, started at the same time, was faster
    return made


def _login() -> str:
    try:
        return getpass.getuser()[:_LONGEST]
    except (KeyError, OSError):
        return "somebody"


def _quoted(name: str) -> str:
    plain = "".join(letter if letter.isprintable() else " " for letter in name)
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'
