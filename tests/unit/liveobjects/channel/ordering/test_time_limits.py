"""Nothing in a view is waited for without end: scripted members that never answer, or send nonsense."""

from __future__ import annotations

from collections.abc import Iterable

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest

from liven.liveobjects.channel.history import Recovery
from liven.liveobjects.channel.ordering import (
    Delivered,
    Installed,
    OrderedChannel,
    OtherVersion,
    Phase,
    Send,
    Stable,
    Trouble,
)
from liven.liveobjects.channel.ordering.channel import WAIT_FOR_OTHERS
from liven.liveobjects.channel.ordering.message_codec import decode, encode, sealed
from liven.liveobjects.channel.ordering.messages import (
    Doubt,
    Fill,
    Message,
    Open,
    Order,
    Plan,
    Progress,
    Start,
    Verdict,
    Work,
)
from liven.liveobjects.channel.ordering.opening.doubts import VOTE, WAIT
from liven.liveobjects.channel.ordering.opening.view_members import ANSWER_WITHIN

LARGE = 2**31 + 5
"""A node's name, as an old service gives it out."""


class Group:
    """Members that hear each other, unless the test silences one or loses a kind of message."""

    def __init__(self, *nodes: int) -> None:
        self.members = {node: OrderedChannel(node.to_bytes(16, "big"), stateful=False) for node in nodes}
        self.now = 0.0
        self.number = 0
        self.silent: set[int] = set()
        self.lost: dict[int, tuple[type, ...]] = {}
        """The kinds of messages of a node that reach nobody."""
        self.told: dict[int, list[object]] = {node: [] for node in nodes}

    def view(self, *nodes: int) -> None:
        self.number += 1
        for node in nodes:
            self.members[node].view(self.number, nodes, node, self.now)
        self.settle()

    def open_one_by_one(self, *nodes: int) -> None:
        """Let members join one after the other, so that the first is the donor and orders."""
        for count in range(1, len(nodes) + 1):
            self.view(*nodes[:count])

    def settle(self) -> None:
        while sum(self.turn(node) for node in self.members if node not in self.silent):
            pass

    def turn(self, node: int) -> bool:
        outputs = self.members[node].take()
        self.told[node] += outputs
        for output in outputs:
            if isinstance(output, Send) and not isinstance(decode(output.payload), self.lost.get(node, ())):
                self.hear(node, output.payload)
        return bool(outputs)

    def hear(self, sender: int, payload: bytes, whom: Iterable[int] | None = None) -> None:
        for node, member in self.members.items():
            if (whom is None or node in whom) and node not in self.silent:
                member.heard(sender, payload)

    def wait(self, seconds: float) -> None:
        """Let time pass in small steps."""
        for _ in range(round(seconds / 0.1)):
            self.now += 0.1
            for node, member in self.members.items():
                if node not in self.silent:
                    member.tick(self.now)
            self.settle()

    def rejoins(self, node: int) -> list[str]:
        return [each.text for each in self.told[node] if isinstance(each, Trouble) and each.rejoin]

    def last_view(self, node: int) -> Installed:
        return [each for each in self.told[node] if isinstance(each, Installed)][-1]

    def confirmed(self, node: int) -> int:
        return max((each.number for each in self.told[node] if isinstance(each, Stable)), default=0)

    def order_of(self, node: int) -> list[bytes]:
        return [one for each in self.told[node] if isinstance(each, Delivered) for one in each.run.payloads]

    def submit(self, node: int, payload: bytes) -> None:
        self.members[node].submit(payload)
        self.settle()


@pytest.mark.parametrize("kind", [Start, Verdict, Plan, Fill])
def test_what_a_donor_never_sends_ends_in_a_new_start(kind: type[Message]) -> None:
    group = Group(1, 2, 3)
    group.open_one_by_one(1, 2)
    group.submit(1, b"x")
    group.lost = {1: (kind, Work)}
    group.view(1, 2, 3)
    group.wait(ANSWER_WITHIN + VOTE + 1)
    newcomer = group.members[3]
    assert newcomer.stage is Phase.OPEN or group.rejoins(3) != []


def test_a_member_that_nobody_lets_in_after_a_return_of_all_does_not_wait_for_ever() -> None:
    group = Group(1, 2, 3)
    group.open_one_by_one(1, 2, 3)
    kept = {node: member.kept() for node, member in group.members.items()}
    for node, returned in kept.items():
        group.members[node] = OrderedChannel(node.to_bytes(16, "big"), returned=returned)
    group.lost = {1: (Open,)}
    group.number = 9
    group.view(1, 2)
    group.wait(ANSWER_WITHIN + VOTE + 3)
    assert group.members[2].stage is Phase.OPEN


def test_an_orderer_that_numbers_nothing_is_left_out() -> None:
    group = Group(1, 2, 3)
    group.open_one_by_one(1, 2, 3)
    group.silent = {1}
    group.submit(2, b"x")
    group.wait(WAIT + VOTE)
    assert group.order_of(2) == group.order_of(3) == [b"x"]
    assert group.rejoins(2) == []


def test_an_author_whose_operation_has_a_number_and_never_comes_is_left_out() -> None:
    group = Group(1, 2, 3)
    group.open_one_by_one(1, 2, 3)
    view_id = group.members[1]._name
    group.hear(1, encode(Work(view_id, 0, [], Order(0, (2, 1)), None)), whom=(2,))
    group.wait(WAIT + VOTE)
    assert group.rejoins(2) != [], "it alone waits, so it begins again"


