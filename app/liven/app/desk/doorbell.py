"""One program for each user: a second start hands its files to the first.

A request is one line of JSON, so is the answer. The socket lies in a folder that is the user's alone; who
can write to it could as well start the program. Nothing heavy is imported here: handing over is quick.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import socket
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

NAME = "desktop.sock"
LONGEST = 64 * 1024
PATIENCE = 2.0
"""Seconds until a program that does not answer is taken for one that is stuck."""

Watching: TypeAlias = Callable[[int, Callable[[], object]], object]


class StuckError(OSError):
    """A program has the door but does not answer."""


def ring(runtime: Path, files: Sequence[str], patience: float = PATIENCE) -> bool:
    """Hands files to the running program; false if none runs. StuckError when it does not answer."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC) as door:
        door.settimeout(patience)
        try:
            door.connect(str(runtime / NAME))
        except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
            return False
        try:
            door.sendall(json.dumps({"open": list(files)}).encode() + b"\n")
            answer = door.recv(LONGEST)
        except (TimeoutError, ConnectionError) as error:
            raise StuckError(
                f"the program that runs does not answer ({error}); end it, or use --new-process"
            ) from None
    return answer.startswith(b'{"ok": true')


class Doorbell:
    """The running program's side. `opened` is called with the files that somebody handed over."""

    def __init__(self, runtime: Path, watch: Watching, opened: Callable[[list[str]], object]) -> None:
        """Takes the door; FileExistsError if another program of this user has it."""
        runtime.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = runtime / NAME
        self._opened = opened
        self._watch = watch
        self._callers: dict[socket.socket, tuple[bytearray, object]] = {}
        self._lock = _lock(runtime / f"{NAME}.lock")
        try:
            self._path.unlink(missing_ok=True)  # of a program that was killed: the lock is ours
            self._door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
            self._door.setblocking(False)
            self._door.bind(str(self._path))
            self._path.chmod(0o600)
            self._door.listen(8)
        except BaseException:
            os.close(self._lock)
            raise
        self._entry = watch(self._door.fileno(), self._ring)

    def close(self) -> None:
        """Gives the door up."""
        _cancel(self._entry)
        for caller in tuple(self._callers):
            self._part(caller)
        self._door.close()
        self._path.unlink(missing_ok=True)
        os.close(self._lock)

    def _ring(self) -> None:
        try:
            caller, _ = self._door.accept()
        except (BlockingIOError, ConnectionError):
            return
        if not _is_user(caller) or len(self._callers) >= 16:
            caller.close()
            return
        caller.setblocking(False)
        self._callers[caller] = bytearray(), self._watch(caller.fileno(), lambda: self._hear(caller))

    def _hear(self, caller: socket.socket) -> None:
        said, _ = self._callers[caller]
        try:
            part = caller.recv(LONGEST)
        except BlockingIOError:
            return
        except ConnectionError:
            part = b""
        said += part
        if not part or len(said) > LONGEST:
            self._part(caller)
        elif said.endswith(b"\n"):
            self._answer(caller, bytes(said))

    def _answer(self, caller: socket.socket, said: bytes) -> None:
        files = _files(said)
        answer = {"ok": files is not None}
        with contextlib.suppress(OSError):
            caller.sendall(json.dumps(answer).encode() + b"\n")
        self._part(caller)
        if files is not None:
            self._opened(files)

    def _part(self, caller: socket.socket) -> None:
        _, entry = self._callers.pop(caller)
        _cancel(entry)
        caller.close()


def _files(said: bytes) -> list[str] | None:
    """The files of a request; None if it is none."""
    try:
        found = json.loads(said)["open"]
    except (ValueError, KeyError, TypeError):
        return None
    return found if isinstance(found, list) and all(isinstance(one, str) for one in found) else None


def _lock(path: Path) -> int:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise FileExistsError(f"another program of this user has {path}") from None
    return handle


def _is_user(caller: socket.socket) -> bool:
    said = caller.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    user: int = struct.unpack("3i", said)[1]
    return user == os.getuid()


def _cancel(entry: object) -> None:
    cancel = getattr(entry, "cancel", None)
    if cancel is not None:
        cancel()
