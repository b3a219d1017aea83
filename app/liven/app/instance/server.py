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
_MOST_CLIENTS = 16
"""Most clients at the same time."""
_ANSWER_TIME_LIMIT = 0.2
"""Seconds for a client to read its answer; the windows freeze meanwhile."""
_MOST_PROBLEMS, _LONGEST_PROBLEM = 50, 500
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
        self._clients: dict[socket.socket, tuple[bytearray, Watch]] = {}
        self._lock = _lock(runtime / f"{NAME}.lock")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        try:
            self._path.unlink(missing_ok=True)  # left by a killed program: we hold the lock
            self._socket.setblocking(False)
            self._socket.bind(str(self._path))
            self._path.chmod(0o600)
            self._socket.listen(64)
        except BaseException:
            self._socket.close()
            os.close(self._lock)
            raise
        self._entry = watch(self._socket.fileno(), self._accept)

    def close(self) -> None:
        """Close and remove the socket."""
        self._entry.cancel()
        for caller in tuple(self._clients):
            self._disconnect(caller)
        self._socket.close()
        self._path.unlink(missing_ok=True)
        os.close(self._lock)

    def _accept(self) -> None:
        try:
            caller, _ = self._socket.accept()
        except OSError:
            return
        if not _is_user(caller):
            caller.close()
            return
        while len(self._clients) >= _MOST_CLIENTS:
            self._disconnect(next(iter(self._clients)))  # the client that has been silent the longest
        caller.setblocking(False)
        self._clients[caller] = bytearray(), self._watch(caller.fileno(), lambda: self._receive(caller))

    def _receive(self, caller: socket.socket) -> None:
        said, _ = self._clients[caller]
        try:
            part = caller.recv(LONGEST)
        except BlockingIOError:
            return
        except OSError:
            part = b""
        said += part
        if not part or len(said) > LONGEST:
            self._disconnect(caller)
        elif said.endswith(b"\n"):
            self._answer(caller, bytes(said))

    def _answer(self, caller: socket.socket, said: bytes) -> None:
        request = _request(said)
        try:
            problems = [] if request is None else self._opened(*request)
            told = [problem[:_LONGEST_PROBLEM] for problem in problems[:_MOST_PROBLEMS]]
            answer = {"ok": request is not None, **({"problems": told} if told else {})}
            with contextlib.suppress(OSError):
                caller.settimeout(_ANSWER_TIME_LIMIT)
                caller.sendall(json.dumps(answer).encode() + b"\n")
        finally:
            self._disconnect(caller)

    def _disconnect(self, caller: socket.socket) -> None:
        _, entry = self._clients.pop(caller)
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
