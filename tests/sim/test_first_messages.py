"""Every member of the view in which a message is sent receives it, also one that learns of that view after
its sender.
"""

from __future__ import annotations

import random

import pytest

from liven.multicast.group import View
from liven.multicast.simulation import SimulatedGroup, Simulation

GROUPS = 12
NEAR, FAR = 20_000, 2_000_000
"""Nanoseconds to a node that hears of everything first, and to others."""


def _first_view(group: SimulatedGroup) -> View:
    return next(event for event in group.events() if isinstance(event, View))


def first_words(seed: int) -> int:
    """Let nodes that are together already join groups at once, and send in each. Return the count of messages
    that were owed to another node; fail if one did not arrive."""
    dice = random.Random(seed)
    simulation = Simulation(seed)
    nodes = simulation.nodes(dice.randint(2, 5))
    for number, node in enumerate(nodes):
        simulation.world.call("link", node.number, 0, FAR if number else NEAR, FAR if number else 0)
        node.join("together")
    simulation.run(2)
    simulation.node().join("elsewhere")  # an epoch is under way: joins from now on go into the next
    groups = {name: [node.join(name) for node in nodes] for name in map(str, range(GROUPS))}
    for line in groups.values():
        for group in line:
            group.send(b"first")
    simulation.run(3)
    assert simulation.breaches() == []
    owed = 0
    for line in groups.values():
        views = [_first_view(group) for group in line]
        heard = [{each.sender for each in group.receive()} for group in line]
        for node, view in zip(nodes, views, strict=True):
            members = {member.node for member in view.members}
            for other, seen, its in zip(nodes, heard, views, strict=True):
                if other is not node and other.short_name in members and its.number <= view.number:
                    owed += 1
                    assert node.short_name in seen, f"{other.number} lacks the first word of {node.number}"
    return owed


def test_first_messages_are_received() -> None:
    assert sum(map(first_words, range(30))) > 1000


@pytest.mark.slow
def test_first_messages_are_received_over_a_thousand_seeds() -> None:
    assert sum(map(first_words, range(1000, 2000))) > 10_000
