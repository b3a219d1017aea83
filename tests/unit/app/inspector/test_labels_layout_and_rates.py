"""The labels, the graph layout and the event rates of the inspector, without a window."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.app.inspector.event_rates import EventRates
from liven.app.inspector.graph_layout import spots
from liven.app.inspector.labels import called, joined, kind_of, rate_text
from liven.runtime.dispatcher import HandCranked
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import Probe, opposite
from liven.runtime.objects.proxy import Proxy
from liven.runtime.objects.value_bridge import ValueBridges
from liven.runtime.problems import Problems
from liven.types.formalism.registry import Formalisms
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.value_types import TEXT, record

SPEAKER = EndpointType(outputs=(("say", record(text=TEXT)),))


@pytest.fixture
def node() -> Node:
    problems = Problems()
    return Node(HandCranked(problems.report), problems, Matcher(Formalisms()), ValueBridges())


@pytest.fixture
def talks(node: Node) -> list[tuple[Probe, Probe]]:
    """Two senders, each connected to a receiver."""
    made = [(Probe(node, SPEAKER, "s"), Probe(node, opposite(SPEAKER), "l")) for _ in range(2)]
    for speaker, listener in made:
        speaker.connect(listener)
    return made


def test_the_rate_is_events_between_two_updates(talks: list[tuple[Probe, Probe]]) -> None:
    clock = [10.0]
    rates = EventRates(lambda: clock[0])
    speaker = talks[0][0]
    connection = speaker.end.connection
    assert connection is not None
    speaker.send("say", "before anybody looked")
    rates.look([connection])
    assert rates.rate(connection) == 0
    for _ in range(6):
        speaker.send("say", "x")
    clock[0] = 12.0
    rates.look([connection])
    assert rates.rate(connection) == 3.0
    clock[0] = 13.0
    rates.look([connection])
    assert rates.rate(connection) == 0


def test_removed_connections_are_forgotten_and_stopping_removes_all_counters(
    talks: list[tuple[Probe, Probe]],
) -> None:
    clock = [0.0]
    rates = EventRates(lambda: clock[0])
    one, other = (speaker for speaker, _ in talks)
    first, second = one.end.connection, other.end.connection
    assert first is not None
    assert second is not None
    rates.look([first, second])
    first.dispose()
    rates.look([second])
    assert rates.rate(first) == rates.rate(None) == 0
    rates.stop()
    assert second._taps == ()
    clock[0] = 5.0
    other.send("say", "x")
    rates.look([second])
    assert rates.rate(second) == 0, "nothing was counted while nobody looked"


@given(
    st.integers(1, 30).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.tuples(*[st.integers(0, n)] * 2))))
)
def test_every_node_has_a_position_and_neighbours_are_in_adjacent_columns(
    graph: tuple[int, list[tuple[int, int]]],
) -> None:
    count, edges = graph
    found = spots(range(count), edges)
    assert set(found) == set(range(count))
    assert len(set(found.values())) == count
    for one, other in edges:
        if one in found and other in found:
            assert abs(found[one][0] - found[other][0]) <= 1


def test_unconnected_nodes_start_again_below() -> None:
    assert spots([1, 2, 3], [(1, 2)]) == {1: (0, 0), 2: (1, 0), 3: (0, 1)}
    assert spots([], []) == {}


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ((), "(whole object)"),
        (("List",), "List"),
        (("List", "Parameter[channel]", "Value"), "channel"),
        (("List", "Parameter[channel]", "Value", "From", "From"), "channel"),
    ],
)
def test_short_names_say_what_a_part_is(node: Node, path: tuple[str, ...], name: str) -> None:
    proxy = Proxy(node, path, ObjectType(()))
    assert called(proxy) == name
    assert kind_of(proxy) == "part of Liven"
    proxy.instance = []
    assert kind_of(proxy) == "list"


def test_an_endpoint_names_its_connection(node: Node, talks: list[tuple[Probe, Probe]]) -> None:
    assert joined(talks[0][0].end) == "l/end"
    assert joined(Probe(node, SPEAKER).end) == ""


@pytest.mark.parametrize(("rate", "text"), [(0, ""), (0.5, "0.5/s"), (3.0, "3/s"), (41.7, "42/s")])
def test_rates_are_short(rate: float, text: str) -> None:
    assert rate_text(rate) == text
