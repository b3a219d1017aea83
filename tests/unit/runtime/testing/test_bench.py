"""The test kit, used as an author would use it."""

from __future__ import annotations

from typing import Protocol

import pytest

from liven.runtime.objects.context import Context
from liven.runtime.problems import Kind
from liven.runtime.reference.model import Parameter, Plain, Reference
from liven.runtime.testing import Bench, Built, FakeChannel
from liven.types.declare import Dual, Exports, Imports, interface, proxy


@interface
class Ticks(Protocol):
    def tick(self, n: int) -> None: ...


@proxy(id="0000000000000000000000000000C001", alias="test:clock")
class Clock:
    out: Imports[Ticks]

    def __init__(self, context: Context, every: float = 1.0) -> None:
        self.context, self.every, self.n = context, every, 0
        context.call_later(every, self.again)

    def again(self) -> None:
        self.n += 1
        self.out.peer.tick(self.n)
        self.context.call_later(self.every, self.again)


@interface
class Channel(Protocol):
    def send(self, message: str) -> None: ...


@interface
class ChannelClient(Protocol):
    def receive(self, message: str) -> None: ...
    def initialize(self, checkpoint: str | None) -> None: ...
    def checkpoint(self) -> str: ...


@proxy(id="0000000000000000000000000000C002", alias="test:log")
class Log:
    """A replicated list of words."""

    channel: Dual[ChannelClient, Channel]

    def __init__(self) -> None:
        self.words: list[str] | None = None
        self.echoes = False

    def initialize(self, checkpoint: str | None) -> None:
        assert self.words is None, "initialized twice"
        self.words = checkpoint.split() if checkpoint else []

    def receive(self, message: str) -> None:
        assert self.words is not None
        self.words.append(message)
        if self.echoes and not message.endswith("!"):
            self.say(f"{message}!")

    def checkpoint(self) -> str:
        return " ".join(self.words or [])

    def say(self, word: str) -> None:
        self.channel.peer.send(word)


@pytest.fixture
def bench() -> Bench:
    return Bench()


def joined(bench: Bench, channel: FakeChannel) -> Built:
    built = bench.build(Log)
    channel.join(built.handle.endpoint("channel"))
    return built


def test_time_passes_when_the_test_says_so(bench: Bench) -> None:
    with bench:
        clock = bench.build(Clock, every=0.5)
        probe = clock.probe("out")
        bench.advance(1.6)
        assert probe.heard == [("connect",), ("tick", 1), ("tick", 2), ("tick", 3)]
        assert clock.instance.n == 3


def test_a_problem_fails_the_test_that_did_not_expect_it(bench: Bench) -> None:
    bench.build(Clock)
    bench.advance(2)  # it sends without a connection
    with pytest.raises(AssertionError, match="out is not connected"):
        bench.close()


def test_an_expected_problem_is_removed_from_the_bench(bench: Bench) -> None:
    with bench:
        bench.build(Clock)
        bench.advance(2)
        assert bench.problems.pop().kind is Kind.RAISED


def test_a_test_that_fails_by_itself_is_not_hidden_by_problems(bench: Bench) -> None:
    with pytest.raises(KeyError), bench:
        bench.build(Clock)
        bench.advance(2)
        raise KeyError("the test's own")


def test_a_class_that_is_not_a_proxy_class_is_refused(bench: Bench) -> None:
    with pytest.raises(TypeError, match="str is not a proxy class"):
        bench.build(str)


def test_an_object_is_loaded_from_a_reference(bench: Bench) -> None:
    with bench:
        reference = Reference("test:clock", (Parameter("every", Plain("double", "2.5")),))
        clock = bench.load(reference, __name__)
        probe = clock.probe("out")
        bench.advance(5)
        assert probe.heard[1:] == [("tick", 1), ("tick", 2)]


def test_two_objects_are_connected(bench: Bench) -> None:
    @proxy(id="0000000000000000000000000000C003")
    class Dial:
        end: Exports[Ticks]

        def __init__(self) -> None:
            self.seen: list[int] = []

        def tick(self, n: int) -> None:
            self.seen.append(n)

    with bench:
        clock, dial = bench.build(Clock), bench.build(Dial)
        connection = bench.connect(clock, "out", dial, "end")
        bench.advance(2)
        assert dial.instance.seen == [1, 2]
        connection.dispose()
        clock.close()


def test_all_members_of_a_channel_receive_one_order_their_own_included(bench: Bench) -> None:
    with bench:
        channel = bench.channel()
        first, second = joined(bench, channel), joined(bench, channel)
        first.instance.say("a")
        second.instance.say("b")
        assert first.instance.words == second.instance.words == ["a", "b"]
        assert channel.order == ["a", "b"]


def test_a_joiner_starts_from_a_checkpoint(bench: Bench) -> None:
    with bench:
        channel = bench.channel()
        first = joined(bench, channel)
        first.instance.say("before")
        late = joined(bench, channel)
        assert late.instance.words == ["before"]
        first.instance.say("after")
        assert late.instance.words == ["before", "after"]


def test_held_messages_come_when_they_are_released_in_their_order(bench: Bench) -> None:
    with bench:
        channel = bench.channel()
        first = joined(bench, channel)
        channel.hold()
        for word in "abc":
            first.instance.say(word)
        assert (first.instance.words, channel.held) == ([], 3)
        channel.release(1)
        assert first.instance.words == ["a"]
        channel.release()
        first.instance.say("d")
        assert first.instance.words == list("abcd")


def test_messages_sent_during_a_release_come_after_the_held_ones(bench: Bench) -> None:
    with bench:
        channel = bench.channel()
        first = joined(bench, channel)
        channel.hold()
        first.instance.say("a")
        first.instance.say("b")
        first.instance.echoes = True
        channel.release()
        assert first.instance.words == ["a", "b", "a!", "b!"]


def test_a_message_of_an_absent_member_can_be_injected(bench: Bench) -> None:
    with bench:
        channel = bench.channel()
        first = joined(bench, channel)
        channel.send("from elsewhere")
        assert first.instance.words == ["from elsewhere"]


def test_a_member_that_left_receives_nothing(bench: Bench) -> None:
    with bench:
        channel = bench.channel()
        first, second = joined(bench, channel), joined(bench, channel)
        channel.leave(second.handle.endpoint("channel"))
        first.instance.say("alone")
        assert second.instance.words == []
        third = joined(bench, channel)
        assert third.instance.words == ["alone"]
