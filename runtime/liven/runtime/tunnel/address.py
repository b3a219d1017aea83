"""The address of an endpoint: a reference to an external endpoint as text."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ADDRESS = re.compile(r"liven-endpoint:(?P<socket>/[^#\0]+)#(?P<key>[0-9a-f]{32})")


class AddressError(ValueError):
    """A text that is not the address of an endpoint."""


@dataclass(frozen=True, slots=True)
class Address:
    """The socket of a process, and the key of an endpoint that it offers,
    which allows anybody to connect."""

    socket: str
    key: str

    @classmethod
    def parse(cls, text: str) -> Address:
        """Read the text form; raise AddressError."""
        found = _ADDRESS.fullmatch(text.strip())
        if found is None:
            raise AddressError(f"{text[:80]!r} is not the address of an endpoint: liven-endpoint:/SOCKET#KEY")
        return cls(found["socket"], found["key"])

    def __str__(self) -> str:
        return f"liven-endpoint:{self.socket}#{self.key}"
