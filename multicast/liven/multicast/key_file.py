"""The key file of a cluster: everybody who has it is a member.

Each line is a key: its id, from 0 to 255, and its 32 bytes in hexadecimal. The first key seals messages; a
second is accepted too, so that one key can replace another without a pause. Only its owner may read the file:
one that others can read is refused.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path

from liven.multicast.errors import MulticastError

KEY_SIZE = 32
KEYS_MOST = 2
IDS = 256
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_HEAD = (
    "# The key of a cluster: an id, and 32 bytes in hexadecimal.\n"
    "# Everybody who has it is a member: keep it secret.\n"
    "# A second line is accepted too, so that a key can be changed without a pause.\n"
)


class KeyFileError(MulticastError, ValueError):
    """Raised for a key file that cannot be used; the text says which, why, and what to do."""

    def __init__(self, text: str) -> None:
        super().__init__(-1, text)


@dataclass(frozen=True, slots=True)
class ClusterKeys:
    """One key, or two while one replaces the other; the first one seals."""

    keys: tuple[tuple[int, bytes], ...]

    def __repr__(self) -> str:
        return f"ClusterKeys(ids {[number for number, _ in self.keys]})"  # keys must never appear in a log


def read_keys(path: Path) -> ClusterKeys:
    """Read the keys of a file. Raise KeyFileError."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        with os.fdopen(descriptor, encoding="ascii") as file:
            _check_owner(path, os.fstat(file.fileno()))
            lines = [line.split("#")[0].split() for line in file.read(65_536).splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a text file"
        advice = "; `liven key` makes one" if isinstance(error, FileNotFoundError) else ""
        raise KeyFileError(f"{path}: {reason}{advice}") from error
    keys = tuple(_key(path, line) for line in lines if line)
    if not 1 <= len(keys) <= KEYS_MOST or len({number for number, _ in keys}) < len(keys):
        raise KeyFileError(f"{path} has {len(keys)} keys; it must have one, or two with different ids")
    return ClusterKeys(keys)


def fingerprint(keys: ClusterKeys, index: int = 0) -> str:
    """Return a short digest of a key, so that people can compare the keys of two machines; the first key
    seals."""
    number, key = keys.keys[index]
    return f"{number}:{hashlib.blake2b(key, digest_size=4, person=b'liven-shown').hexdigest()}"


def ensure_keys(path: Path) -> ClusterKeys:
    """Read the keys of a file, made with a fresh key if there is none. Of two processes that make it at once,
    both use the file that is there in the end."""
    if not path.exists():
        _make(path)
    return read_keys(path)


def add_key(path: Path) -> ClusterKeys:
    """Add a fresh key as the second, which is accepted and does not seal. Raise KeyFileError."""
    known = read_keys(path)
    if len(known.keys) == KEYS_MOST:
        raise KeyFileError(f"{path} has two keys already; switch to the second or drop it first")
    (number, _) = known.keys[0]
    return _replace(path, ClusterKeys((*known.keys, ((number + 1) % IDS, secrets.token_bytes(KEY_SIZE)))))


def switch_keys(path: Path) -> ClusterKeys:
    """Seal with the second key from now on; the first is still accepted. Raise KeyFileError."""
    first, second = _both(path)
    return _replace(path, ClusterKeys((second, first)))


def drop_key(path: Path) -> ClusterKeys:
    """Remove the second key: members that still seal with it are no longer accepted. Raise KeyFileError."""
    first, _ = _both(path)
    return _replace(path, ClusterKeys((first,)))


def _both(path: Path) -> tuple[tuple[int, bytes], tuple[int, bytes]]:
    known = read_keys(path).keys
    if len(known) < KEYS_MOST:
        raise KeyFileError(f"{path} has one key; add a second first")
    return known[0], known[1]


def _make(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _put_in_place(_write(path, ClusterKeys(((1, secrets.token_bytes(KEY_SIZE)),))), path)
    except OSError as error:
        advice = "make the folder writable, or set another path with key_file"
        raise KeyFileError(f"{path} cannot be made: {error.strerror}; {advice}") from error


def _replace(path: Path, keys: ClusterKeys) -> ClusterKeys:
    try:
        _write(path, keys).replace(path)
    except OSError as error:
        raise KeyFileError(f"{path} cannot be written: {error.strerror}; nothing was changed") from error
    return keys


def _write(path: Path, keys: ClusterKeys) -> Path:
    """Write a file beside `path` that can replace it in one step."""
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(_HEAD + "".join(f"{number} {key.hex()}\n" for number, key in keys.keys))
        file.flush()
        os.fsync(file.fileno())
    return fresh


def _put_in_place(fresh: Path, path: Path) -> None:
    try:
        os.link(fresh, path)  # fails if the file exists by now, instead of replacing it
    except FileExistsError:
        return
    finally:
        fresh.unlink(missing_ok=True)


def _check_owner(path: Path, facts: os.stat_result) -> None:
    if facts.st_uid != os.geteuid():
        raise KeyFileError(f"{path} belongs to another user; it must belong to the user who runs this")
    if facts.st_mode & _OTHERS:
        raise KeyFileError(
            f"{path} can be read by others: chmod 600 {path}; if they may have, make a new key"
        )


def _key(path: Path, words: list[str]) -> tuple[int, bytes]:
    try:
        number, key = int(words[0]), bytes.fromhex(words[1])
    except (ValueError, IndexError):
        number, key = -1, b""
    if len(words) != 2 or not 0 <= number <= 255 or len(key) != KEY_SIZE:
        raise KeyFileError(f"{path}: a line is an id from 0 to 255 and {2 * KEY_SIZE} hexadecimal digits")
    return number, key
