"""The warning about a missing membership service appears once, and only if somebody waits for it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from liven.liveobjects.channel.line.no_service_warning import PATIENCE, NoServiceWarning
from liven.liveobjects.channel.line.traffic_counters import GroupTraffic
from liven.runtime.problems import Problem
from liven.runtime.testing import HandCranked


def look(members: int) -> GroupTraffic:
    return GroupTraffic("home/desks/mine", members, 0, 0, 0, "")


class Network:
    def __init__(self, service: str = "") -> None:
        self.problems: list[Problem] = []
        self.crank = HandCranked(self.problems.append)
        self.groups: Sequence[GroupTraffic] = ()
        self.watch = NoServiceWarning(lambda: self.groups, self.crank, self.problems.append, service)


@pytest.mark.parametrize(
    ("service", "where"), [("", "on this machine"), ("192.168.1.7:28199", "at 192.168.1.7:28199")]
)
def test_a_missing_membership_service_is_reported_once(service: str, where: str) -> None:
    network = Network(service)
    network.groups = (look(0), look(0))
    network.crank.advance(PATIENCE - 1)
    assert network.problems == []
    network.crank.advance(10 * PATIENCE)
    [problem] = network.problems
    assert where in problem.what
    assert "liven doctor" in problem.advice


def test_one_joined_group_prevents_the_warning() -> None:
    network = Network()
    network.groups = (look(0), look(1))
    network.crank.advance(10 * PATIENCE)
    assert network.problems == []


def test_without_open_channels_there_is_no_warning_until_one_is_opened() -> None:
    network = Network()
    network.crank.advance(3 * PATIENCE)
    assert network.problems == []
    network.groups = (look(0),)
    network.crank.advance(PATIENCE + 1)
    assert len(network.problems) == 1


def test_a_closed_warning_stays_silent() -> None:
    network = Network()
    network.groups = (look(0),)
    network.watch.close()
    network.crank.advance(10 * PATIENCE)
    assert network.problems == []
