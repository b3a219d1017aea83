"""The user at the other end of a local socket, and the owner of the folder that the socket is in.

Whoever may write to the folder can put a socket of their own there: a client would hand its files to them.
"""

from __future__ import annotations

import os
import socket
import stat
import struct
from pathlib import Path
from typing import Final

_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH
_CREDENTIALS: Final = struct.Struct("3i")
"""Process, user and group; see SO_PEERCRED in unix(7)."""


class StrangeFolderError(PermissionError):
    """Raised when the folder of the socket, or the socket's other end, belongs to somebody else."""


def peer_user(connection: socket.socket) -> int:
    """Return the user whose program called connect() or listen() at the other end."""
    said = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    user: int = _CREDENTIALS.unpack(said)[1]
    return user


def demand_own_folder(folder: Path) -> None:
    """Raise StrangeFolderError if others may put files into the folder; OSError if there is none."""
    found = folder.stat()
    if found.st_uid != os.getuid():
        raise StrangeFolderError(
            f"{folder} belongs to user {found.st_uid}, not to you; remove it, or set LIVEN_HOME to a folder"
            " of your own"
        )
    if found.st_mode & _OTHERS:
        raise StrangeFolderError(f"other users may write to {folder}; run: chmod 700 {folder}")


def demand_own_peer(connection: socket.socket, path: Path) -> None:
    """Raise StrangeFolderError if a program of another user has the socket."""
    user = peer_user(connection)
    if user != os.getuid():
        raise StrangeFolderError(
            f"a program of user {user} answers at {path}, not one of yours; remove that file, or use"
            " --new-process"
        )
