"""Hostile files in the user's own folders, as a broken backup or another program leaves them there.

Each names the function that reads it, and what comes of it: an error's sentence, or the value that stands for
"nothing there". The file itself must stay as it was.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from liven.app.appearance.settings import AppearanceError, read_appearance
from liven.app.identity.person import PersonError, person
from liven.app.network.object_limits import object_limits
from liven.app.network.settings import SettingError
from liven.app.opening.recent_files import RecentFiles
from liven.app.trust.path_store import PathStore
from liven.app.trust.trust_store import TrustStore
from liven.app.window.saved.crash_restore import CrashedWindows
from liven.liveobjects.channel.process.user_keys import UserKeyError, UserKeys
from liven.liveobjects.channel.store import Store
from liven.runtime.dispatcher import HandCranked
from liven.runtime.problems import Problems
from liven.runtime.process.session import Session
from liven.runtime.user_folders import UserFolders

DEEP = b"[" * 100_000
DIGITS = b"9" * 5_000
Read = Callable[[UserFolders], str]


@dataclass(frozen=True, slots=True)
class Settings:
    """One file: its place below the home, its content (None for a pipe), its reader, and what comes of it."""

    place: str
    data: bytes | None
    read: Read
    said: str
    kept: bool = True
    """False for a list that is dropped once it was read, whatever is in it."""

    def write(self, folders: UserFolders) -> Path:
        """Write the file."""
        path = folders.config.parent / self.place
        path.parent.mkdir(parents=True, exist_ok=True)
        if self.data is None:
            os.mkfifo(path)
        else:
            path.write_bytes(self.data)
        return path


def who(folders: UserFolders) -> str:
    try:
        return person(folders.config).name
    except PersonError as error:
        return str(error)


def limits(folders: UserFolders) -> str:
    try:
        return str(object_limits(folders.config))
    except SettingError as error:
        return str(error)


def looks(folders: UserFolders) -> str:
    try:
        return str(read_appearance(folders.config, {}))
    except AppearanceError as error:
        return str(error)


def keys(folders: UserFolders) -> str:
    try:
        return str(UserKeys.of_file(folders.config / "user.keys"))
    except (UserKeyError, OSError) as error:
        return str(error)


def trusted(folders: UserFolders) -> str:
    return f"{len(TrustStore.of(folders).entries())} trusted"


def paths(folders: UserFolders) -> str:
    return f"{len(PathStore.of(folders).entries())} allowed"


def recent(folders: UserFolders) -> str:
    return f"{len(RecentFiles(folders.state / 'recent.json').files())} recent"


def crashed(folders: UserFolders) -> str:
    return f"{len(CrashedWindows(folders.state / 'windows').windows)} windows"


def registry(folders: UserFolders) -> str:
    problems = Problems()
    session = Session.start(HandCranked(problems.report), problems, folders)
    assert session.installation is not None
    entries = [one for one in session.installation.registry.entries().values() if one.refused]
    told = " ".join(one.refused for one in entries)
    session.close()
    return told or "no refused entry"


def log(folders: UserFolders) -> str:
    problems: list[object] = []
    crank = HandCranked(problems.append)
    store = Store(folders.data / "channels" / "0", crank, lambda job: job(), problems.append)
    store.open("home/a/b").append([b"new"])
    crank.settle()
    kept = store.open("home/a/b").kept().entries
    store.close()
    return f"{len(kept)} entries, {' '.join(str(one) for one in problems)}"


_KEY = f'key = "{"ab" * 16}"\n'.encode()
_ENTRY = "config/registry/011E83FA6A9F426993BB8EF26FF7D7B8/entry.liveobject"
_LOG = "data/channels/0/00000001.log"
SETTINGS: dict[str, Settings] = {
    "person of random bytes": Settings("config/person.toml", bytes(range(256)), who, "cannot be read"),
    "person nested without end": Settings("config/person.toml", b"x = " + DEEP, who, "cannot be read"),
    "person with a huge number": Settings("config/person.toml", b"x = " + DIGITS, who, "cannot be read"),
    "person that is a pipe": Settings("config/person.toml", None, who, "pipe or a device"),
    "person of a megabyte": Settings("config/person.toml", b"#" * (1 << 20), who, "the limit is"),
    "person without a key": Settings("config/person.toml", b'name = "x"', who, "has no key of 32"),
    "person with a number for a name": Settings("config/person.toml", _KEY + b"name = 1", who, ""),
    "settings of random bytes": Settings("config/config.toml", bytes(range(256)), limits, "cannot be read"),
    "settings nested without end": Settings("config/config.toml", b"x = " + DEEP, limits, "cannot be read"),
    "settings with a huge number": Settings(
        "config/config.toml", b"[objects]\nburst_bytes = " + DIGITS, limits, "cannot be read"
    ),
    "settings that are no number": Settings(
        "config/config.toml", b"[objects]\nburst_bytes = nan", limits, "is not a number"
    ),
    "settings that are a pipe": Settings("config/config.toml", None, limits, "pipe or a device"),
    "settings that are no table": Settings("config/config.toml", b"objects = 1", limits, "is not a table"),
    "appearance of a wrong kind": Settings(
        "config/config.toml", b"[appearance]\ncontrast = [1]", looks, "contrast"
    ),
    "keys of three bytes": Settings("config/user.keys", b"abc", keys, "contains no valid keys"),
    "keys of a megabyte": Settings("config/user.keys", bytes(1 << 20), keys, "contains no valid keys"),
    "keys that are a pipe": Settings("config/user.keys", None, keys, "pipe or a device"),
    "trusted code nested without end": Settings("config/trusted.json", DEEP, trusted, "0 trusted"),
    "trusted code with a huge version": Settings(
        "config/trusted.json",
        b'[{"sha256": "a", "version": ' + DIGITS + b"}]",
        trusted,
        "0 t",
    ),
    "trusted code that is a pipe": Settings("config/trusted.json", None, trusted, "0 trusted"),
    "allowed paths of another kind": Settings("config/paths.json", b'[{"kind": "everything"}]', paths, "0"),
    "allowed paths nested without end": Settings("config/paths.json", DEEP, paths, "0 allowed"),
    "recent files that are no list": Settings("state/recent.json", b"7", recent, "0 recent"),
    "windows at infinity": Settings(
        "state/windows/1-a.json",
        b'[{"name": "x", "recipe": "", "area": [1e999, NaN, -1e999, 1]}]',
        crashed,
        "0 windows",
        kept=False,
    ),
    "registry entry of random bytes": Settings(_ENTRY, bytes(range(256)), registry, "not well-formed"),
    "registry entry with an entity bomb": Settings(
        _ENTRY, b'<!DOCTYPE a [<!ENTITY b "c">]><Root/>', registry, "a document type"
    ),
    "registry entry that is a pipe": Settings(_ENTRY, None, registry, "011E83FA6A9F426993BB8EF26FF7D7B8"),
    "log of random bytes": Settings(_LOG, bytes(range(256)) * 100, log, "1 entries"),
    "log of zeros": Settings(_LOG, bytes(100_000), log, "1 entries"),
    "log that is a pipe": Settings(_LOG, None, log, "1 entries"),
}
