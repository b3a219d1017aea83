"""The server: the running program accepts the files of later starts. `client` is the other side.

Request and answer are one line of JSON each. The socket is in a folder that only the user can enter, and the
kernel tells the user of each client, so no request can do more than the user could by starting the program.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias

from liven.app.instance.client import LONGEST, NAME
from liven.app.instance.lock_file import LockFile, is_file_of
from liven.app.instance.peer_user import demand_own_folder, peer_user


class Watch(Protocol):
    """The watching of a descriptor, until it is cancelled."""

    def cancel(self) -> object: ...


Watching: TypeAlias = Callable[[int, Callable[[], object]], Watch]
Opened: TypeAlias = Callable[[list[str], bool, bool], Sequence[str]]
_MOST_CLIENTS = 16
"""Most clients at the same time."""
_ANSWER_TIME_LIMIT = 0.2
"""Seconds for a client to read its answer; the windows freeze meanwhile."""
_MOST_PROBLEMS, _LONGEST_PROBLEM = 50, 500
"""Most problems in an answer and most characters of each, so that it fits one send buffer."""


class InstanceServer:
    """The socket of the running program. `opened` is called with the files, a flag that says if the client
    wants to know what cannot be opened, and one that says that nothing in them may run; its result is sent
    back."""

    def __init__(self, runtime: Path, watch: Watching, opened: Opened) -> None:
        """Bind the socket; raise FileExistsError if another program of this user has it, and
        StrangeFolderError for a folder that others may change."""
        runtime.mkdir(mode=0o700, parents=True, exist_ok=True)
        demand_own_folder(runtime)
        self._path = runtime / NAME
        self._opened = opened
        self._watch = watch
        self._clients: dict[socket.socket, tuple[bytearray, Watch]] = {}
        lock_path = runtime / f"{NAME}.lock"
        try:
            self._lock = LockFile(lock_path)
        except BlockingIOError:
            raise FileExistsError(f"another program of this user has {lock_path}") from None
        try:
            self._listen()
        except BaseException:
            self._lock.close()
            raise

    def keep(self) -> None:
        """Make the lock and the socket again if somebody deleted them. While another program has the lock, it
        is the server, and this one waits. A folder that cannot be used is tried again with the next call."""
        if self._lock.keep() and not is_file_of(self._path, self._made):
            with contextlib.suppress(OSError):
                demand_own_folder(self._path.parent)
                entry, old = self._entry, self._socket
                self._listen()
                entry.cancel()
                old.close()

    def close(self) -> None:
        """Close and remove the socket."""
        self._entry.cancel()
        for caller in tuple(self._clients):
            self._disconnect(caller)
        self._socket.close()
        if is_file_of(self._path, self._made):
            self._path.unlink(missing_ok=True)
        self._lock.close()

    def _listen(self) -> None:
        """Bind a socket in place of one that a killed program left: this program holds the lock."""
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        try:
            self._path.unlink(missing_ok=True)
            made.setblocking(False)
            made.bind(str(self._path))
            self._path.chmod(0o600)
            made.listen(64)
            self._made = self._path.lstat()
        except BaseException:
            made.close()
            raise
        self._socket, self._entry = made, self._watch(made.fileno(), self._accept)

    def _accept(self) -> None:
        try:
            caller, _ = self._socket.accept()
        except OSError:
            return
        if peer_user(caller) != os.getuid():
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


def _request(said: bytes) -> tuple[list[str], bool, bool] | None:
    """Return the files of a request and its flags `tell` and `safe`; None if the request is invalid."""
    try:
        request = json.loads(said)
        found = request["open"]
        tell, safe = (request.get(flag, False) is True for flag in ("tell", "safe"))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    good = isinstance(found, list) and all(isinstance(one, str) for one in found)
    return (found, tell, safe) if good else None
