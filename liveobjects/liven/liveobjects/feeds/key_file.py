"""The keys of encrypted channels in a file of mode 0600, for processes that are to open their records.

Arguments of a process, settings of Spark and the plans of its queries can be read by others, or are written
to logs. So these have the path of the file alone. It is locked by whoever made it, and deleted in the end; a
killed process deletes nothing, so the next one deletes files that nobody has locked.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

from liven.liveobjects.feeds.errors import FeedError
from liven.runtime.files import PRIVATE, read_json

_PREFIX: Final = "feed-keys-"
_MOST_BYTES: Final = 4 << 20


class BadKeysError(FeedError):
    """A file of keys cannot be read."""


@dataclass(frozen=True, slots=True)
class OpenedType:
    """The type of values after they were opened."""

    name: str
    """The name that records in clear would have."""
    notation: str


@dataclass(frozen=True, slots=True)
class ChannelKey:
    """A key, and the types of the values that are sealed with it."""

    key: str = field(repr=False)
    """Hexadecimal digits."""
    message: OpenedType
    state: OpenedType | None = None
    """None on a channel without states."""


@contextmanager
def kept_keys(folder: Path, keys: Sequence[ChannelKey]) -> Iterator[Path]:
    """Keep keys in a file in `folder` for a while; raise OSError."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for abandoned in folder.glob(f"{_PREFIX}*"):
        _delete_unlocked(abandoned)
    path = folder / f"{_PREFIX}{token_hex(8)}"
    descriptor = _locked(path)
    try:
        os.write(descriptor, json.dumps([asdict(each) for each in keys]).encode())
        yield path
    finally:
        path.unlink(missing_ok=True)
        os.close(descriptor)


def read_keys(path: Path) -> list[ChannelKey]:
    """Return the keys in such a file; raise BadKeysError."""
    try:
        return [_key(**each) for each in read_json(path, _MOST_BYTES)]
    except FileNotFoundError:
        raise BadKeysError(f"{path}: the keys are gone, as the command that gave them ended") from None
    except (OSError, ValueError, TypeError) as error:
        raise BadKeysError(f"{path}: the keys cannot be read ({type(error).__name__})") from None


def _key(key: str, message: dict[str, Any], state: dict[str, Any] | None) -> ChannelKey:
    return ChannelKey(key, OpenedType(**message), None if state is None else OpenedType(**state))


def _locked(path: Path) -> int:
    """Return the descriptor of a new file that is locked; another process may delete it until it is."""
    while True:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_nlink:
            return descriptor
        os.close(descriptor)


def _delete_unlocked(path: Path) -> None:
    with suppress(OSError):  # somebody else was first, or still needs it
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink(missing_ok=True)
        finally:
            os.close(descriptor)
