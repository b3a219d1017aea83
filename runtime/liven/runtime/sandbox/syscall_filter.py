"""A filter of system calls, see seccomp(2): what is not in `syscall_table` is refused for good.

The filter is a short program for the kernel's packet filter, which sees a call's number and arguments, never
the memory behind them: paths are Landlock's part.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from liven.runtime.sandbox.kernel_calls import call, forbid_new_privileges
from liven.runtime.sandbox.syscall_table import (
    ALLOWED,
    CLONE,
    FCNTL,
    IOCTL,
    KILL,
    NONE,
    OPEN,
    OPENAT,
    PRCTL,
    PRLIMIT,
    REFUSED,
    TGKILL,
)

# Instructions of the packet filter, see include/uapi/linux/bpf_common.h.
_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_JUMP_EQUAL, _JUMP_GREATER_OR_EQUAL, _JUMP_ANY_BIT = 0x15, 0x35, 0x45
_KILL, _ALLOW, _ERROR = 0x80000000, 0x7FFF0000, 0x00050000
_SET_FILTER, _ACTION_AVAILABLE, _ALL_THREADS = 1, 2, 1
_NUMBER, _ARCHITECTURE = 0, 4
_ARGUMENTS = (16, 24, 32)
"""Offsets in the data about a call; the low half of an argument is first on both architectures."""
_FIRST_X32: Final = 0x40000000
"""From this number on, x86-64 has a second table, which is left out."""
_THREAD: Final = 0x00010000
"""CLONE_THREAD."""
_SIGNALLING_FCNTL: Final = (8, 10, 15)
"""F_SETOWN, F_SETSIG, F_SETOWN_EX."""
_SIGNALLING_IOCTL: Final = (0x8901, 0x8902, 0x5412)
"""FIOSETOWN, SIOCSPGRP, and TIOCSTI, which types into a terminal."""

_HARMLESS_PRCTL: Final = (3, 15, 16, 21, 23, 38, 0x53564D41)
"""PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME, PR_GET_SECCOMP, PR_CAPBSET_READ, PR_SET_NO_NEW_PRIVS, and
PR_SET_VMA, with which the C library names memory."""


@dataclass(frozen=True, slots=True)
class _Architecture:
    column: int
    audit: int
    """Its number in include/uapi/linux/audit.h."""
    seccomp: int
    """The number of the call seccomp(2)."""


_ARCHITECTURES: Final = {
    "x86_64": _Architecture(0, 0xC000003E, 317),
    "aarch64": _Architecture(1, 0xC00000B7, 277),
}


def _architecture() -> _Architecture | None:
    if not sys.platform.startswith("linux") or struct.calcsize("P") != 8:
        return None
    return _ARCHITECTURES.get(platform.machine())


def available() -> bool:
    """True if this kernel filters system calls, and the table has this architecture."""
    found = _architecture()
    if found is None:
        return False
    try:
        action = ctypes.c_uint32(_ERROR)
        call(found.seccomp, ctypes.c_uint(_ACTION_AVAILABLE), ctypes.c_uint(0), ctypes.byref(action))
    except OSError:
        return False
    return True


def install() -> None:
    """Filter the calls of all threads of this process from now on; raise OSError."""
    found = _architecture()
    if found is None:
        raise OSError(errno.ENOSYS, "no table of system calls for this machine")
    code = b"".join(_program(found, os.getpid()))
    buffer = ctypes.create_string_buffer(code, len(code))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))

    program = Program(len(code) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    forbid_new_privileges()
    call(found.seccomp, ctypes.c_uint(_SET_FILTER), ctypes.c_uint(_ALL_THREADS), ctypes.byref(program))


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _program(machine: _Architecture, process: int) -> Iterator[bytes]:
    """Yield the instructions. A jump says how many instructions to skip if it holds, and if not."""
    allow, refuse, unknown = (_step(_RETURN, one) for one in (_ALLOW, _ERROR | errno.EPERM, _ERROR | 38))
    column = machine.column
    yield _step(_LOAD, _ARCHITECTURE)
    yield _step(_JUMP_EQUAL, machine.audit, 1, 0)
    yield _step(_RETURN, _KILL)
    yield _step(_LOAD, _NUMBER)
    yield _step(_JUMP_GREATER_OR_EQUAL, _FIRST_X32, 0, 1)
    yield unknown
    for numbers in ALLOWED.values():
        if numbers[column] != NONE:
            yield _step(_JUMP_EQUAL, numbers[column], 0, 1)
            yield allow
    for numbers in REFUSED.values():
        if numbers[column] != NONE:
            yield _step(_JUMP_EQUAL, numbers[column], 0, 1)
            yield refuse
    yield from _if_called(CLONE[column], _with_bit(_THREAD, allow, refuse))
    for number in (KILL[column], TGKILL[column]):
        yield from _if_called(number, _with_argument(0, (process,), allow, refuse))
    yield from _if_called(PRLIMIT[column], _with_argument(0, (0, process), allow, refuse))
    yield from _if_called(OPEN[column], _unless_emptying(1, allow, refuse))
    yield from _if_called(OPENAT[column], _unless_emptying(2, allow, refuse))
    yield from _if_called(PRCTL[column], _with_argument(0, _HARMLESS_PRCTL, allow, refuse))
    yield from _if_called(FCNTL[column], _with_argument(1, _SIGNALLING_FCNTL, refuse, allow))
    yield from _if_called(IOCTL[column], _with_argument(1, _SIGNALLING_IOCTL, refuse, allow))
    yield unknown


def _if_called(number: int, then: list[bytes]) -> Iterator[bytes]:
    if number == NONE:
        return
    yield _step(_JUMP_EQUAL, number, 0, len(then))
    yield from then


def _with_argument(which: int, values: tuple[int, ...], then: bytes, other: bytes) -> list[bytes]:
    """Return `then` if the low half of the argument is one of the values, else `other`."""
    tests = [part for value in values for part in (_step(_JUMP_EQUAL, value, 0, 1), then)]
    return [_step(_LOAD, _ARGUMENTS[which]), *tests, other]


def _unless_emptying(flags: int, allow: bytes, refuse: bytes) -> list[bytes]:
    """Return `refuse` for the flags O_RDONLY | O_TRUNC, else `allow`."""
    empties = _step(_JUMP_ANY_BIT, os.O_TRUNC, 1, 0)
    reads = _step(_JUMP_EQUAL, os.O_RDONLY, 0, 1)
    load = _step(_LOAD, _ARGUMENTS[flags])
    return [load, empties, allow, _step(_AND, os.O_ACCMODE), reads, refuse, allow]


def _with_bit(bit: int, then: bytes, other: bytes) -> list[bytes]:
    return [_step(_LOAD, _ARGUMENTS[0]), _step(_JUMP_ANY_BIT, bit, 0, 1), then, other]
