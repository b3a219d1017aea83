"""Reading regular files within a bound, and writing files in one step.

A pipe or a device is refused, because reading one may block or never end. A file is written beside its place
and moved there, so that readers, and whoever starts after a crash, find the old file or the new one, whole.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import Any, Final

_NO_LINKS: Final = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS)
"""Errors of file systems that cannot give a file a second name; see link(2)."""
PRIVATE: Final = 0o600
"""The mode of files in the user's folders: nobody else may read them."""
_PRIVATE_UMASK: Final = 0o077
_MADE_UP: Final = ("/proc/", "/sys/", "/dev/")
_SHARED_MEMORY: Final = "/dev/shm/"  # noqa: S108 - nothing is created there
_PUBLIC: Final = 0o666
"""The mode of a new document, from which the user's umask is taken."""
_UNITS: Final = ("kB", "MB", "GB", "TB")


def user_path(text: str) -> Path:
    """Return the path that a recipe or a person wrote, with `~` for a home folder; raise OSError."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise OSError(errno.ENOENT, "no user has this home folder", text) from None


class _Umask:
    """The umask that the process started with. It belongs to the process, like the umask itself."""

    start: int | None = None


def keep_files_private() -> None:
    """Make all files that this process creates from now on private, whatever umask it was started with."""
    before = os.umask(_PRIVATE_UMASK)
    if _Umask.start is None:
        _Umask.start = before


def document_mode() -> int:
    """Return the mode of a new document, which is a file at a place that the user chose."""
    if _Umask.start is None:  # nobody made files private: the system still knows the user's umask
        current = os.umask(_PRIVATE_UMASK)
        os.umask(current)
        return _PUBLIC & ~current
    return _PUBLIC & ~_Umask.start


@contextmanager
def users_umask() -> Iterator[None]:
    """Restore the user's umask for a while, to start another program that writes documents."""
    before = os.umask(_PRIVATE_UMASK)
    os.umask(before if _Umask.start is None else _Umask.start)
    try:
        yield
    finally:
        os.umask(before)


def open_regular(path: Path, *, follow_links: bool = True) -> FileIO:
    """Open a regular file for reading; raise OSError for anything else.

    It is looked at before it is opened, because opening alone may start a device (a watchdog, a tape) or make
    a terminal; and again afterwards, because another program may put something else there in between. Neither
    waits for a pipe.
    """
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC | (0 if follow_links else os.O_NOFOLLOW)
    try:
        _refuse_special(path.stat(follow_symlinks=follow_links), path)
        handle = os.open(path, flags)
    except ValueError:
        raise OSError(errno.EINVAL, "no file can have this name", str(path)) from None
    except OSError as error:
        if error.errno == errno.ELOOP and follow_links:
            raise _endless(path) from None
        raise
    try:
        _refuse_special(os.fstat(handle), path)
        return FileIO(handle)
    except BaseException:
        os.close(handle)
        raise


def resolved(path: Path) -> Path:
    """Return the path without links, which need not exist; raise OSError for a link that leads to itself."""
    try:
        path.stat()
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _endless(path) from None
    return Path(os.path.realpath(path))


def _refuse_special(found: os.stat_result, path: Path) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if stat.S_ISLNK(found.st_mode):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    if stat.S_ISSOCK(found.st_mode):
        raise OSError(errno.EINVAL, "it is a socket, not a file", str(path))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is a pipe or a device, not a file", str(path))


def refuse_system_file(path: Path) -> None:
    """Raise OSError for a file that the system makes up while it is read, as in /proc: it may have no end,
    and shows the state of this very program."""
    real = os.path.realpath(path)
    if real.startswith(_MADE_UP) and not real.startswith(_SHARED_MEMORY):
        raise OSError(errno.EINVAL, "the system makes it up; it is not a file of yours", real)


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

    Without a `mode`, an existing file keeps its permissions, and a new one is a document with those that the
    user's umask gives. Without `sync`, a crash of the machine may lose the new content.
    """
    target = resolved(path) if follow_links else path
    if mode is None:
        with suppress(OSError):  # there is no such file yet
            mode = stat.S_IMODE(target.stat().st_mode)
    _write(target, data, mode, Path.replace, sync=sync)


def write_file_about_itself(path: Path, content: Callable[[int], bytes], mode: int) -> None:
    """Write a file in one step, as `write_file` does, with what `content` returns for the descriptor of the
    new file: it may tell which file it is."""
    _write(path, content, mode, Path.replace)


def rewrite_file(path: Path, data: bytes) -> None:
    """Write an existing file in one step, with its permissions; raise FileNotFoundError if there is none."""
    target = resolved(path)
    _write(target, data, stat.S_IMODE(target.stat().st_mode), Path.replace)


def create_file(path: Path, data: bytes, mode: int | None = None) -> None:
    """Write a new file in one step; raise FileExistsError if another program was first."""
    _write(path, data, mode, _link)


def sync_folder(folder: Path) -> None:
    """Force the names in a folder to the disk; raise OSError."""
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


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


def _endless(path: Path) -> OSError:
    return OSError(errno.ELOOP, "it is a link that leads to itself; remove it or correct it", str(path))


def _start(file: FileIO, most: int) -> bytes:
    found = bytearray()
    while part := file.read(most - len(found)):  # one read may return less than is there
        found += part
    return bytes(found)


def _write(
    target: Path,
    data: bytes | Iterable[bytes] | Callable[[int], bytes],
    mode: int | None,
    move: Callable[[Path, Path], object],
    *,
    sync: bool = True,
) -> None:
    """Write a draft beside `target` and `move` it there."""
    draft = target.with_name(f".liven-{os.urandom(8).hex()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    handle = os.open(draft, flags, PRIVATE)
    try:
        with os.fdopen(handle, "wb") as stream:
            with suppress(PermissionError):  # some file systems, such as FAT, have no permissions
                os.fchmod(handle, document_mode() if mode is None else mode)
            given = data(handle) if callable(data) else data
            stream.writelines((given,) if isinstance(given, bytes) else given)
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
