"""The address of a server in a recipe: which host and port a person is asked about, and may be connected
to.

A person who agreed to `router.local:80` knows that it is in the own network; one who agreed to
`example.org:80` does not expect it there. So a name that looks public must lead to a public address.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

from liven.runtime.capability import Capability
from liven.runtime.capability.capability import uses_host
from liven.runtime.errors import CallFailedError
from liven.runtime.library.fetching.public_address import PrivateAddressError, is_address, is_public

LONGEST: Final = 2_000
_OWN: Final = (".local", ".localhost", ".lan", ".home", ".internal", ".home.arpa", ".localdomain")
"""Endings of names that only the own network knows; RFC 6762, 8375, 6761, and the habits of routers."""


@dataclass(frozen=True, slots=True)
class HostAddress:
    """The address of a server."""

    url: str
    scheme: str
    host: str
    port: int

    @property
    def is_own(self) -> bool:
        """True if the name says that the server is this computer or in its own network."""
        if is_address(self.host):
            return not is_public(self.host)
        return "." not in self.host.rstrip(".") or self.host.rstrip(".").endswith(_OWN)

    @property
    def named(self) -> frozenset[str]:
        """The hosts that may have a private address."""
        return frozenset({f"{self.host}:{self.port}"}) if self.is_own else frozenset()

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def host_address(url: str, ports: Mapping[str, int]) -> HostAddress:
    """Return the address in a URL. `ports` are the schemes that are allowed, with their usual ports. Raise
    CallFailedError for other URLs."""
    schemes = " or ".join(f"{one}://" for one in ports)
    if len(url) > LONGEST or not url.isascii() or not url.isprintable() or " " in url:
        raise CallFailedError(
            f"{url[:80]!r} is not a URL; write {schemes} and the address, others than letters as %20"
        )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise CallFailedError(f"{url[:80]!r} is not a URL: {error}") from None
    _refuse(url, parts, ports, schemes)
    host = (parts.hostname or "").lower()
    return HostAddress(url, parts.scheme, host, ports[parts.scheme] if port is None else port)


def allowed_address(address: HostAddress) -> str:
    """Return the first address of a host that may be connected to; raise OSError. It blocks."""
    refused = ""
    for found in socket.getaddrinfo(address.host, address.port, 0, socket.SOCK_STREAM):
        place = str(found[4][0])
        if address.is_own or is_public(place):
            return place
        refused = refused or place
    raise PrivateAddressError(address.host, refused)


def host_capabilities(url: str, ports: Mapping[str, int]) -> tuple[Capability, ...]:
    """Return the capability of an object that uses the server; none for a URL that it will refuse."""
    try:
        found = host_address(url, ports)
    except CallFailedError:
        return ()
    return uses_host(found.host, found.port)


def _refuse(url: str, parts: SplitResult, ports: Mapping[str, int], schemes: str) -> None:
    if parts.scheme not in ports:
        raise CallFailedError(f"{url[:80]!r} does not begin with {schemes}")
    if not parts.hostname:
        raise CallFailedError(f"{url[:80]!r} names no computer")
    if parts.username is not None or parts.password is not None:
        raise CallFailedError(
            "a URL in a recipe holds no password: everybody who has the recipe would have it"
        )
