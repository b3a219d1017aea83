"""The server: the running program accepts the files of later starts. `client` is the other side.

Request and answer are one line of JSON each. The socket is in a folder that only the user can enter, so no
request can do more than the user could by starting the program.
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
from typing import Protocol, TypeAlias

from liven.app.instance.client import LONGEST, NAME


class Watch(Protocol):
    """The watching of a descriptor, until it is cancelled."""

    def cancel(self) -> object: ...


Watching: TypeAlias = Callable[[int, Callable[[], object]], Watch]
Opened: TypeAlias = Callable[[list[str], bool], Sequence[str]]
_WAITING = 16
"""Most clients at the same time."""
_TO_ANSWER = 0.2
"""Seconds for a client to read its answer; the windows freeze meanwhile."""
_TOLD, _TOLD_OF_EACH = 50, 500
"""Most problems in an answer and most characters of each, so that it fits one send buffer."""


class InstanceServer:
    """The socket of the running program. `opened` is called with the files and a flag that says if the client
    wants to know what cannot be opened; its result is sent back."""

    def __init__(self, runtime: Path, watch: Watching, opened: Opened) -> None:
        """Bind the socket; raise FileExistsError if another program of this user has it."""
        runtime.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = runtime / NAME
        self._opened = opened
        self._watch = watch
        self._callers: dict[socket.socket, tuple[bytearray, Watch]] = {}
        self._lock = _lock(runtime / f"{NAME}.lock")
        self._door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        try:
            self._path.unlink(missing_ok=True)  # left by a killed program: we hold the lock
            self._door.setblocking(False)
            self._door.bind(str(self._path))
            self._path.chmod(0o600)
            self._door.listen(64)
        except BaseException:
            self._door.close()
            os.close(self._lock)
            raise
        self._entry = watch(self._door.fileno(), self._ring)

    def close(self) -> None:
        """Close and remove the socket."""
        self._entry.cancel()
        for caller in tuple(self._callers):
            self._part(caller)
        self._door.close()
        self._path.unlink(missing_ok=True)
        os.close(self._lock)

    def _ring(self) -> None:
        try:
            caller, _ = self._door.accept()
        except OSError:
            return
        if not _is_user(caller):
            caller.close()
            return
        while len(self._callers) >= _WAITING:
            self._part(next(iter(self._callers)))  # the client that has been silent the longest
        caller.setblocking(False)
        self._callers[caller] = bytearray(), self._watch(caller.fileno(), lambda: self._hear(caller))

    def _hear(self, caller: socket.socket) -> None:
        said, _ = self._callers[caller]
        try:
            part = caller.recv(LONGEST)
        except BlockingIOError:
            return
        except OSError:
            part = b""
        said += part
        if not part or len(said) > LONGEST:
            self._part(caller)
        elif said.endswith(b"\n"):
            self._answer(caller, bytes(said))

    def _answer(self, caller: socket.socket, said: bytes) -> None:
        request = _request(said)
        try:
            problems = [] if request is None else self._opened(*request)
            told = [problem[:_TOLD_OF_EACH] for problem in problems[:_TOLD]]
            answer = {"ok": request is not None, **({"problems": told} if told else {})}
            with contextlib.suppress(OSError):
                caller.settimeout(_TO_ANSWER)
                caller.sendall(json.dumps(answer).encode() + b"\n")
        finally:
            self._part(caller)

    def _part(self, caller: socket.socket) -> None:
        _, entry = self._callers.pop(caller)
        entry.cancel()
        caller.close()


def _request(said: bytes) -> tuple[list[str], bool] | None:
    """Return the files of a request and its `tell` flag; None if the request is invalid."""
    try:
        request = json.loads(said)
        found, tell = request["open"], request.get("tell", False) is True
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    good = isinstance(found, list) and all(isinstance(one, str) for one in found)
    return (found, tell) if good else None


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
