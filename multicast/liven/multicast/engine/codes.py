"""Result codes of the core as exceptions, and its texts and names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from liven.multicast._core import ffi, lib
from liven.multicast.errors import BadRangeError, CoreMemoryError, MulticastError, SetFullError

_KINDS: dict[int, type[MulticastError]] = {-1: CoreMemoryError, -2: BadRangeError, -3: SetFullError}


def core_version() -> str:
    """Return the version of the loaded C core."""
    return text(lib.mcast_version())


def check(code: int) -> None:
    """Raise the error of a code other than 0."""
    if code != 0:
        raise _KINDS.get(code, MulticastError)(code, error_text(code))


def error_text(code: int) -> str:
    """Return the meaning of a code of the core."""
    return text(lib.mcast_strerror(code))


def measure_names() -> tuple[str, ...]:
    """Return the names of the measurements of a member."""
    return names(lib.sim_measure_name)


def text(pointer: Any) -> str:
    """Return a string of the core; empty for NULL."""
    return "" if pointer == ffi.NULL else str(ffi.string(pointer).decode("utf-8"))


def names(at: Callable[[int], Any]) -> tuple[str, ...]:
    """Return the strings that `at` gives for 0, 1, … until it gives none."""
    found: list[str] = []
    while at(len(found)) != ffi.NULL:
        found.append(text(at(len(found))))
    return tuple(found)
