"""Landlock: this process and all that it starts reach only the files below given folders.

See landlock(7). Descriptors that are open already keep working, which is how the rest of the program gives a
confined process single files. Changing a file's mode, owner or times is outside Landlock's reach; the filter
of system calls forbids that.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from liven.runtime.sandbox.kernel_calls import call, forbid_new_privileges

NEEDED: Final = 1
"""The first version of the interface; later ones close more, and all that the kernel has is used."""
_CREATE, _ADD, _RESTRICT = 444, 445, 446
"""The same numbers on all architectures."""
_ASK_VERSION: Final = 1
_PATH_BENEATH: Final = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_OF_FILES: Final = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_READ: Final = _READ_FILE | _READ_DIR
_MAKE_AND_REMOVE: Final = 1 << 5 | 1 << 8
"""Remove and make regular files; no folders, whose depth nobody could bound, no devices, pipes or links."""
_ALL_BY_VERSION: Final = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
_NETWORK_FROM, _TCP = 4, 3
_SCOPES_FROM, _SIGNALS_AND_ABSTRACT_SOCKETS = 6, 3


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def version() -> int:
    """Return the version of Landlock in this kernel; 0 if it has none or it is switched off."""
    try:
        return call(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(_ASK_VERSION))
    except OSError:
        return 0


def restrict(readable: Iterable[Path], writable: Iterable[Path]) -> None:
    """Close all files but those below the given paths, for good; raise OSError.

    The calling thread is restricted with all that it starts later, so call this before there are others.
    Paths that do not exist are left out. Where the kernel can, TCP and signals to others are closed too.
    """
    known = version()
    handled = _ALL_BY_VERSION[max(one for one in _ALL_BY_VERSION if one <= known)]
    network = _TCP if known >= _NETWORK_FROM else 0
    scoped = _SIGNALS_AND_ABSTRACT_SOCKETS if known >= _SCOPES_FROM else 0
    ruleset = _Ruleset(handled, network, scoped)
    size = 24 if scoped else 16 if network else 8
    rules = call(_CREATE, ctypes.byref(ruleset), ctypes.c_size_t(size), ctypes.c_uint32(0))
    try:
        for path in readable:
            _allow(rules, path, _READ)
        for path in writable:
            _allow(rules, path, (_READ | _WRITE_FILE | _MAKE_AND_REMOVE | _TRUNCATE) & handled)
        forbid_new_privileges()
        call(_RESTRICT, ctypes.c_int(rules), ctypes.c_uint32(0))
    finally:
        os.close(rules)


def _allow(rules: int, path: Path, rights: int) -> None:
    with suppress(FileNotFoundError, NotADirectoryError, PermissionError):  # then it is closed anyway
        folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not stat.S_ISDIR(os.fstat(folder).st_mode):
                rights &= _OF_FILES
            rule = _PathBeneath(rights, folder)
            call(
                _ADD, ctypes.c_int(rules), ctypes.c_int(_PATH_BENEATH), ctypes.byref(rule), ctypes.c_uint32(0)
            )
        finally:
            os.close(folder)