def test_an_order_that_is_missing_is_not_waited_for_without_end() -> None:
    group = Group(1, 2, 3)
    group.open_one_by_one(1, 2, 3)
    view_id = group.members[1]._name
    group.hear(1, encode(Work(view_id, 0, [], Order(1, (0, 1)), None)), whom=(2, 3))
    group.wait(WAIT + VOTE)
    assert group.members[2].stage is Phase.OPEN
    assert group.members[2]._members.left_out == (1,)


@pytest.mark.parametrize("nonsense", [b"nonsense", b""])
def test_an_unreadable_message_begins_a_view_without_its_sender(nonsense: bytes) -> None:
    group = Group(1, 2, LARGE)
    group.open_one_by_one(1, 2, LARGE)
    group.hear(LARGE, nonsense, whom=(1, 2))
    group.settle()
    assert [group.members[node].stage for node in (1, 2)] == [Phase.OPEN, Phase.OPEN]
    group.submit(1, b"x")
    assert group.order_of(2) == [b"x"]
    assert group.rejoins(LARGE) == [
        "the others went on without this computer: they got no answer, or cannot follow it"
    ]


def test_one_member_cannot_leave_out_another_alone() -> None:
    group = Group(1, 2, 3)
    group.open_one_by_one(1, 2, 3)
    vote = Doubt(group.members[1]._members.announced_as, (1,))
    group.hear(3, encode(vote))
    group.settle()
    assert group.rejoins(1) == []
    assert group.members[1]._members.left_out == ()


def test_a_message_that_one_member_alone_cannot_read_makes_it_join_again() -> None:
    group = Group(1, 2, 3)
    group.open_one_by_one(1, 2, 3)
    group.hear(1, b"nonsense", whom=(2,))
    group.wait(VOTE + 0.5)
    assert group.rejoins(1) == group.rejoins(3) == []
    assert len(group.rejoins(2)) == 1
    assert "sent an unreadable message" in group.rejoins(2)[0]


def test_a_member_of_another_version_is_named_so() -> None:
    group = Group(1, 2, 3)
    group.open_one_by_one(1, 2, 3)
    group.hear(3, sealed(msgpack.packb([2, group.members[1]._name, *range(14)])), whom=(1, 2))
    group.settle()
    for node in (1, 2):
        assert OtherVersion(3) in group.told[node]
        assert not any("unreadable" in str(each) for each in group.told[node])
    group.submit(1, b"x")
    assert group.order_of(2) == [b"x"], "the others go on"


def test_a_flood_of_unreadable_messages_is_one_problem() -> None:
    group = Group(1, 2, 3)
    group.open_one_by_one(1, 2, 3)
    for _ in range(100):
        group.hear(3, b"nonsense", whom=(1,))
    group.settle()
    assert sum("unreadable" in str(each) for each in group.told[1]) == 1


def test_a_member_with_another_order_confirms_nothing_with_the_others() -> None:
    group = Group(1, 2, 3)
    group.open_one_by_one(1, 2, 3)
    group.submit(1, b"x")
    view_id = group.members[1]._name
    other = Work(view_id, 0, [], None, Progress(1, 0, True, False, b"z" * 16))
    group.hear(3, encode(other), whom=(1, 2))
    group.settle()
    assert any("has another order of operations" in str(each) for each in group.told[1])
    assert group.members[1]._members.left_out == (3,)


def test_an_idle_member_waits_for_nothing() -> None:
    group = Group(1, 2)
    group.open_one_by_one(1, 2)
    group.wait(1.0)
    assert group.members[1].wake is None


def newcomers_of_a_member_that_hangs() -> Group:
    """Return a group in which members 2 and 3 work without member 1, which has the history."""
    group = Group(1, 2, 3)
    group.view(1)
    group.submit(1, b"old")
    group.silent = {1}
    group.view(1, 2, 3)
    group.wait(ANSWER_WITHIN + 1)
    group.submit(2, b"new")
    return group


def test_newcomers_confirm_nothing_while_a_member_gives_no_answer() -> None:
    group = newcomers_of_a_member_that_hangs()
    assert group.order_of(3) == [b"new"]
    assert not group.last_view(2).main
    assert group.confirmed(2) == 0


def test_newcomers_take_the_history_of_a_member_that_hung_and_keep_no_branch() -> None:
    group = newcomers_of_a_member_that_hangs()
    group.members[1].detached()
    group.silent.clear()
    group.view(2, 3)
    group.wait(WAIT_FOR_OTHERS / 2)
    group.view(1, 2, 3)
    group.wait(1.0)
    assert group.last_view(2).recovery is Recovery.SUBMIT_AGAIN
    assert {each.position for each in group.members.values()} == {group.members[1].position}
    assert group.order_of(1) == [b"old", b"new"]
    assert group.confirmed(1) == group.confirmed(2) == 2


def test_newcomers_found_the_channel_when_a_member_that_hung_does_not_come_back() -> None:
    group = newcomers_of_a_member_that_hangs()
    group.view(2, 3)
    assert group.confirmed(2) == 0
    group.wait(WAIT_FOR_OTHERS + 0.5)
    assert group.last_view(2).main
    assert group.confirmed(2) == group.confirmed(3) == 1


def test_a_view_of_full_disks_begins_no_session_that_would_wait_for_all_of_them() -> None:
    group = Group(1, 2, 3)
    group.open_one_by_one(1, 2, 3)
    before = group.members[1].voters
    for member in group.members.values():
        member.stores(stores=False)
    group.view(1, 2)
    group.submit(2, b"x")
    assert group.order_of(1) == [b"x"]
    assert len(before) == 3
    assert group.members[1].voters == before
