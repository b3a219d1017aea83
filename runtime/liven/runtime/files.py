"""Files on disk that are replaced whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import tempfile
from pathlib import Path


def replace(path: Path, data: bytes) -> None:
    """Puts `data` in the file's place with its permissions; a crash leaves the old or the new, whole."""
    target = path.resolve()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(target.stat().st_mode & 0o7777)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_whole(path: Path, data: bytes, mode: int | None = None) -> None:
    """Puts `data` in the place of a file, through links to it, with the permissions that it had if no `mode`
    is given. OSError leaves what was there; a crash, that or the new."""
    target = Path(os.path.realpath(path))
    fresh = target.with_name(f".liven-{secrets.token_hex(8)}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666 & (mode or 0o666))
    try:
        with os.fdopen(handle, "wb") as stream:
            if mode is None:
                with contextlib.suppress(OSError):  # where there is no such file yet, or it is not ours
                    os.fchmod(handle, stat.S_IMODE(target.stat().st_mode))
            stream.write(data)
            stream.flush()
            os.fsync(handle)  # a full disk may say so only now
        fresh.replace(target)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
