"""128-bit ids and versions: the names by which classes are known everywhere."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class ClassId:
    """A 128-bit id within a namespace, with the version of either.

    The text form is that of the files: ``namespace`version:component`version``; every part that is zero
    may be left out. Reading accepts braces, dropped leading zeros and either letter case.
    """

    component: int
    version: int = 0
    namespace: int = 0
    namespace_version: int = 0

    @classmethod
    def parse(cls, text: str) -> ClassId:
        """Read the text form; raise ValueError that names the part that is not hexadecimal."""
        head, colon, tail = text.strip().rpartition(":")
        if not (head or tail):
            raise ValueError(f"{text!r} is not an id: it has no digits")
        namespace, namespace_version = _part(head, text) if colon else (0, 0)
        component, version = _part(tail, text)
        return cls(component, version, namespace, namespace_version)

    def __str__(self) -> str:
        head = _print_part(self.namespace, self.namespace_version)
        tail = _print_part(self.component, self.version)
        return f"{head}:{tail}" if self.namespace or self.namespace_version else tail


# Stricter than Python's own idea of a number, which takes signs, prefixes, underscores and other scripts.
_PART = re.compile(r"\s*(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]*))\s*(?:`([0-9]*))?\s*")


def _part(text: str, whole: str) -> tuple[int, int]:
    found = _PART.fullmatch(text)
    if found is None:
        raise ValueError(f"{whole!r} is not an id: {text!r} is not hexadecimal`version")
    braced, plain, version = found.groups()
    number, release = int(braced or plain or "0", 16), int(version or "0")
    if number >= 2**128 or release >= 2**64:
        raise ValueError(f"{whole!r} is not an id: {text!r} is longer than 128 bits or 64 bits of version")
    return number, release


def _print_part(number: int, version: int) -> str:
    return f"{number:032X}`{version}" if version else f"{number:032X}"
