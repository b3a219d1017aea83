"""The world of one schedule: its machines, programs, service and network, in one of three shapes.

home    all programs are of one user: one data folder, in which they take over each other's logs
desks   every program has a data folder of its own; they share a membership service
hosts   every program is on a host of its own, a network namespace, with a service on the first
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.chaos.cleanup import VARIABLE, end_processes
from tests.chaos.judge import Alone, Exemption
from tests.chaos.machine import ROOT, Machine, Member
from tests.chaos.plan import Plan
from tests.chaos.power_cut import FaultySystem

sys.path.insert(0, str(ROOT / "bench"))
from multicast_figures.network_namespaces import Segment, ip, why_not

from liven.multicast.key_file import ensure_keys
from liven.multicast.socket_engine import default_place
from liven.runtime.user_folders import UserFolders

__all__ = ["SUSPICION", "World", "why_not"]

SUSPICION: Final = 3.0
"""Seconds after which a silent program is removed; the default of 5 takes longer to test."""
_PORT: Final = 28_199
_LOOK_EVERY: Final = 0.05
_SERVICE_WITHIN: Final = 10.0


def strain() -> float:
    """Return by how much longer everything takes than on a machine with two things to do a processor."""
    return max(1.0, os.getloadavg()[0] / (2 * (os.cpu_count() or 1)))


class World:
    """One world. `close` ends everything in it."""

    def __init__(self, plan: Plan, folder: Path, library: Path, token: str) -> None:
        shape, members, seed, age = plan.shape, plan.members, plan.seed, plan.age
        self.shape = shape
        self.folder = folder
        self.token = token
        self.exempt: list[Exemption] = []
        self.alone: list[Alone] = []
        self.members: list[Member] = []
        self._library = library
        self._seed = seed
        self._segment: Segment | None = None
        self._service: subprocess.Popen[bytes] | None = None
        self._machines: list[Machine] = []
        self._cut: list[int] = []
        if age:
            self._age_service(age)
        for name in ("side", "out", "copies"):
            (folder / name).mkdir(parents=True)
        if shape == "hosts":
            self._segment = Segment(members)
            ip(
                "-n",
                self._segment.switch,
                "link",
                "add",
                "elsewhere",
                "type",
                "bridge",
                "mcast_snooping",
                "0",
            )
            ip("-n", self._segment.switch, "link", "set", "elsewhere", "up")
            ensure_keys(self.key)
            self.start_service()
        for _ in range(members):
            self.add_member()

    @property
    def key(self) -> Path:
        """The key that hosts share."""
        return self.folder / "cluster.key"

    # Programs

    def add_member(self, data: Path | None = None) -> Member:
        """Add a program that has not been started; on a machine of its own, if it does not share one."""
        number = len(self.members)
        if self.shape == "home" and self._machines:
            machine = self._machines[0]
        else:
            machine = self._machine(number)
            self._machines.append(machine)
        if data is not None:
            machine.put_data(data)
        made = Member(f"m{number}", machine, self.folder, self._seed + 1000 * number)
        self.members.append(made)
        return made

    def _machine(self, number: int) -> Machine:
        name = "home" if self.shape == "home" else f"machine{number}"
        tree = self.folder / name
        tree.mkdir(exist_ok=True)
        system = FaultySystem(self._library, tree, self.folder / f"{name}-faults")
        settings = {"LIVEN_SUSPICION": str(SUSPICION)}
        prefix: list[str] = []
        if self._segment is not None:
            key = tree / "cluster.key"
            shutil.copy(self.key, key)
            settings |= {
                "LIVEN_INTERFACE": self._segment.address(number),
                "LIVEN_SERVICE": f"{self._segment.address(0)}:{_PORT}",
                "LIVEN_KEY_FILE": str(key),
            }
            prefix = self._segment.inside(number)
        home = self.folder / "shared" if self.shape == "desks" else tree
        return Machine(system, home, tree / "data", self.token, prefix, settings)

    def neighbours(self, member: Member) -> list[Member]:
        """Return the programs on the same machine, with this one."""
        return [each for each in self.members if each.machine is member.machine]

    def look(self) -> None:
        """Read what the programs reported."""
        for member in self.members:
            member.look()

    def wait(self, true: Callable[[], bool], seconds: float) -> bool:
        """Wait until something is true. Return False if it is not within the time, of which a part counts for
        less while the machine has more to do than it can."""
        passed, before = 0.0, time.monotonic()
        while True:
            self.look()
            if true():
                return True
            if passed > seconds:
                return False
            time.sleep(_LOOK_EVERY)
            now = time.monotonic()
            passed, before = passed + (now - before) / strain(), now

    # The membership service

    def _age_service(self, generation: int) -> None:
        """Let the next service be of a later generation, as after so many restarts."""
        of_shape = {"home": "home", "desks": "shared", "hosts": "operator"}
        runtime = UserFolders.below(self.folder / of_shape[self.shape]).runtime
        runtime.mkdir(parents=True, mode=0o700)
        default_place(runtime).lock.write_text(f"{generation:<20}\n")

    def start_service(self) -> None:
        """Start the service of the hosts, as an operator does. Elsewhere, programs start one themselves."""
        if self._segment is None or self._service is not None:
            return
        operator = self.folder / "operator"
        environment = {**os.environ, "LIVEN_HOME": str(operator), VARIABLE: self.token}
        words = [*self._segment.inside(0), sys.executable, "-m", "liven.app.main", "serve"]
        words += ["--interface", self._segment.address(0), "--key-file", str(self.key)]
        words += ["--suspicion", str(SUSPICION)]
        with (self.folder / "out" / "service.txt").open("ab") as out:
            self._service = subprocess.Popen(
                words,
                cwd=ROOT,
                env=environment,
                stdout=out,
                stderr=subprocess.STDOUT,
            )

    def kill_service(self) -> bool:
        """Kill the service. Return False if none is known."""
        if self._segment is not None:
            if self._service is None:
                return False
            self._service.kill()
            self._service.wait()
            self._service = None
            return True
        for pid in self.service_processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            return True
        return False

    def service_processes(self) -> list[int]:
        """Return the services that report to the runtime folder."""
        found = []
        for status in (self._machines[0].home / "run").glob("*.json"):
            with suppress(OSError, ValueError, KeyError):
                pid = int(json.loads(status.read_bytes())["pid"])
                environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
                if f"{VARIABLE}={self.token}".encode() in environment:
                    found.append(pid)
        return found

    # The network

    @property
    def is_cut(self) -> bool:
        """True while hosts are separated."""
        return bool(self._cut)

    def cut(self, hosts: list[int]) -> None:
        """Connect these hosts to another bridge, away from the rest."""
        assert self._segment is not None
        self._cut = hosts
        for host in hosts:
            ip("-n", self._segment.switch, "link", "set", f"port{host}", "master", "elsewhere")

    def heal_cut(self) -> None:
        """Connect all hosts to one bridge again."""
        assert self._segment is not None
        for host in self._cut:
            ip("-n", self._segment.switch, "link", "set", f"port{host}", "master", "bridge")
        self._cut = []

    def plug(self, host: int, state: str) -> None:
        """Unplug a host's cable (`down`), or plug it in again (`up`)."""
        assert self._segment is not None
        self._segment.link(host, state)

    def close(self) -> None:
        """End everything."""
        end_processes(self.token)
        for member in self.members:
            member.kill()
        if self._service is not None:
            self._service.wait()
        if self._segment is not None:
            self._segment.close()
