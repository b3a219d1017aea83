"""The ordered channel's state machine with a transport that repeats or loses messages."""

from __future__ import annotations

from liven.liveobjects.channel.ordering import Delivered, Installed, OrderedChannel, Phase, Send, Trouble
from liven.liveobjects.channel.ordering.channel import REPEAT_AFTER
from liven.liveobjects.channel.ordering.message_codec import decode, encode
from liven.liveobjects.channel.ordering.messages import Progress, Report, Start, Verdict, Work
from liven.liveobjects.channel.ordering.progress import TELL_AFTER


class Pair:
    """Two members in a view. Each message reaches both, unless the test loses it."""

    def __init__(self) -> None:
        self.members = {1: OrderedChannel(b"a" * 16), 2: OrderedChannel(b"b" * 16)}
        self.lost: list[type] = []
        self.told: dict[int, list[object]] = {1: [], 2: []}

    def view(self, number: int, *nodes: int) -> None:
        for node in nodes:
            self.members[node].view(number, nodes, node, 0.0)
        self.settle(*nodes)

    def settle(self, *nodes: int) -> None:
        while sum(self.turn(node, nodes) for node in nodes):
            pass

    def turn(self, node: int, nodes: tuple[int, ...]) -> bool:
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
    assert [member.stage for member in pair.members.values()] == [Phase.OPEN, Phase.OPEN]
    assert any(isinstance(each, Installed) for each in pair.told[2])
    assert pair.troubles(1) == pair.troubles(2) == []


def test_a_member_that_missed_a_report_rejoins_when_its_sender_works() -> None:
    pair = Pair()
    pair.view(1, 1)
    pair.lost = [Report]
    pair.view(2, 1, 2)
    assert pair.members[2].stage is Phase.GATHERING
    assert {(each.rejoin, each.text) for each in pair.troubles(2)} == {
        (True, "the first messages of member 1 in this view are missing")
    }
    pair.lost = []
    pair.members[2].detached()
    pair.view(3, 1)
    pair.view(4, 1, 2)
    assert [member.stage for member in pair.members.values()] == [Phase.OPEN, Phase.OPEN]


def test_a_member_that_missed_its_start_rejoins_when_the_donor_works() -> None:
    pair = Pair()
    pair.view(1, 1)
    pair.members[1].submit(b"x")
    pair.view(2, 1)
    pair.lost = [Start]
    pair.view(3, 1, 2)
    assert pair.members[2].stage is Phase.OPENING
    assert any(each.rejoin for each in pair.troubles(2))


def test_work_that_arrives_before_the_view_is_not_a_gap() -> None:
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


def test_a_repeated_view_is_ignored() -> None:
    pair = Pair()
    for node in (1, 2):
        pair.members[node].view(1, (1, 2), node, 0.0)
    first = [each.payload for each in pair.members[1].take() if isinstance(each, Send)]
    for payload in first:
        pair.members[1].heard(1, payload)
        pair.members[2].heard(1, payload)
    pair.members[2].view(1, (1, 2), 2, 0.0)
    pair.view(1, 1, 2)
    assert [member.stage for member in pair.members.values()] == [Phase.OPEN, Phase.OPEN]


def test_reports_are_repeated_until_the_view_is_agreed_on() -> None:
    pair = Pair()
    pair.view(1, 1)
    pair.lost = [Report, Start, Work]  # nothing of the first member reaches the newcomer
    pair.view(2, 1, 2)
    assert pair.members[2].stage is Phase.GATHERING
    pair.members[1].view(3, (1, 2), 1, 5.0)
    pair.members[2].view(3, (2, 1), 2, 5.0)
    for member in pair.members.values():
        member.take()  # all of it is lost
    pair.lost = []
    assert pair.members[1].wake == 5.0 + REPEAT_AFTER
    for now in (5.0, 5.0 + REPEAT_AFTER):
        for member in pair.members.values():
            member.tick(now)
    pair.settle(1, 2)
    assert [member.stage for member in pair.members.values()] == [Phase.OPEN, Phase.OPEN]
    assert pair.troubles(1) == pair.troubles(2) == []


