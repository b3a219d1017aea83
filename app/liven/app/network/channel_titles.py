"""The names of the objects on this user's channels, shared between programs: each program writes a file in a
folder that only the user can enter, and `liven top` reads them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from liven.liveobjects.channel.api.names import PRESENCE
from liven.multicast.published_stats import EngineStats
from liven.runtime.files import read_start, write_file

FOLDER: Final = "called"
_LARGEST = 1024 * 1024
_LONGEST = 60


def write_titles(runtime: Path, names: Mapping[str, str]) -> None:
    """Write the names of this program's objects by channel. Disk errors are ignored."""
    path = _file(runtime, os.getpid())
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_file(path, json.dumps(names).encode(), 0o600)


def drop_titles(runtime: Path) -> None:
    """Remove this program's file."""
    with suppress(OSError):
        _file(runtime, os.getpid()).unlink(missing_ok=True)


def read_titles(runtime: Path) -> dict[str, str]:
    """Return names by channel from all running programs; remove the files of others."""
    found: dict[str, str] = {}
    for path in sorted((runtime / FOLDER).glob("*.json")):
        with suppress(OSError, ValueError, TypeError, RecursionError):
            if not Path(f"/proc/{int(path.stem)}").exists():
                path.unlink(missing_ok=True)
            else:
                facts = json.loads(read_start(path, _LARGEST, follow_links=False))
                found |= {str(channel): str(name) for channel, name in dict(facts).items()}
    return found


def with_titles(shown: EngineStats, called: Mapping[str, str]) -> EngineStats:
    """Return an engine's figures with readable names for its groups."""
    laggards = tuple(replace(one, group=_told(one.group, called)) for one in shown.laggards)
    return replace(shown, groups=tuple(_told(one, called) for one in shown.groups), laggards=laggards)


def _told(group: str, called: Mapping[str, str]) -> str:
    channel = group.removesuffix(PRESENCE)
    name = " ".join(called.get(channel, "").split())
    if not name:
        return group
    name = name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
    return name if channel == group else f"{name}: who is here"


def _file(runtime: Path, pid: int) -> Path:
    return runtime / FOLDER / f"{pid}.json"
