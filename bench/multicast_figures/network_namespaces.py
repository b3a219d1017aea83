"""Hosts for a measurement: network namespaces with an interface each, joined by a bridge."""

from __future__ import annotations

import os
import shutil
import subprocess

_MTU = 1500


def ip(*words: str) -> None:
    """Run `ip`; raise OSError with its complaint."""
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")


def why_not() -> str:
    """Return why there can be no such hosts here; empty if there can."""
    if shutil.which("ip") is None:
        return "there is no `ip` here: apt install iproute2"
    try:
        Segment(1).close()
    except OSError as error:
        return f"network namespaces are not allowed here: {error}"
    return ""


class Segment:
    """Hosts on one bridge, in a namespace of its own: the machine's own network is not touched."""

    def __init__(self, hosts: int) -> None:
        self.switch = f"lv{os.getpid()}sw"
        """The namespace of the bridge."""
        self._names = [f"lv{os.getpid()}h{number}" for number in range(hosts)]
        self._made: list[str] = []
        try:
            self._make(self.switch)
            ip("-n", self.switch, "link", "add", "bridge", "type", "bridge", "mcast_snooping", "0")
            ip("-n", self.switch, "link", "set", "bridge", "up")
            for number in range(hosts):
                self._plug_in(number)
        except BaseException:
            self.close()
            raise

    def _make(self, name: str) -> None:
        ip("netns", "add", name)
        self._made.append(name)
        ip("-n", name, "link", "set", "lo", "up")

    def _plug_in(self, number: int) -> None:
        name, port = self._names[number], f"port{number}"
        self._make(name)
        ip("-n", self.switch, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", name)
        ip("-n", self.switch, "link", "set", port, "mtu", str(_MTU), "master", "bridge", "up")
        ip("-n", name, "addr", "add", f"{self.address(number)}/24", "dev", "eth0")
        ip("-n", name, "link", "set", "eth0", "mtu", str(_MTU), "up")
        ip("-n", name, "route", "add", "224.0.0.0/4", "dev", "eth0")

    def address(self, number: int) -> str:
        """Return the address of a host."""
        return f"10.77.0.{number + 1}"

    def inside(self, number: int) -> list[str]:
        """Return the prefix that makes a command run on that host."""
        return ["ip", "netns", "exec", self._names[number]]

    def link(self, number: int, state: str) -> None:
        """Unplug a host's cable (`down`), or plug it in again (`up`)."""
        ip("-n", self.switch, "link", "set", f"port{number}", state)

    def close(self) -> None:
        """Remove the hosts and the bridge."""
        for name in reversed(self._made):
            ip("netns", "del", name)
        self._made.clear()