def test_a_missed_report_of_a_judge_is_received_when_repeated() -> None:
    kept = OrderedChannel(b"c" * 16)
    kept.view(1, (7,), 7, 0.0)
    for output in kept.take():
        if isinstance(output, Send):
            kept.heard(7, output.payload)
    kept.take()
    pair = Pair()
    pair.members[2] = OrderedChannel(b"b" * 16, returned=kept.kept())
    pair.view(1, 1)
    pair.lost = [Report]
    pair.members[1].view(2, (1, 2), 1, 0.0)
    pair.members[2].view(2, (1, 2), 2, 0.0)
    pair.settle(1, 2)
    assert any(isinstance(decode(each.payload), Verdict) for each in pair.told[1] if isinstance(each, Send))
    assert pair.members[2].stage is Phase.GATHERING
    pair.lost = []
    pair.members[1].tick(REPEAT_AFTER)
    pair.settle(1, 2)
    assert [member.stage for member in pair.members.values()] == [Phase.OPEN, Phase.OPEN]
    assert pair.troubles(1) == pair.troubles(2) == []


def test_the_nodes_of_a_view_may_have_any_order() -> None:
    pair = Pair()
    pair.members[1].view(1, (1, 2), 1, 0.0)
    pair.members[2].view(1, (2, 1), 2, 0.0)
    pair.settle(1, 2)
    assert [member.stage for member in pair.members.values()] == [Phase.OPEN, Phase.OPEN]


def test_a_member_that_reports_again_learns_that_it_missed_something() -> None:
    pair = Pair()
    pair.view(1, 1, 2)
    late = decode(next(each.payload for each in pair.told[2] if isinstance(each, Send)))
    assert isinstance(late, Report)
    pair.members[1].heard(2, encode(late))
    answers = [decode(each.payload) for each in pair.members[1].take() if isinstance(each, Send)]
    assert [type(each) for each in answers] == [Work]
    assert pair.members[1].stage is Phase.OPEN


def test_a_member_reports_no_progress_before_the_view_is_open() -> None:
    first = OrderedChannel(b"a" * 16)
    settle_alone(first)
    reports = [decode(each.payload) for each in told_first(first, 2, (1, 2))]
    member = OrderedChannel(b"b" * 16)
    member.view(2, (1, 2), 2, 0.0)
    own = [each.payload for each in member.take() if isinstance(each, Send)]
    for node, payload in [(2, own[0]), *((1, encode(each)) for each in reports)]:
        member.heard(node, payload)
    assert member.stage is Phase.OPENING, "nobody has told it where to begin"
    member.take()
    member.heard(1, encode(reports[0]))
    (answer,) = [decode(each.payload) for each in member.take() if isinstance(each, Send)]
    assert isinstance(answer, Work)
    assert answer.progress is None


def told_first(member: OrderedChannel, number: int, nodes: tuple[int, ...]) -> list[Send]:
    """Return the messages that a member sends at the beginning of a view."""
    member.view(number, nodes, nodes[0], 1.0)
    return [each for each in member.take() if isinstance(each, Send)]


def settle_alone(member: OrderedChannel) -> None:
    """Let a member open a view of its own."""
    member.view(1, (1,), 1, 0.0)
    settled(member, 1)


def test_a_session_that_is_not_on_disk_is_not_announced() -> None:
    member = OrderedChannel(b"a" * 16)
    member.logged(0)
    member.recorded(0)
    member.view(1, (1,), 1, 0.0)
    told = settled(member, 1)
    assert {each.serial for each in told} == {0}
    member.recorded(1)
    assert settled(member, 1)[-1].serial == 1


def settled(member: OrderedChannel, node: int) -> list[Progress]:
    """Let a lone member process its own messages until it is quiet, and return its progress reports."""
    told = []
    for now in (0.0, 0.1, 0.2, 0.3):
        member.tick(now)
        while outputs := member.take():
            for payload in [each.payload for each in outputs if isinstance(each, Send)]:
                message = decode(payload)
                if isinstance(message, Work) and message.progress is not None:
                    told.append(message.progress)
                member.heard(node, payload)
    return told


def test_ordered_operations_are_delivered_before_progress_is_sent() -> None:
    pair = Pair()
    pair.view(1, 1)
    member = pair.members[1]
    member.submit(b"x")
    (work,) = [each for each in member.take() if isinstance(each, Send)]
    member.heard(1, work.payload)
    ready = member.ready()
    assert [type(each) for each in ready] == [Delivered]
    member.logged(1)
    member.tick(10.0)
    assert not member.take()  # a separate report waits a little
    member.tick(10.0 + TELL_AFTER)
    assert any(isinstance(each, Send) for each in member.take())


def test_the_consequence_of_a_loss_is_shown_to_people() -> None:
    assert "rejoins by itself" in Trouble("something is missing", rejoin=True).consequence
    assert "anew" not in Trouble("something is odd", rejoin=False).consequence
