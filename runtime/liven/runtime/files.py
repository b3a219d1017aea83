"""Reading regular files within a bound, and writing files in one step.

A pipe or a device is refused, because reading one may block or never end. A file is written beside its place
and moved there, so that readers, and whoever starts after a crash, find the old file or the new one, whole.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Any, Final

_NO_LINKS: Final = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS)
"""Errors of file systems that cannot give a file a second name; see link(2)."""
_PUBLIC: Final = 0o666
"""The mode of a new file, from which the system takes the user's umask."""
_UNITS: Final = ("kB", "MB", "GB", "TB")


def open_regular(path: Path, *, follow_links: bool = True) -> FileIO:
    """Open a regular file for reading; raise OSError for anything else."""
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC | (0 if follow_links else os.O_NOFOLLOW)
    try:
        handle = os.open(path, flags)
    except ValueError:
        raise OSError(errno.EINVAL, "no file can have this name", str(path)) from None
    try:
        mode = os.fstat(handle).st_mode
        if stat.S_ISDIR(mode):
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "it is a pipe or a device, not a file", str(path))
        return FileIO(handle)
    except BaseException:
        os.close(handle)
        raise


def read_start(path: Path, most: int, *, follow_links: bool = True) -> bytes:
    """Return the first `most` bytes of a regular file, or all of a shorter one; raise OSError."""
    with open_regular(path, follow_links=follow_links) as file:
        return _start(file, most)


def read_regular(path: Path, most: int) -> bytes:
    """Return the bytes of a regular file; raise OSError, too, if there are more than `most`."""
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        data = _start(file, most + 1) if size <= most else b""
    size = max(size, len(data))  # a file may grow while it is read, or give no size, as in /proc
    if size > most:
        raise OSError(errno.EFBIG, size_and_limit(size, most), str(path))
    return data


def read_json(path: Path, most: int) -> Any:
    """Return the value in a JSON file; raise OSError or ValueError."""
    try:
        return json.loads(read_regular(path, most))
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def write_file(
    path: Path,
    data: bytes | Iterable[bytes],
    mode: int | None = None,
    *,
    sync: bool = True,
    follow_links: bool = True,
) -> None:
    """Write a file in one step, in place of the one that is there; OSError leaves that unchanged.

    Without a `mode`, an existing file keeps its permissions. Without `sync`, a crash of the machine may lose
    the new content.
    """
    target = Path(os.path.realpath(path)) if follow_links else path
    if mode is None:
        with suppress(OSError):  # there is no such file yet
            mode = stat.S_IMODE(target.stat().st_mode)
    _write(target, data, mode, Path.replace, sync=sync)


def rewrite_file(path: Path, data: bytes) -> None:
    """Write an existing file in one step, with its permissions; raise FileNotFoundError if there is none."""
    target = path.resolve()
    _write(target, data, stat.S_IMODE(target.stat().st_mode), Path.replace)


def create_file(path: Path, data: bytes, mode: int | None = None) -> None:
    """Write a new file in one step; raise FileExistsError if another program was first."""
    _write(path, data, mode, _link)


def readable_size(size: int) -> str:
    """Return a number of bytes as people read it, such as "52.5 MB"."""
    if size < 1000:
        return f"{size} bytes"
    value = float(size)
    for unit in _UNITS:
        value /= 1000
        if value < 999.95 or unit == _UNITS[-1]:
            break
    return f"{value:.1f}".removesuffix(".0") + f" {unit}"


def size_and_limit(size: int, most: int) -> str:
    """Return a size and the limit below it, such as "52.5 MB; the limit is 25 MB"."""
    found, limit = readable_size(size), readable_size(most)
    if found == limit:  # rounding has made them equal
        found, limit = f"{size:,} bytes", f"{most:,} bytes"
    return f"{found}; the limit is {limit}"


def _start(file: FileIO, most: int) -> bytes:
    found = bytearray()
    while part := file.read(most - len(found)):  # one read may return less than is there
        found += part
    return bytes(found)


def _write(
    target: Path,
    data: bytes | Iterable[bytes],
    mode: int | None,
    move: Callable[[Path, Path], object],
    *,
    sync: bool = True,
) -> None:
    """Write a draft beside `target` and `move` it there."""
    draft = target.with_name(f".liven-{os.urandom(8).hex()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    handle = os.open(draft, flags, _PUBLIC if mode is None else 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            if mode is not None:
                with suppress(PermissionError):  # some file systems, such as FAT, have no permissions
                    os.fchmod(handle, mode)
            stream.writelines((data,) if isinstance(data, bytes) else data)
            stream.flush()
            if sync:
                os.fsync(handle)  # a full disk may report its error only now
        move(draft, target)
    finally:
        draft.unlink(missing_ok=True)


def _link(draft: Path, target: Path) -> None:
    """Give a draft its name; raise FileExistsError if another file has it."""
    try:
        os.link(draft, target)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if target.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from None
        draft.replace(target)
