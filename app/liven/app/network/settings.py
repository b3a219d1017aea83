"""The network settings: one table, read from `config.toml`, environment variables and arguments.

Arguments override the environment, which overrides the file. docs/operator-guide.md shows the same table.
"""

from __future__ import annotations

import argparse
import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from liven.app import config_file
from liven.multicast.socket_engine import EngineConfig, default_place
from liven.runtime.user_folders import UserFolders

Value = int | float | str | bool
SECTION = "multicast"
KEY_FILE = "cluster.key"
REGIONS_MOST = 32
"""Most regions of a group with an address of its own: the numbers of all must fit into one datagram."""


class SettingError(ValueError):
    """Raised for an invalid setting; the message names its source, the error and the valid values."""


def _whole(low: int, high: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if isinstance(value, str):
            value = int(value.replace("_", ""))
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return value

    return read


def _seconds(value: object) -> float:
    number = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else -1.0
    if not 0 <= number <= 86_400:
        raise ValueError("a number of seconds from 0 to 86400")
    return number


def _silence(value: object) -> float:
    seconds = _seconds(value)
    if not 2 <= seconds <= 3600:
        raise ValueError("from 2 to 3600 seconds; members send at least once a second")
    return seconds


def _regions(value: object) -> int:
    number = _whole(0, REGIONS_MOST)(value)
    if number == 1:
        raise ValueError(
            f"0, or a whole number from 2 to {REGIONS_MOST}; a group of one region needs no other address"
        )
    return number


def _yes(value: object) -> bool:
    known = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
    if isinstance(value, bool):
        return value
    if not isinstance(value, str) or value.lower() not in known:
        raise ValueError("true or false")
    return known[value.lower()]


_EVERYBODY = ipaddress.IPv4Address("255.255.255.255")


def _interface(value: object) -> str:
    address = ipaddress.IPv4Address(str(value)) if _is_numbered(str(value)) else _EVERYBODY
    if address.is_unspecified or address.is_multicast or address == _EVERYBODY:
        raise ValueError("the address of one interface of this machine, such as 127.0.0.1 or 192.168.1.7")
    return str(address)


def _service(value: object) -> str:
    text = str(value)
    host, colon, port = text.rpartition(":")
    if text and not (colon and _is_address(host) and port.isdecimal() and 1 <= int(port) <= 65_535):
        raise ValueError("ADDRESS:PORT, such as 192.168.1.7:28199, or empty")
    return text


def _is_address(text: str) -> bool:
    return _is_numbered(text) and not ipaddress.IPv4Address(text).is_multicast


def _is_numbered(text: str) -> bool:
    try:
        return bool(ipaddress.IPv4Address(text))
    except ValueError:
        return False


def _path(value: object) -> str:
    text = str(value)
    if text and not Path(text).is_absolute():
        raise ValueError("a path from the root, or empty")
    return text


@dataclass(frozen=True, slots=True)
class Setting:
    """One row of the table."""

    name: str
    default: Value
    read: Callable[[object], Value]
    allowed: str
    meaning: str
    unset: str = ""
    """The meaning of an empty default."""

    @property
    def variable(self) -> str:
        """The name of the environment variable."""
        return f"LIVEN_{self.name.upper()}"

    @property
    def shown(self) -> str:
        """The default, in readable form."""
        return self.unset or str(self.default).lower()

    @property
    def option(self) -> str:
        """The name of the command-line option."""
        return "--" + self.name.replace("_", "-")


SETTINGS = (
    Setting(
        "interface",
        "127.0.0.1",
        _interface,
        "an address of this machine",
        "the address on which everything listens",
    ),
    Setting(
        "authentication",
        True,
        _yes,
        "true; false only on loopback",
        "encrypt everything with the cluster key, and ignore members without it",
    ),
    Setting(
        "key_file", "", _path, "a path", "the file with the cluster key", "cluster.key beside config.toml"
    ),
    Setting("service", "", _service, "ADDRESS:PORT", "the address of the membership service", "this machine"),
    Setting(
        "service_port",
        28_199,
        _whole(1, 65_535),
        "1 to 65535",
        "the port on which a service listens for other machines",
    ),
    Setting(
        "cluster",
        1,
        _whole(1, 2**32 - 1),
        "1 to 4294967295",
        "the number of this cluster; other clusters are ignored",
    ),
    Setting("start_service", True, _yes, "true or false", "start a service if none is running"),
    Setting(
        "service_idle",
        30.0,
        _seconds,
        "seconds",
        "a service started that way ends after this time without members",
    ),
    Setting(
        "suspicion",
        5.0,
        _silence,
        "2 to 3600 seconds",
        "a service removes members that are silent for this time",
    ),
    Setting(
        "hybrid_regions",
        0,
        _regions,
        "0 for none; 2 to 32",
        "a group with at least this many regions gets an address of its own",
    ),
    Setting("log_file", "", _path, "a path", "the log of views, evictions and services, in JSON", "none"),
    Setting("packet_size", 1472, _whole(576, 65507), "576 to 65507", "the largest datagram, in bytes"),
    Setting("window_cap", 96 << 20, _whole(1 << 20, 1 << 30), "1 MiB to 1 GiB", "bytes in flight per region"),
    Setting("rate_cap", 0, _whole(0, 2**40), "0 for no bound", "bytes per second that a node may send"),
)
_OF_THE_CORE = ("packet_size", "window_cap", "rate_cap")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add an option for each setting."""
    group = parser.add_argument_group("network")
    for setting in SETTINGS:
        text = f"{setting.meaning}; {setting.allowed} (default: {setting.shown})"
        group.add_argument(setting.option, metavar="VALUE", help=text)


def read_settings(
    folders: UserFolders, environment: Mapping[str, str], arguments: argparse.Namespace | None = None
) -> dict[str, Value]:
    """Return the value of every setting; raise SettingError for invalid values and unknown names."""
    path = folders.config / config_file.NAME
    written = config_file.section(path, SECTION, {setting.name for setting in SETTINGS}, SettingError)
    values: dict[str, Value] = {}
    for setting in SETTINGS:
        given = getattr(arguments, setting.name, None)
        if given is not None:
            values[setting.name] = _value(setting, given, setting.option)
        elif setting.variable in environment:
            values[setting.name] = _value(setting, environment[setting.variable], setting.variable)
        elif setting.name in written:
            values[setting.name] = _value(setting, written[setting.name], f"{path}: {SECTION}.{setting.name}")
        else:
            values[setting.name] = setting.default
    return values


def _value(setting: Setting, given: object, where: str) -> Value:
    try:
        return setting.read(given)
    except ValueError as error:
        raise SettingError(f"{where} is {given!r}; it must be {error}") from error


def engine_config(folders: UserFolders, values: Mapping[str, Value]) -> EngineConfig:
    """Return the engine's configuration; raise SettingError for settings that contradict each other."""
    interface, service = str(values["interface"]), str(values["service"])
    own = ipaddress.IPv4Address(interface).is_loopback
    if not values["authentication"] and not (own and _is_own(service)):
        raise SettingError(
            f"authentication is off, and other machines can reach {service or interface}: they could read "
            "and forge messages; switch it on, or stay on 127.0.0.1"
        )
    return EngineConfig(
        default_place(folders.runtime),
        interface=interface,
        cluster=int(values["cluster"]),
        start_service=bool(values["start_service"]),
        service_idle=float(values["service_idle"]),
        log=Path(str(values["log_file"])) if values["log_file"] else None,
        suspicion=float(values["suspicion"]),
        hybrid_regions=int(values["hybrid_regions"]),
        keys=key_file(folders, values) if values["authentication"] else None,
        service=service,
        listen_at="" if own else f"{interface}:{values['service_port']}",
        settings={name: int(values[name]) for name in _OF_THE_CORE},
    )


def key_file(folders: UserFolders, values: Mapping[str, Value]) -> Path:
    """Return the path of the file with the cluster's keys."""
    return Path(str(values["key_file"])) if values["key_file"] else folders.config / KEY_FILE


def _is_own(service: str) -> bool:
    return not service or ipaddress.IPv4Address(service.rpartition(":")[0]).is_loopback
