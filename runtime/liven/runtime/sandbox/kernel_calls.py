"""System calls without a wrapper in Python, by their numbers, with errors as OSError."""

from __future__ import annotations

import ctypes
import os
from typing import Final

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_NO_NEW_PRIVS: Final = 38
_libc = ctypes.CDLL(None, use_errno=True)


def call(number: int, *arguments: object) -> int:
    """Make the system call; raise OSError if it fails."""
    result = int(_libc.syscall(number, *arguments))
    if result < 0:
        _fail()
    return result


def forbid_new_privileges() -> None:
    """Give up, for good, the privileges that starting a program may bring. The kernel asks for this before
    an ordinary user may restrict a process, see no_new_privs in prctl(2)."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def end_with_parent(signal: int) -> None:
    """Let the kernel send `signal` to this process when its parent has ended."""
    _prctl(_PR_SET_PDEATHSIG, signal)


def _prctl(option: int, value: int) -> None:
    zero = ctypes.c_ulong(0)
    if _libc.prctl(option, ctypes.c_ulong(value), zero, zero, zero) < 0:
        _fail()


def _fail() -> None:
    number = ctypes.get_errno()
    raise OSError(number, os.strerror(number))
