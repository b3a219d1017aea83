"""The client: a second start of the program hands its files to the one that is running.

A caller with a terminal prints what cannot be opened; for others, such as an icon, the running program shows
it in a window. This module imports nothing slow, because handing over has to be quick.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from liven.app.instance.peer_user import StrangeFolderError, demand_own_folder, demand_own_peer

NAME = "desktop.sock"
LONGEST = 1024 * 1024
"""Largest request and answer in bytes. Linux limits an argument to 128 KiB (MAX_ARG_STRLEN), which JSON
may expand sixfold."""
PATIENCE = 10.0
"""Seconds after which a program that does not answer counts as stuck."""
_RETRY_AFTER = 0.02


class StuckError(OSError):
    """Raised when a running program holds the socket but does not answer."""


def send_files(
    runtime: Path, files: Sequence[str], patience: float = PATIENCE, *, tell: bool = True, safe: bool = False
) -> list[str] | None:
    """Hand files to the running program; return why some cannot be opened, or None if no program runs.

    Raise StuckError if the program does not answer, and StrangeFolderError if it is not the user's. Without
    `tell`, it shows the reasons in its windows. With `safe`, nothing in the files runs.
    """
    problems: list[str] = []
    for part in _requests(files):
        found = _send(runtime, part, patience, tell=tell, safe=safe)
        if found is None:
            return None
        problems += found
    return problems


def _send(
    runtime: Path, files: Sequence[str], patience: float, *, tell: bool, safe: bool
) -> list[str] | None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC) as connection:
        connection.settimeout(patience)
        try:
            if not _is_there(runtime):
                return None
            _connect(connection, runtime / NAME, patience)
            demand_own_peer(connection, runtime / NAME)
            connection.sendall(
                json.dumps({"open": list(files), "tell": tell} | ({"safe": True} if safe else {})).encode()
                + b"\n"
            )
            with connection.makefile("rb") as answers:
                answer = answers.readline(LONGEST)
        except (TimeoutError, BlockingIOError, BrokenPipeError, ConnectionResetError) as error:
            raise StuckError(
                f"the running program does not answer ({error}); end it, or use --new-process"
            ) from None
        except StrangeFolderError:
            raise
        except OSError:
            return None  # no socket, or one that cannot be reached, as if its path is too long
    return _problems(answer)


def _is_there(runtime: Path) -> bool:
    """Return True if the socket's folder exists and nobody else may put a socket into it."""
    try:
        demand_own_folder(runtime)
    except FileNotFoundError:
        return False
    return True


def _connect(connection: socket.socket, path: Path, patience: float) -> None:
    """Connect, waiting while the server's queue is full, as when many files are opened at once."""
    limit = time.monotonic() + patience
    while True:
        try:
            return connection.connect(str(path))
        except BlockingIOError:
            if time.monotonic() > limit:
                raise
            time.sleep(_RETRY_AFTER)


def _requests(files: Sequence[str]) -> Iterator[list[str]]:
    """Split the files into requests of limited size. No files at all is one request, too."""
    part: list[str] = []
    room = LONGEST // 2
    for name in files:
        size = len(json.dumps(name)) + 2
        if part and size > room:
            yield part
            part, room = [], LONGEST // 2
        part.append(name)
        room -= size
    if part or not files:
        yield part


def _problems(answer: bytes) -> list[str] | None:
    """Return the problems in an answer; None if the program did not accept the request."""
    if not answer.startswith(b'{"ok": true'):
        return None
    try:
        return [str(problem) for problem in json.loads(answer).get("problems", ())]
    except ValueError:
        return []
