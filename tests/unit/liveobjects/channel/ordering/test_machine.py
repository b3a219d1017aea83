"""The machine of the ordered channel where simulations do not reach: a transport that repeats or loses."""

from __future__ import annotations

from liven.liveobjects.channel.ordering import Installed, OrderedChannel, Send, Stage, Trouble
from liven.liveobjects.channel.ordering.messages import Report, Start, Work, decode


class Pair:
    """Two members in a view; what one sends reaches both, unless the test loses it."""

    def __init__(self) -> None:
        self.members = {1: OrderedChannel(b"a" * 16), 2: OrderedChannel(b"b" * 16)}
        self.lost: list[type] = []
        self.told: dict[int, list[object]] = {1: [], 2: []}

    def view(self, number: int, *nodes: int) -> None:
        for node in nodes:
            self.members[node].view(number, nodes, node, 0.0)
        while sum(self._turn(node, nodes) for node in nodes):
            pass

    def _turn(self, node: int, nodes: tuple[int, ...]) -> bool:
        outputs = self.members[node].take()
        for output in outputs:
            self.told[node].append(output)
            if isinstance(output, Send):
                for other in nodes:
                    if other == node or node == 2 or type(decode(output.payload)) not in self.lost:
                        self.members[other].heard(node, output.payload)
        return bool(outputs)

    def troubles(self, node: int) -> list[Trouble]:
        return [each for each in self.told[node] if isinstance(each, Trouble)]


def test_two_members_open_a_view() -> None:
    pair = Pair()
    pair.view(1, 1)
    pair.view(2, 1, 2)
    assert [member.stage for member in pair.members.values()] == [Stage.OPEN, Stage.OPEN]
    assert any(isinstance(each, Installed) for each in pair.told[2])
    assert pair.troubles(1) == pair.troubles(2) == []


def test_who_missed_a_report_comes_again_as_soon_as_the_member_works() -> None:
    pair = Pair()
    pair.view(1, 1)
    pair.lost = [Report]
    pair.view(2, 1, 2)
    assert pair.members[2].stage is Stage.GATHERING
    assert {(each.rejoin, each.text) for each in pair.troubles(2)} == {
        (True, "what member 1 said first in this view is missing")
    }
    pair.lost = []
    pair.members[2].detached()
    pair.view(3, 1)
    pair.view(4, 1, 2)
    assert [member.stage for member in pair.members.values()] == [Stage.OPEN, Stage.OPEN]


def test_who_missed_where_to_begin_comes_again_as_soon_as_the_donor_works() -> None:
    pair = Pair()
    pair.view(1, 1)
    pair.members[1].submit(b"x")
    pair.view(2, 1)
    pair.lost = [Start]
    pair.view(3, 1, 2)
    assert pair.members[2].stage is Stage.OPENING
    assert any(each.rejoin for each in pair.troubles(2))


def test_what_a_member_works_before_this_one_knows_the_view_is_no_gap() -> None:
    early = OrderedChannel(b"a" * 16)
    late = OrderedChannel(b"b" * 16)
    early.view(1, (1, 2), 1, 0.0)
    late.view(1, (1, 2), 2, 0.0)
    reports = [each.payload for each in late.take() if isinstance(each, Send)]
    for payload in reports:
        early.heard(2, payload)
        late.heard(2, payload)
    sent = [each.payload for each in early.take() if isinstance(each, Send)]
    fresh = OrderedChannel(b"b" * 16)
    for payload in (*sent, *reports):
        fresh.heard(2 if payload in reports else 1, payload)
    fresh.view(1, (1, 2), 2, 0.0)
    assert not [each for each in fresh.take() if isinstance(each, Trouble)]
    assert any(isinstance(decode(payload), Report) for payload in sent)
    assert not isinstance(decode(sent[0]), Work)


def test_a_view_that_is_told_twice_is_one_view() -> None:
    pair = Pair()
    for node in (1, 2):
        pair.members[node].view(1, (1, 2), node, 0.0)
    first = [each.payload for each in pair.members[1].take() if isinstance(each, Send)]
    for payload in first:
        pair.members[1].heard(1, payload)
        pair.members[2].heard(1, payload)
    pair.members[2].view(1, (1, 2), 2, 0.0)
    pair.view(1, 1, 2)
    assert [member.stage for member in pair.members.values()] == [Stage.OPEN, Stage.OPEN]
