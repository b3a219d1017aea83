"""Writing files whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path


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


def plain_name(name: str) -> str:
    """What an object is called, as the name of a file: nothing that leads elsewhere, or is too long."""
    plain = "".join(letter if letter.isalnum() or letter in " -_.," else "_" for letter in name).strip(" .")
    return plain.encode()[:120].decode(errors="ignore").rstrip(" .") or "object"
