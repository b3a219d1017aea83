"""Several hosts: network namespaces with an interface each, joined by a bridge, with a real MTU.

The members of each host reach the service by authenticated TCP, and one another by multicast over the bridge.
Each run is judged: every member checks order, gaps, duplicates, content and its memory (member_process.py),
and this test compares all members.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from liven.multicast.key_file import ensure_keys

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "bench"))
from multicast_figures.network_namespaces import Segment, why_not

pytestmark = pytest.mark.slow

_PATIENCE = 60.0
_PORT = 28_199
_MEMBER = Path(__file__).with_name("member_process.py")
Facts = dict[str, object]


class Member:
    """A member process on a host."""

    def __init__(self, cluster: Cluster, host: int) -> None:
        self.host = host
        words = [str(cluster.folder / f"host{host}"), cluster.segment.address(host), cluster.service_address]
        self._popen = subprocess.Popen(
            [*cluster.segment.inside(host), sys.executable, str(_MEMBER), *words, str(cluster.key_file)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        facts = self.answer()
        assert isinstance(facts["joined"], int)
        self.mark: int = facts["joined"]

    def say(self, line: str) -> None:
        assert self._popen.stdin is not None
        self._popen.stdin.write(line.encode() + b"\n")
        self._popen.stdin.flush()

    def answer(self) -> Facts:
        assert self._popen.stdout is not None
        ready, _, _ = select.select([self._popen.stdout], [], [], _PATIENCE)
        assert ready, f"the member on host {self.host} says nothing"
        line = self._popen.stdout.readline()
        assert line, f"the member on host {self.host} ended with {self._popen.wait()}"
        facts: Facts = json.loads(line)
        return facts

    def count(self) -> Facts:
        self.say("count")
        return self.answer()

    def heard(self) -> dict[int, int]:
        """Return the count of messages it received of each sender; fail on any fault that it saw."""
        facts = self.count()
        assert facts["faults"] == [], f"on host {self.host}"
        return _numbers(facts["heard"])

    def signal(self, number: int) -> None:
        os.kill(self.mark, number)

    def end(self) -> None:
        if self._popen.poll() is None:
            os.kill(self.mark, signal.SIGCONT)
            os.kill(self.mark, signal.SIGKILL)
        self._popen.communicate()


def _numbers(value: object) -> dict[int, int]:
    assert isinstance(value, dict)
    return {int(key): int(number) for key, number in value.items()}


class Cluster:
    """A service on host 0, and members on all."""

    def __init__(self, folder: Path, hosts: int, suspicion: float = 5.0) -> None:
        self.folder = folder
        self.key_file = folder / "cluster.key"
        ensure_keys(self.key_file)
        self.segment = Segment(hosts)
        self.service_address = f"{self.segment.address(0)}:{_PORT}"
        self._suspicion = suspicion
        self._service: subprocess.Popen[str] | None = None
        self.members: list[Member] = []

    def start_service(self) -> None:
        """Start it as an operator does."""
        environment = {**os.environ, "LIVEN_HOME": str(self.folder / "operator")}
        words = ["--interface", self.segment.address(0), "--key-file", str(self.key_file)]
        words += ["--suspicion", str(self._suspicion)]
        self._service = subprocess.Popen(
            [*self.segment.inside(0), sys.executable, "-m", "liven.app.main", "serve", *words],
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )
        assert self._service.stdout is not None
        assert self.service_address in self._service.stdout.readline()

    def kill_service(self) -> None:
        assert self._service is not None
        self._service.kill()
        self._service.communicate()

    def start(self, *hosts: int) -> list[Member]:
        """Start a member on each host, and wait until all see all."""
        fresh = [Member(self, host) for host in hosts]
        self.members += fresh
        self.until(lambda: all(each.count()["members"] == len(self.members) for each in self.members))
        return fresh

    def until(self, true: Callable[[], bool]) -> None:
        limit = time.monotonic() + _PATIENCE
        while not true():
            assert time.monotonic() < limit, [each.count() for each in self.members]
            time.sleep(0.05)

    def judge(self, members: list[Member]) -> None:
        """Check that no member saw a fault, and that members with the same view saw the same members in
        it."""
        seen: dict[str, object] = {}
        for member in members:
            facts = member.count()
            assert facts["faults"] == [], f"on host {member.host}"
            assert isinstance(facts["views"], dict)
            for number, names in facts["views"].items():
                assert seen.setdefault(number, names) == names, f"view {number} on host {member.host}"

    def close(self) -> None:
        for member in self.members:
            member.end()
        if self._service is not None:
            self.kill_service()
        self.segment.close()


@pytest.fixture(scope="session")
def _allowed() -> None:
    reason = why_not()
    if reason:
        pytest.skip(reason)


@pytest.fixture
def make(tmp_path: Path, _allowed: None) -> Iterator[Callable[..., Cluster]]:
    """Make a cluster on so many hosts, with its service."""
    made: list[Cluster] = []

    def cluster(hosts: int, suspicion: float = 5.0) -> Cluster:
        made.append(Cluster(tmp_path, hosts, suspicion))
        made[-1].start_service()
        return made[-1]

    yield cluster
    for each in made:
        each.close()


Make = Callable[..., Cluster]


def all_heard(members: list[Member], sent: dict[int, int]) -> Callable[[], bool]:
    return lambda: all(member.heard() == sent for member in members)


def test_all_hosts_receive_all_messages_in_order(make: Make) -> None:
    cluster = make(4)
    members = cluster.start(0, 1, 2, 3)
    for member in members:
        member.say("send 3000 1000 1500")
    cluster.until(all_heard(members, {member.mark: 3000 for member in members}))
    cluster.judge(members)


def test_messages_larger_than_the_mtu_arrive_whole(make: Make) -> None:
    cluster = make(3)
    members = cluster.start(0, 1, 2)
    members[1].say("send 40 300000 20")
    cluster.until(all_heard(members, {members[1].mark: 40}))
    cluster.judge(members)


def test_several_members_on_each_host_and_loss_at_each(make: Make) -> None:
    cluster = make(3)
    members = cluster.start(0, 1, 2, 0, 1, 2)
    for member in members:
        member.say("lose 0.03")
        member.say("send 1000 700 500")
    cluster.until(all_heard(members, {member.mark: 1000 for member in members}))
    cluster.judge(members)


def test_the_others_agree_on_the_messages_of_a_killed_member(make: Make) -> None:
    cluster = make(4)
    members = cluster.start(0, 1, 2, 3)
    victim, others = members[3], members[:3]
    for member in members:
        member.say("send 6000 300 1500")
    cluster.until(lambda: others[0].heard().get(victim.mark, 0) > 500)
    victim.signal(signal.SIGKILL)
    victim.end()
    cluster.members.remove(victim)
    cluster.until(lambda: all(each.count()["members"] == 3 for each in others))
    cluster.until(lambda: all(each.heard()[other.mark] == 6000 for each in others for other in others))
    assert len({each.heard()[victim.mark] for each in others}) == 1
    cluster.judge(others)


def test_a_member_that_sleeps_unsuspected_catches_up(make: Make) -> None:
    cluster = make(3, suspicion=30.0)
    members = cluster.start(0, 1, 2)
    members[0].say("send 12000 1000 1000")
    cluster.until(lambda: members[2].heard().get(members[0].mark, 0) > 300)
    members[2].signal(signal.SIGSTOP)
    time.sleep(10)  # the test depends on the length of the sleep
    awake = members[1].heard()[members[0].mark]
    assert awake > 5000
    members[2].signal(signal.SIGCONT)
    cluster.until(all_heard(members, {members[0].mark: 12_000}))
    cluster.judge(members)


def test_a_member_that_sleeps_until_suspected_is_evicted(make: Make) -> None:
    cluster = make(3)
    members = cluster.start(0, 1, 2)
    members[0].say("send 10000 500 800")
    cluster.until(lambda: members[2].heard().get(members[0].mark, 0) > 200)
    members[2].signal(signal.SIGSTOP)
    time.sleep(10)
    members[2].signal(signal.SIGCONT)
    cluster.until(lambda: "Evicted" in str(members[2].count()["faults"]))
    cluster.until(all_heard(members[:2], {members[0].mark: 10_000}))
    cluster.judge(members[:2])
    assert "message" not in str(members[2].count()["faults"])  # no gap, nothing twice, no wrong bytes


def test_a_short_cable_failure_costs_nothing(make: Make) -> None:
    cluster = make(3)
    members = cluster.start(0, 1, 2)
    for member in members:
        member.say("send 6000 300 1000")
    cluster.until(lambda: members[0].heard().get(members[2].mark, 0) > 500)
    cluster.segment.link(2, "down")
    time.sleep(1.5)
    cluster.segment.link(2, "up")
    cluster.until(all_heard(members, {member.mark: 6000 for member in members}))
    cluster.judge(members)


def test_a_long_cable_failure_evicts_only_that_host(make: Make) -> None:
    cluster = make(4)
    members = cluster.start(0, 1, 2, 3)
    cut, others = members[3], members[:3]
    others[0].say("send 9000 300 600")
    cluster.until(lambda: cut.heard().get(others[0].mark, 0) > 200)
    cluster.segment.link(3, "down")
    cluster.until(lambda: all(each.count()["members"] == 3 for each in others))
    cluster.segment.link(3, "up")
    cluster.until(lambda: "Evicted" in str(cut.count()["faults"]))
    cluster.until(all_heard(others, {others[0].mark: 9000}))
    cluster.judge(others)
    assert "message" not in str(cut.count()["faults"])


def test_data_flows_while_the_service_is_killed_and_replaced(make: Make) -> None:
    cluster = make(3)
    members = cluster.start(0, 1, 2)
    for member in members:
        member.say("send 8000 300 1600")
    cluster.until(lambda: members[0].heard().get(members[1].mark, 0) > 500)
    cluster.kill_service()
    cluster.until(all_heard(members, {member.mark: 8000 for member in members}))
    cluster.start_service()
    (fourth,) = cluster.start(1)
    fourth.say("send 100 300 1000")
    cluster.until(lambda: all(each.heard().get(fourth.mark) == 100 for each in cluster.members))
    cluster.judge(cluster.members)


def test_a_member_with_another_key_is_never_admitted(make: Make, tmp_path: Path) -> None:
    cluster = make(3)
    members = cluster.start(0, 1)
    foreign = tmp_path / "foreign.key"
    ensure_keys(foreign)
    words = [str(tmp_path / "foreign"), cluster.segment.address(2), cluster.service_address, str(foreign)]
    stranger = subprocess.Popen(
        [*cluster.segment.inside(2), sys.executable, str(_MEMBER), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert stranger.stderr is not None
    assert b"copy the file from its machine" in stranger.stderr.readline()
    stranger.kill()
    stranger.communicate()
    members[0].say("send 100 300 1000")
    cluster.until(all_heard(members, {members[0].mark: 100}))
    assert [member.count()["members"] for member in members] == [2, 2]


def test_fifty_joins_and_leaves_a_second_for_a_minute_disturb_no_flow(
    make: Make, record_property: Callable[[str, object], None]
) -> None:
    cluster = make(3)
    members = cluster.start(0, 1, 2)
    for member in members[:2]:
        member.say("send 30000 300 500")
    members[2].say("churn 50")
    time.sleep(60)
    members[2].say("churn 0")
    cluster.until(all_heard(members, {member.mark: 30_000 for member in members[:2]}))
    churned = members[2].count()["churned"]
    assert isinstance(churned, int)
    cluster.judge(members)
    record_property("joins and leaves", churned)
    record_property("longest pause of a sender, s", max(str(each.count()["pause"]) for each in members[:2]))
