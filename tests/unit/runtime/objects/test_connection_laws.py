"""Laws of connections and of the queue, on small worlds with random scripts."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from liven.runtime.dispatcher import HandCranked
from liven.runtime.errors import AlreadyConnectedError, EndedError, NotConnectedError, SelfConnectionError
from liven.runtime.objects.connection import Connection
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import Probe
from liven.runtime.objects.value_bridge import ValueBridges
from liven.runtime.problems import Problems
from liven.types.formalism.registry import Formalisms
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType
from liven.types.terms.value_types import TEXT, record

TALK = EndpointType((("say", record(text=TEXT)),), (("say", record(text=TEXT)),))
SIZE = 4
PLACES = st.integers(0, SIZE - 1)
STEPS = st.one_of(
    st.tuples(st.just("connect"), PLACES, PLACES),
    st.tuples(st.just("part"), PLACES, PLACES),
    st.tuples(st.just("say"), PLACES, PLACES),
    st.tuples(st.just("end"), PLACES, PLACES),
    st.tuples(st.just("fail"), PLACES, PLACES),
)
Step = tuple[str, int, int]


@dataclass
class World:
    """Some probes, each with a script of its reactions."""

    scripts: list[list[Step]]
    node: Node = field(init=False)
    probes: list[Probe] = field(init=False)
    connections: list[Connection] = field(default_factory=list)
    running: int = 0
    """Handlers on the stack: the law is that there is never more than one."""
    deepest: int = 0
    said: int = 0
    sent: list[tuple[int, str]] = field(default_factory=list)
    logs: list[list[str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        problems = Problems()
        self.node = Node(HandCranked(problems.report), problems, Matcher(Formalisms()), ValueBridges())
        self.node.queue.turn_limit = 2000
        self.probes = [Probe(self.node, TALK, f"p{number}") for number in range(SIZE)]
        self.logs = [[] for _ in range(SIZE)]
        for number, probe in enumerate(self.probes):
            for event in ("connect", "disconnect", "say"):
                probe.react(**{event: self._hear(number, event)})

    def do(self, step: Step) -> None:
        """Run one step; a refused step changes nothing."""
        kind, place, other = step
        probe = self.probes[place]
        try:
            if kind == "connect":
                self.connections.append(probe.connect(self.probes[other]))
            elif kind == "say":
                text = f"{place}:{self.said}"
                self.said += 1
                probe.send("say", text)
                self.sent.append((place, text))
            elif kind == "part" and self.connections:
                self.connections[other % len(self.connections)].dispose()
            elif kind == "end":
                probe.close()
            elif kind == "fail" and self.running:
                raise ZeroDivisionError("asked to")
        except (AlreadyConnectedError, EndedError, NotConnectedError, SelfConnectionError):
            pass

    def _hear(self, number: int, event: str):  # type: ignore[no-untyped-def]  # a handler of any event
        def hear(*values: str) -> None:
            self.running += 1
            self.deepest = max(self.deepest, self.running)
            self.logs[number].append(" ".join((event, *values)))
            try:
                if self.scripts[number]:
                    self.do(self.scripts[number].pop(0))
            finally:
                self.running -= 1

        return hear


WORLDS = st.tuples(
    st.lists(st.lists(STEPS, max_size=6), min_size=SIZE, max_size=SIZE), st.lists(STEPS, max_size=25)
)


@settings(max_examples=150, deadline=None)
@given(WORLDS)
def test_the_laws_of_connections_hold_in_any_sequence(world: tuple[list[list[Step]], list[Step]]) -> None:
    scripts, steps = world
    it = World([list(script) for script in scripts])
    for step in steps:
        it.do(step)
        assert not it.node.queue.busy
        assert not it.node.queue.pending, "what an event led to is done before control returns"
    assert it.deepest <= 1, "no handler runs inside another"
    for log in it.logs:
        connected = False
        for line in log:
            if line == "connect":
                assert not connected, "connect is handled once"
                connected = True
            elif line == "disconnect":
                assert connected, "disconnect follows a connect"
                connected = False
            else:
                assert connected, "an event comes between connect and disconnect"
    for number, probe in enumerate(it.probes):
        if not probe.handle.ended:
            told = [line for line in it.logs[number] if line in ("connect", "disconnect")]
            assert probe.end.connected == (bool(told) and told[-1] == "connect")


@settings(max_examples=100, deadline=None)
@given(WORLDS)
def test_each_sender_is_heard_in_its_own_order_and_nothing_is_heard_twice(
    world: tuple[list[list[Step]], list[Step]],
) -> None:
    scripts, steps = world
    it = World([list(script) for script in scripts])
    for step in steps:
        it.do(step)
    heard = [line.removeprefix("say ") for log in it.logs for line in log if line.startswith("say ")]
    assert len(set(heard)) == len(heard)
    for log in it.logs:
        texts = [line.removeprefix("say ") for line in log if line.startswith("say ")]
        for place in range(SIZE):
            numbers = [int(text.partition(":")[2]) for text in texts if text.startswith(f"{place}:")]
            assert numbers == sorted(numbers)


@settings(max_examples=60, deadline=None)
@given(WORLDS)
def test_the_same_steps_lead_to_the_same_histories(world: tuple[list[list[Step]], list[Step]]) -> None:
    scripts, steps = world
    histories = []
    for _ in range(2):
        it = World([list(script) for script in scripts])
        for step in steps:
            it.do(step)
        histories.append([list(log) for log in it.logs])  # dropping a world ends its probes, which is told
    assert histories[0] == histories[1]


@settings(max_examples=60, deadline=None)
@given(WORLDS)
def test_when_all_is_closed_nothing_is_left(world: tuple[list[list[Step]], list[Step]]) -> None:
    scripts, steps = world
    it = World([list(script) for script in scripts])
    for step in steps:
        it.do(step)
    for script in it.scripts:
        script.clear()
    for probe in it.probes:
        probe.close()
    assert not it.node.running
    assert all(not connection.open for connection in it.connections)
