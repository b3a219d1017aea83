"""Members of a view that do not answer are left out of it, by all others alike."""

from __future__ import annotations

from liven.liveobjects.channel.ordering import OrderedChannel, Output, Phase, Send, Trouble, Unanswered
from liven.liveobjects.channel.ordering.channel import REPEAT_AFTER
from liven.liveobjects.channel.ordering.message_codec import decode, encode
from liven.liveobjects.channel.ordering.messages import LeftOut
from liven.liveobjects.channel.ordering.opening.view_members import ANSWER_AGAIN_WITHIN, ANSWER_WITHIN


class Group:
    """Members whose messages arrive at once, and at a hung one when it goes on."""

    def __init__(self, count: int) -> None:
        self.now = 0.0
        self.members = {node: OrderedChannel(bytes([node]) * 16) for node in range(1, count + 1)}
        self.hung: set[int] = set()
        self.unread: list[tuple[int, int, bytes]] = []
        self.told: dict[int, list[Output]] = {node: [] for node in self.members}
        self.number = 0

    def view(self, *nodes: int) -> None:
        self.number += 1
        for node in nodes:
            if node not in self.hung:
                self.members[node].view(self.number, nodes, node, self.now)
        self.nodes = nodes
        self.settle()

    def run(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            self.now += REPEAT_AFTER
            for node in self.nodes:
                if node not in self.hung:
                    self.members[node].tick(self.now)
            self.settle()

    def settle(self) -> None:
        while sum(self.turn(node) for node in self.nodes if node not in self.hung):
            pass

    def turn(self, node: int) -> bool:
        outputs = self.members[node].take()
        self.told[node] += outputs
        for output in outputs:
            if isinstance(output, Send):
                for other in self.nodes:
                    self.hear(other, node, output.payload)
        return bool(outputs)

    def hear(self, node: int, sender: int, payload: bytes) -> None:
        if node in self.hung:
            self.unread.append((node, sender, payload))
        else:
            self.members[node].heard(sender, payload)

    def wake(self, node: int) -> None:
        """Let a member go on: its time has passed, and then it reads what it missed."""
        self.hung.discard(node)
        self.members[node].view(self.number, self.nodes, node, self.now)
        self.members[node].tick(self.now)
        for other, sender, payload in self.unread:
            if other == node:
                self.members[node].heard(sender, payload)
        self.settle()

    def stages(self) -> dict[int, Phase]:
        return {node: self.members[node].stage for node in self.nodes}

    def unanswered(self, node: int) -> list[tuple[int, ...]]:
        return [each.nodes for each in self.told[node] if isinstance(each, Unanswered)]

    def troubles(self, node: int) -> list[Trouble]:
        return [each for each in self.told[node] if isinstance(each, Trouble)]


def grown(count: int) -> Group:
    """Return members 1 and up in an open view, each of which joined after the one before."""
    group = Group(count)
    for last in range(1, count + 1):
        group.view(*range(1, last + 1))
    return group


def test_others_open_the_view_without_a_hung_member_and_name_it() -> None:
    group = grown(3)
    group.members[4] = OrderedChannel(b"d" * 16)
    group.told[4] = []
    group.hung = {2}
    group.view(1, 2, 3, 4)
    group.run(ANSWER_WITHIN - 1.0)
    assert {stage for node, stage in group.stages().items() if node != 2} == {Phase.GATHERING}
    group.run(2.0)
    assert {stage for node, stage in group.stages().items() if node != 2} == {Phase.OPEN}
    assert group.unanswered(1) == group.unanswered(3) == group.unanswered(4) == [(2,)]
    group.members[1].submit(b"goes on")
    group.settle()
    assert group.members[1].pending == 0
    assert group.members[3].position == group.members[1].position


def test_a_member_that_was_left_out_learns_it_and_rejoins() -> None:
    group = grown(3)
    group.members[2].submit(b"kept")
    group.hung = {2}
    group.view(1, 2, 3)
    group.run(ANSWER_WITHIN + 1.0)
    group.wake(2)
    assert [each.rejoin for each in group.troubles(2)] == [True]
    group.members[2].detached()
    group.view(1, 3)
    group.view(1, 2, 3)
    assert set(group.stages().values()) == {Phase.OPEN}
    assert group.members[2].pending == 0
    assert group.members[2].position == group.members[1].position


def test_a_hung_member_leaves_nobody_out_when_it_wakes() -> None:
    group = grown(3)
    group.hung = {2}
    group.run(10 * ANSWER_WITHIN)
    group.wake(2)
    group.view(1, 2, 3)
    assert group.unanswered(1) == group.unanswered(2) == []
    group.hung = {2}
    group.view(1, 2, 3)
    group.members[2].view(group.number, (1, 2, 3), 2, group.now)
    group.now += ANSWER_WITHIN - 2.0
    group.wake(2)
    assert group.unanswered(2) == []
    assert set(group.stages().values()) == {Phase.OPEN}


def test_a_member_that_was_left_out_is_waited_for_shortly_in_the_next_view() -> None:
    group = grown(3)
    group.hung = {2}
    group.view(1, 2, 3)
    group.run(ANSWER_WITHIN + 1.0)
    group.view(1, 2, 3)
    group.run(ANSWER_AGAIN_WITHIN + 1.0)
    assert group.stages()[1] is group.stages()[3] is Phase.OPEN
    group.wake(2)
    group.members[2].detached()
    group.view(1, 2, 3)
    group.hung = {2}
    group.view(1, 2, 3)
    group.run(ANSWER_AGAIN_WITHIN + 1.0)
    assert group.stages()[1] is Phase.GATHERING  # it had answered: it gets its full time again


def test_members_that_miss_different_ones_leave_out_both() -> None:
    group = grown(4)
    group.hung = {3, 4}
    group.view(1, 2, 3, 4)
    ended = group.members[1]._members.announced_as
    group.members[1].heard(2, encode(LeftOut(ended, (4,))))
    group.members[2].heard(1, encode(LeftOut(ended, (3,))))
    group.settle()
    assert group.stages()[1] is group.stages()[2] is Phase.OPEN
    assert [decode(each.payload) for each in group.told[1] if isinstance(each, Send)].count(
        LeftOut(ended, (3, 4))
    ) == 1


def test_nobody_is_left_out_of_an_open_view_by_one_that_was_left_out() -> None:
    group = grown(3)
    ended = group.members[1]._members.announced_as
    group.hung = {3}
    group.members[1].heard(2, encode(LeftOut(ended, (3,))))
    group.settle()
    assert group.stages()[1] is group.stages()[2] is Phase.OPEN
    for node in (1, 2):
        group.members[node].heard(3, encode(LeftOut(ended, (1, 2))))
    group.settle()
    assert group.troubles(1) == group.troubles(2) == []


def test_a_message_of_an_earlier_view_leaves_nobody_out() -> None:
    group = grown(3)
    ended = group.members[1]._members.announced_as
    group.view(1, 2, 3)
    group.members[1].heard(2, encode(LeftOut(ended, (3,))))
    group.settle()
    assert set(group.stages().values()) == {Phase.OPEN}
    assert group.unanswered(1) == []
