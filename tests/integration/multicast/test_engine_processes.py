"""Engines in processes of their own, on loopback: killed, stopped, with loss, without a service."""

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

from liven.multicast.service_process import is_served, service_status, start_in_background, stop_service
from liven.multicast.socket_engine import default_place

pytestmark = pytest.mark.slow

_PATIENCE = 40.0
_SCRIPT = Path(__file__).with_name("member_process.py")


class Process:
    """A member process."""

    def __init__(self, folder: Path, *words: str) -> None:
        self._popen = subprocess.Popen(
            [sys.executable, str(_SCRIPT), str(folder), *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.mark = self._popen.pid

    def say(self, line: str) -> None:
        assert self._popen.stdin is not None
        self._popen.stdin.write(line.encode() + b"\n")
        self._popen.stdin.flush()

    def answer(self) -> dict[str, object]:
        """Return the next line of its output."""
        assert self._popen.stdout is not None
        ready, _, _ = select.select([self._popen.stdout], [], [], _PATIENCE)
        assert ready, f"process {self.mark} says nothing"
        line = self._popen.stdout.readline()
        assert line, f"process {self.mark} ended with {self._popen.wait()}"
        facts: dict[str, object] = json.loads(line)
        return facts

    def count(self) -> dict[str, object]:
        self.say("count")
        return self.answer()

    def heard(self) -> dict[int, int]:
        """Return the count of messages it received of each sender; fail on any fault that it saw."""
        facts = self.count()
        assert facts["faults"] == []
        heard = facts["heard"]
        assert isinstance(heard, dict)
        return {int(mark): int(number) for mark, number in heard.items()}

    def signal(self, number: int) -> None:
        os.kill(self.mark, number)

    def end(self) -> None:
        self._popen.kill()
        self._popen.communicate()


class Band:
    """Processes that are all in one group."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.place = default_place(folder)
        self.processes: list[Process] = []

    def start(self, count: int, *words: str) -> list[Process]:
        """Start processes at once, and wait until each sees all."""
        fresh = [Process(self.folder, *words) for _ in range(count)]
        self.processes += fresh
        for process in fresh:
            assert process.answer() == {"joined": process.mark}
        self.until(lambda: all(process.count()["members"] == count for process in fresh))
        return fresh

    def until(self, true: Callable[[], bool]) -> None:
        limit = time.monotonic() + _PATIENCE
        while not true():
            assert time.monotonic() < limit, [process.count() for process in self.processes]
            time.sleep(0.05)

    def end(self) -> None:
        for process in self.processes:
            process.end()
        stop_service(self.place)


@pytest.fixture
def band(tmp_path: Path) -> Iterator[Band]:
    made = Band(tmp_path)
    yield made
    made.end()


def test_all_messages_are_received_by_all_processes(band: Band) -> None:
    members = band.start(3)
    for member in members:
        member.say("send 3000 300 6000")
    everything = {member.mark: 3000 for member in members}
    band.until(lambda: all(member.heard() == everything for member in members))


def test_lost_datagrams_are_repaired(band: Band) -> None:
    members = band.start(3)
    for member in members:
        member.say("lose 0.05")
        member.say("send 2000 600 2000")
    everything = {member.mark: 2000 for member in members}
    band.until(lambda: all(member.heard() == everything for member in members))


def test_the_others_agree_on_the_messages_of_a_killed_member(band: Band) -> None:
    members = band.start(4)
    victim, others = members[3], members[:3]
    for member in members:
        member.say("send 6000 200 2000")
    band.until(lambda: others[0].heard().get(victim.mark, 0) > 500)
    victim.signal(signal.SIGKILL)
    band.processes.remove(victim)
    band.until(lambda: all(member.count()["members"] == 3 for member in others))
    band.until(lambda: all(member.heard()[other.mark] == 6000 for member in others for other in others))
    last_words = {member.heard()[victim.mark] for member in others}
    victim.end()
    assert len(last_words) == 1
    assert 500 < last_words.pop() <= 6000


def test_a_stopped_process_is_a_laggard_until_it_goes_on(band: Band) -> None:
    # Nobody is removed meanwhile, however slow the machine is.
    assert start_in_background(band.place, 1, 10.0, suspicion=600.0) == (0, "")
    members = band.start(3)
    for member in members:
        member.say("send 60000 40 50")
    band.until(lambda: all(len(member.heard()) == 3 for member in members))
    for stopped in members:
        are_named_by_the_others(band, members, stopped)


def are_named_by_the_others(band: Band, members: list[Process], stopped: Process) -> None:
    others = [member for member in members if member is not stopped]
    stopped.signal(signal.SIGSTOP)
    band.until(lambda: all(waits_for(member) == [stopped.mark] for member in others))
    stopped.signal(signal.SIGCONT)
    band.until(lambda: all(waits_for(member) == [] for member in members))


def waits_for(member: Process) -> list[int]:
    """Return the members that a member waits for, by the marks of those that sent something."""
    member.say("waits")
    found = member.answer()["waits"]
    assert isinstance(found, list)
    return found


def test_a_briefly_stopped_process_catches_up(band: Band) -> None:
    members = band.start(3)
    members[0].say("send 12000 200 3000")
    band.until(lambda: members[2].heard().get(members[0].mark, 0) > 300)
    members[2].signal(signal.SIGSTOP)
    before = members[1].heard()[members[0].mark]
    time.sleep(2)  # the test depends on the length of the stop
    assert members[1].heard()[members[0].mark] > before + 1000
    members[2].signal(signal.SIGCONT)
    everything = {members[0].mark: 12000}
    band.until(lambda: all(member.heard() == everything for member in members))


def test_a_process_stopped_for_too_long_is_evicted(band: Band) -> None:
    members = band.start(3)
    members[0].say("send 6000 200 1000")
    band.until(lambda: members[2].heard().get(members[0].mark, 0) > 100)
    members[2].signal(signal.SIGSTOP)
    band.until(lambda: all(member.count()["members"] == 2 for member in members[:2]))
    members[2].signal(signal.SIGCONT)
    band.until(lambda: "Evicted" in str(members[2].count()["faults"]))
    everything = {members[0].mark: 6000}
    band.until(lambda: all(member.heard() == everything for member in members[:2]))
    # It received a part, in order and without a gap, and nothing after that.
    facts = members[2].count()
    assert len(str(facts["faults"]).split("Evicted")) == 2
    assert "message" not in str(facts["faults"])


def test_a_process_stopped_past_the_window_cap_learns_its_gap(band: Band) -> None:
    cap, slack, count = 2_000_000, 65_536, 20_000
    members = band.start(4, "--cap", str(cap))
    sleeper, others = members[3], members[:3]
    for member in members:
        member.say("return")
    for member in others:
        member.say(f"send {count} 2000 4000")
    band.until(lambda: all(sleeper.heard().get(other.mark, 0) > 200 for other in others))
    sleeper.signal(signal.SIGSTOP)
    band.until(lambda: all(member.count()["members"] == 3 for member in others))
    sleeper.signal(signal.SIGCONT)
    band.until(lambda: sleeper.count()["lives"] == 2)
    everything = {other.mark: count for other in others}
    band.until(lambda: all(member.heard() == everything for member in members))
    gaps = sleeper.count()["gaps"]
    assert isinstance(gaps, list)
    assert len(gaps) == 3
    assert max(gaps) > 100
    for member in others:
        facts = member.count()
        assert (facts["gaps"], facts["lives"]) == ([], 1)
        pending = facts["pending"]
        assert isinstance(pending, int)
        assert 0 < pending <= 2 * (cap + slack)  # a view and the one before it have their windows each


def test_data_flows_while_the_service_is_killed_and_replaced(band: Band) -> None:
    members = band.start(3)
    first = service_status(band.place)
    assert first is not None
    for member in members:
        member.say("send 8000 200 2000")
    band.until(lambda: members[0].heard().get(members[1].mark, 0) > 500)
    os.kill(first["pid"], signal.SIGKILL)
    everything = {member.mark: 8000 for member in members}
    band.until(lambda: all(member.heard() == everything for member in members))
    band.until(lambda: is_served(band.place))
    second = service_status(band.place)
    assert second is not None
    assert second["generation"] > first["generation"]
    # The new service knows the members: all see a fourth one.
    fourth = Process(band.folder)
    band.processes.append(fourth)
    assert fourth.answer() == {"joined": fourth.mark}
    band.until(lambda: all(member.count()["members"] == 4 for member in band.processes))
    members[0].say("send 100 200 1000")
    band.until(lambda: fourth.count()["sent"] == 0 and members[1].heard()[members[0].mark] == 8100)
    assert [member.count()["faults"] for member in members] == [[], [], []]


def test_a_service_that_was_stopped_itself_removes_nobody(band: Band) -> None:
    members = band.start(3)
    service = service_status(band.place)
    assert service is not None
    for member in members:
        member.say("send 16000 200 1000")
    band.until(lambda: members[0].heard().get(members[1].mark, 0) > 500)
    os.kill(service["pid"], signal.SIGSTOP)
    try:
        # The test depends on the length of the stop: members may be silent for five seconds, and for
        # longer in the first ten of a service.
        time.sleep(12)
    finally:
        os.kill(service["pid"], signal.SIGCONT)
    everything = {member.mark: 16000 for member in members}
    band.until(lambda: all(member.heard() == everything for member in members))
    fourth = Process(band.folder)
    band.processes.append(fourth)
    assert fourth.answer() == {"joined": fourth.mark}
    band.until(lambda: all(member.count()["members"] == 4 for member in band.processes))
    assert [member.count()["faults"] for member in members] == [[], [], []]


def test_processes_that_start_at_once_share_one_service(band: Band) -> None:
    members = band.start(4)
    members[0].say("send 10 100 1000")
    band.until(lambda: all(member.heard() == {members[0].mark: 10} for member in members))
    serving = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue  # it ended meanwhile
        if b"liven.multicast.service_process" in words and str(band.place.socket).encode() in words:
            serving.append(folder.name)
    facts = service_status(band.place)
    assert facts is not None
    assert serving == [str(facts["pid"])]


def test_a_second_service_leaves_the_place_to_the_first(tmp_path: Path) -> None:
    place = default_place(tmp_path)
    assert start_in_background(place, 1, idle=600.0) == (0, "")
    assert is_served(place)
    assert start_in_background(place, 1, idle=600.0) == (1, "")
    assert stop_service(place)


def test_an_unused_service_ends(tmp_path: Path) -> None:
    place = default_place(tmp_path)
    assert start_in_background(place, 1, idle=0.3) == (0, "")
    limit = time.monotonic() + _PATIENCE
    while is_served(place):
        assert time.monotonic() < limit
        time.sleep(0.8)  # looking is a visit, and keeps it a little longer
    assert not place.status.exists()
    assert not stop_service(place)
