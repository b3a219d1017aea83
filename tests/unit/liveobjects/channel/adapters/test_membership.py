"""Membership over a channel that loses nothing, with a clock for each member."""

from __future__ import annotations

from collections import deque

from hypothesis import example, given, settings
from hypothesis import strategies as st

from liven.liveobjects.channel.adapters.membership import (
    ALIVE_EVERY,
    SILENT_AFTER,
    MembersChanged,
    Membership,
    MessageSeen,
)


class Channel:
    """A FIFO channel between members, which a test can cut."""

    def __init__(self) -> None:
        self.now = 0.0
        self.members: dict[int, Membership] = {}
        self.views: dict[int, list[MembersChanged]] = {}
        self.seen: dict[int, list[bytes]] = {}
        self.apart: set[int] = set()
        self._queue: deque[tuple[int, bytes]] = deque()

    def join(self, name: int) -> None:
        self.views[name], self.seen[name] = [], []
        self.members[name] = Membership(name, lambda data: self._queue.append((name, data)), self.now)

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.1)):
            self.now += 0.1
            for name, member in list(self.members.items()):
                self._file(name, member.tick(self.now))
            self._settle()

    def _settle(self) -> None:
        while self._queue:
            sender, data = self._queue.popleft()
            for name, member in list(self.members.items()):
                if (sender in self.apart) == (name in self.apart):
                    self._file(name, member.heard(data, self.now))

    def _file(self, name: int, happenings: list[MessageSeen | MembersChanged]) -> None:
        for one in happenings:
            if isinstance(one, MembersChanged):
                self.views[name].append(one)
            else:
                self.seen[name].append(one.payload)

    def agreed(self, *names: int) -> bool:
        last = [self.views[name][-1] for name in names]
        return len(set(last)) == 1 and set(last[0].nodes) == set(names)


def test_newcomers_are_listed_after_older_members() -> None:
    channel = Channel()
    channel.join(30)
    channel.run(1)
    channel.join(20)
    channel.run(1)
    channel.join(10)
    channel.run(1)
    assert channel.agreed(30, 20, 10)
    assert channel.views[10][-1].nodes == (30, 20, 10)


def test_members_that_come_at_once_agree() -> None:
    channel = Channel()
    for name in (5, 3, 9):
        channel.join(name)
    channel.run(4)
    assert channel.agreed(3, 5, 9)


def test_a_silent_member_is_removed_even_if_it_leads() -> None:
    channel = Channel()
    for name in (1, 2, 3):
        channel.join(name)
        channel.run(1)
    del channel.members[1]
    channel.run(SILENT_AFTER + 2 * ALIVE_EVERY)
    assert channel.agreed(2, 3)
    del channel.members[3]
    channel.run(SILENT_AFTER + 2 * ALIVE_EVERY)
    assert channel.agreed(2)


def test_two_sides_that_meet_again_become_one() -> None:
    channel = Channel()
    for name in (1, 2, 3, 4):
        channel.join(name)
        channel.run(1)
    channel.apart = {3, 4}
    channel.run(SILENT_AFTER + 3 * ALIVE_EVERY)
    assert channel.agreed(1, 2)
    assert channel.agreed(3, 4)
    channel.apart = set()
    channel.run(4 * ALIVE_EVERY)
    assert channel.agreed(1, 2, 3, 4)


def test_messages_arrive_with_their_sender_and_noise_is_dropped() -> None:
    channel = Channel()
    channel.join(1)
    channel.join(2)
    channel.run(2)
    channel.members[1].send(b"hello")
    channel._queue.append((1, b"\xc1noise"))
    channel._queue.append((1, b"\x93\x01\x01\xc0"))
    channel.run(0.2)
    assert channel.seen[2] == [b"hello"]
    assert channel.agreed(1, 2)


@settings(deadline=None, max_examples=40)
@example([("join", 3, 1.0), ("join", 2, 1.0), ("die", 3, 0.0), ("join", 1, 1.0)])
@given(
    st.lists(
        st.tuples(st.sampled_from(["join", "die", "cut", "heal"]), st.integers(1, 9), st.floats(0, 3)),
        max_size=10,
    )
)
def test_remaining_members_agree_in_the_end(steps: list[tuple[str, int, float]]) -> None:
    channel = Channel()
    used: set[int] = set()  # an incarnation has its own name, so a returning member has a new one
    for what, name, pause in steps:
        if what == "join" and name not in used:
            used.add(name)
            channel.join(name)
        elif what == "die":
            channel.members.pop(name, None)
        elif what == "cut":
            channel.apart = {one for one in channel.members if one <= name}
        elif what == "heal":
            channel.apart = set()
        channel.run(pause)
    channel.apart = set()
    channel.run(4 * SILENT_AFTER)
    if channel.members:
        assert channel.agreed(*channel.members)
