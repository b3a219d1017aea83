"""The checks of multicast on loopback and of the network interfaces."""

from __future__ import annotations

import fcntl
import os
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass

from liven.app.doctor.finding import Finding, State
from liven.runtime.user_folders import UserFolders

_GROUP = "239.255.77.1"
_LOOPBACK = "127.0.0.1"
_WITHIN = 1.0
_IP_MULTICAST_ALL = 49  # from <linux/in.h>; Python's socket module lacks it
_SIOCGIFFLAGS, _SIOCGIFADDR = 0x8913, 0x8915
_UP, _MULTICAST = 0x1, 0x1000


@dataclass(frozen=True, slots=True)
class Interface:
    """An interface that is up and has an IPv4 address."""

    name: str
    address: str
    multicast: bool


def examine_multicast(_environment: Mapping[str, str], _folders: UserFolders) -> Finding:
    """Send a datagram to a group on loopback and wait for it."""
    try:
        try_multicast(_LOOPBACK)
    except OSError as error:
        why = "nothing came back" if isinstance(error, TimeoutError) else error.strerror or str(error)
        fix = "ip link set lo multicast on; ip route add 239.0.0.0/8 dev lo; let the firewall pass UDP to it"
        return Finding("Multicast", State.BROKEN, f"does not work on loopback: {why}", fix)
    return Finding("Multicast", State.OK, "a datagram returned over loopback")


def try_multicast(interface: str) -> None:
    """Send a datagram to a group over an interface and receive it; raise OSError if that fails."""
    word = os.urandom(16)
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender,
    ):
        # Receive only the groups that this socket joined, not those of other programs.
        receiver.setsockopt(socket.IPPROTO_IP, _IP_MULTICAST_ALL, 0)
        receiver.bind((_GROUP, 0))
        membership = socket.inet_aton(_GROUP) + socket.inet_aton(interface)
        receiver.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
        receiver.settimeout(_WITHIN)
        sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(interface))
        sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
        sender.sendto(word, receiver.getsockname())
        while receiver.recv(64) != word:
            pass


def examine_interfaces(_environment: Mapping[str, str], _folders: UserFolders) -> Finding:
    """List the active interfaces and whether each carries multicast."""
    shown = [
        f"{each.name} {each.address} ({'multicast' if each.multicast else 'no multicast'})"
        for each in interfaces()
    ]
    if not shown:
        return Finding(
            "Interfaces", State.BROKEN, "no interface is up, not even loopback", "ip link set lo up"
        )
    return Finding("Interfaces", State.OK, "; ".join(shown) + "; Liven uses loopback by default")


def interfaces() -> list[Interface]:
    """Return the interfaces that are up and have an IPv4 address."""
    return [found for _, name in socket.if_nameindex() if (found := _interface(name)) is not None]


def _interface(name: str) -> Interface | None:
    request = struct.pack("256s", name.encode()[:15])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            flags = struct.unpack("16xH", fcntl.ioctl(probe, _SIOCGIFFLAGS, request)[:18])[0]
            address = socket.inet_ntoa(fcntl.ioctl(probe, _SIOCGIFADDR, request)[20:24])
        except OSError:
            return None
    if not flags & _UP:
        return None
    return Interface(name, address, bool(flags & _MULTICAST) or name == "lo")
