"""The check of the chosen interface: everything that others need to reach this machine over it."""

from __future__ import annotations

import fcntl
import ipaddress
import socket
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path

from liven.app.doctor.finding import Finding, State
from liven.app.doctor.network import interfaces, try_multicast
from liven.app.network.settings import SettingError, engine_config, read_settings
from liven.multicast.key_file import KeyFileError, fingerprint, read_keys
from liven.multicast.socket_engine import EngineConfig
from liven.runtime.user_folders import UserFolders

_SUBJECT = "Network"
_SIOCGIFMTU = 0x8921
_HEADERS = 28
"""Bytes of the IPv4 and UDP headers of a datagram."""
_RECEIVE_ROOM = Path("/proc/sys/net/core/rmem_max")
_ROOM_WANTED = 4 * 1024 * 1024
_WITHIN = 1.0
Lack = tuple[State, str, str]
"""State, finding and advice."""


def examine_reach(environment: Mapping[str, str], folders: UserFolders) -> Finding:
    """Check the network settings and what they require of this machine."""
    try:
        config = engine_config(folders, read_settings(folders, environment))
    except SettingError as error:
        return Finding(_SUBJECT, State.BROKEN, str(error), "correct the setting; see docs/operator-guide.md")
    lacks = list(_lacks(config))
    if not lacks:
        return Finding(_SUBJECT, State.OK, _says(config))
    worst = State.BROKEN if any(state is State.BROKEN for state, _, _ in lacks) else State.MISSING
    return Finding(
        _SUBJECT,
        worst,
        f"{config.interface}: " + "; ".join(what for _, what, _ in lacks),
        "; ".join(fix for _, _, fix in lacks),
    )


def _is_own(config: EngineConfig) -> bool:
    return ipaddress.IPv4Address(config.interface).is_loopback


def _says(config: EngineConfig) -> str:
    where = "loopback only: others cannot reach this machine" if _is_own(config) else config.interface
    if config.keys is None:
        return f"{where}; nothing is encrypted: other users of this machine can read and forge messages"
    if not config.keys.exists():
        return f"{where}; encrypted, with a key that the first start creates in {config.keys}"
    return f"{where}; encrypted with key {fingerprint(read_keys(config.keys))} of {config.keys}"


def _lacks(config: EngineConfig) -> Iterator[Lack]:
    yield from _key_lacks(config)
    if not _is_own(config):
        yield from _interface_lacks(config)
        yield from _room_lacks()
    if config.service:
        yield from _service_lacks(config.service)


def _key_lacks(config: EngineConfig) -> Iterator[Lack]:
    if config.keys is None:
        return
    if not config.keys.exists():
        if config.service:
            fix = f"copy the key file of the membership service's machine to {config.keys}"
            yield State.BROKEN, f"there is no cluster key in {config.keys}", fix
        return
    try:
        read_keys(config.keys)
    except KeyFileError as error:
        yield State.BROKEN, str(error), f"correct {config.keys}, or copy it again from another machine"


def _interface_lacks(config: EngineConfig) -> Iterator[Lack]:
    known = {each.address: each for each in interfaces()}
    found = known.get(config.interface)
    if found is None:
        others = ", ".join(address for address in known if address != "127.0.0.1") or "none but loopback"
        yield State.BROKEN, "no interface that is up has this address", f"choose one that has: {others}"
        return
    if not found.multicast:
        fix = f"ip link set {found.name} multicast on"
        yield State.BROKEN, f"{found.name} does not carry multicast", fix
    largest = _mtu(found.name) - _HEADERS
    if config.settings["packet_size"] > largest:
        fix = f"set packet_size to {largest} on all machines"
        size = config.settings["packet_size"]
        what = f"packets of {size} bytes do not fit {found.name}, which takes smaller ones"
        yield State.MISSING, what, fix
    try:
        try_multicast(config.interface)
    except OSError as error:
        why = "nothing came back" if isinstance(error, TimeoutError) else error.strerror or str(error)
        fix = "let the firewall pass UDP to 239.255.0.0/16, and IGMP"
        yield State.BROKEN, f"a datagram sent to a group over {found.name} does not arrive: {why}", fix


def _mtu(name: str) -> int:
    request = struct.pack("256s", name.encode()[:15])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        (size,) = struct.unpack("16xi", fcntl.ioctl(probe, _SIOCGIFMTU, request)[:20])
    return int(size)


def _room_lacks() -> Iterator[Lack]:
    try:
        room = int(_RECEIVE_ROOM.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return
    if room < _ROOM_WANTED:
        fix = f"sysctl -w net.core.rmem_max={8 * _ROOM_WANTED}"
        yield (
            State.MISSING,
            f"the kernel buffers only {room // 1024} KiB for a busy program, then drops packets",
            fix,
        )


def _service_lacks(service: str) -> Iterator[Lack]:
    host, _, port = service.rpartition(":")
    try:
        socket.create_connection((host, int(port)), _WITHIN).close()
    except OSError as error:
        why = "no answer" if isinstance(error, TimeoutError) else error.strerror or str(error)
        fix = f"there: liven serve --interface {host} --service-port {port}, and open TCP port {port}"
        yield State.BROKEN, f"no membership service at {service}: {why}", fix
