"""Connecting to servers of the public network only.

A URL in a recipe is a stranger's. It must not make this computer talk to itself, to a printer, or to the
router: those take their neighbours for friends. The address is judged that is then connected to, so a name
that means another address a moment later (DNS rebinding) gains nothing. A person can name hosts that are
meant, in the settings.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
"""IPv4 addresses behind a translator; RFC 6052."""
_COMPATIBLE: Final = ipaddress.ip_network("::/96")
"""IPv4 addresses in an old form of IPv6; RFC 4291, 2.5.5.1."""


class PrivateAddressError(OSError):
    """Raised for a host whose addresses are all private, link-local or loopback."""

    def __init__(self, host: str, address: str) -> None:
        which = "" if host == address else f"{address}, "
        super().__init__(
            f"{host} is {which}an address of this computer or its own network, which a recipe must not reach;"
            f' if you mean it, add "{host}" to private_hosts below [libraries] in config.toml,'
            " whose folder liven doctor names, and restart the object"
        )


def is_address(text: str) -> bool:
    """Return True for the number of an address, not a name."""
    try:
        ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    return True


def is_named(host: str, port: int | None, named: frozenset[str]) -> bool:
    """Return True if a person has named this host, or this port of it."""
    return not named.isdisjoint((host.lower(), f"{host.lower()}:{port}"))


def is_public(text: str) -> bool:
    """Return True for an address of the public network. An address inside another counts as itself."""
    try:
        address: Address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    judged = (mapped,) if mapped is not None else (address, *_inside(address))
    return all(one.is_global and not one.is_multicast for one in judged)


def _inside(address: Address) -> Iterator[Address]:
    """Yield the IPv4 addresses that an IPv6 address stands for: packets may go there."""
    if not isinstance(address, ipaddress.IPv6Address):
        return
    known = (address.sixtofour, *(address.teredo or ()))
    yield from (one for one in known if one is not None)
    if address in _NAT64 or address in _COMPATIBLE:
        yield ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)


def connect_public(
    where: tuple[str, int], timeout: float | None, source: Any, named: frozenset[str]
) -> socket.socket:
    """Return a connection to the first public address of a host that answers, or to any address of a host in
    `named`; raise OSError. The name is resolved once."""
    host, port = where
    refused = ""
    failure: OSError | None = None
    for family, kind, protocol, _, place in socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM):
        address = str(place[0])
        if not is_named(host, port, named) and not is_public(address):
            refused = refused or address
            continue
        try:
            return _connected(family, kind, protocol, place, timeout, source)
        except OSError as error:
            failure = error
    if failure is None and refused:
        raise PrivateAddressError(host, refused)
    raise failure or OSError(f"{host} has no address")


def _connected(
    family: int, kind: int, protocol: int, place: Any, timeout: float | None, source: Any
) -> socket.socket:
    stream = socket.socket(family, kind, protocol)
    try:
        if timeout is not socket._GLOBAL_DEFAULT_TIMEOUT:  # type: ignore[attr-defined]  # as http.client says
            stream.settimeout(timeout)
        if source:
            stream.bind(source)
        stream.connect(place)
    except BaseException:
        stream.close()
        raise
    return stream
