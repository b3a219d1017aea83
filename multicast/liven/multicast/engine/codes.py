"""What the core's codes mean, and the texts and names it hands out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from liven.multicast._core import ffi, lib
from liven.multicast.errors import BadRangeError, CoreMemoryError, MulticastError, SetFullError

_KINDS: dict[int, type[MulticastError]] = {-1: CoreMemoryError, -2: BadRangeError, -3: SetFullError}


def core_version() -> str:
    """The version of the C core that is loaded."""
    return text(lib.mcast_version())


def check(code: int) -> None:
    """Raises the error of a code, but for 0."""
    if code != 0:
        raise _KINDS.get(code, MulticastError)(code, error_text(code))


def error_text(code: int) -> str:
    """What a code of the core means."""
    return text(lib.mcast_strerror(code))


def measure_names() -> tuple[str, ...]:
    """What a member measures."""
    return names(lib.sim_measure_name)


def text(pointer: Any) -> str:
    """A string of the core; empty for none."""
    return "" if pointer == ffi.NULL else str(ffi.string(pointer).decode("utf-8"))


def names(at: Callable[[int], Any]) -> tuple[str, ...]:
    """The strings that `at` gives for 0, 1, … until it gives none."""
    found: list[str] = []
    while at(len(found)) != ffi.NULL:
        found.append(text(at(len(found))))
    return tuple(found)
