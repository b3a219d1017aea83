from __future__ import annotations

import pytest

from liven.runtime.dispatcher import HandCranked
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import Probe
from liven.runtime.objects.promise_monitor import PromiseMonitors
from liven.runtime.objects.value_bridge import ValueBridges
from liven.runtime.problems import Kind, Problems
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.plugin import Vocabulary
from liven.types.formalism.registry import Formalisms
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import Constraint, EndpointType
from liven.types.terms.value_types import record

EVENTS = ("close", "send")
FORMALISMS = Formalisms(builtin_formalisms())


def promising(text: str) -> EndpointType:
    formalism = next(one for one in FORMALISMS if one.name == "trace")
    predicate = formalism.parse(text, Vocabulary(frozenset(), frozenset(EVENTS)))
    outputs = tuple((event, record()) for event in EVENTS)
    return EndpointType(outputs=outputs, provides=(Constraint(formalism.id, predicate, text),))


TAKER = EndpointType(inputs=tuple((event, record()) for event in EVENTS))


@pytest.fixture
def node(crank: HandCranked, problems: Problems) -> Node:
    return Node(crank, problems, Matcher(FORMALISMS), ValueBridges())


def test_the_first_broken_promise_is_a_problem_that_names_the_guilty_side(
    node: Node, problems: Problems
) -> None:
    node.monitors = PromiseMonitors(node, FORMALISMS)
    sender, taker = (
        Probe(node, promising("at most one out.close, and nothing after it"), "s"),
        Probe(node, TAKER, "t"),
    )
    sender.connect(taker)
    for event in ("send", "close"):
        sender.send(event)
    assert len(problems) == 0
    sender.send("send")
    sender.send("send")
    (problem,) = problems
    assert problem.kind is Kind.BROKEN
    assert problem.where == ("s", "end")
    assert "at fault is s/end" in problem.what
    assert problem.explanation is not None
    assert taker.heard[-1] == ("send",), "a monitor only watches"


def test_a_monitor_can_be_switched_on_for_one_connection_that_is_open(node: Node, problems: Problems) -> None:
    kind = promising("no out.send after out.close")
    watched, other = (Probe(node, kind, "watched"), Probe(node, kind, "other"))
    takers = Probe(node, TAKER, "taker"), Probe(node, TAKER, "taker")
    connection = watched.connect(takers[0])
    other.connect(takers[1])
    PromiseMonitors(node, FORMALISMS).watch(connection)
    other.send("close")
    other.send("send")
    assert len(problems) == 0
    watched.send("close")
    watched.send("send")
    assert [problem.where for problem in problems] == [("watched", "end")]


def test_an_eventually_is_judged_at_disconnect(node: Node, problems: Problems) -> None:
    node.monitors = PromiseMonitors(node, FORMALISMS)
    sender, taker = Probe(node, promising("eventually out.close"), "s"), Probe(node, TAKER, "t")
    connection = sender.connect(taker)
    sender.send("send")
    assert len(problems) == 0
    connection.dispose()
    assert [problem.kind for problem in problems] == [Kind.BROKEN]


def test_two_probes_of_one_name_get_different_names(node: Node, problems: Problems) -> None:
    node.monitors = PromiseMonitors(node, FORMALISMS)
    sender, taker = Probe(node, promising("out.send never precedes out.close"), "x"), Probe(node, TAKER, "x")
    sender.connect(taker)
    sender.send("send")
    sender.send("close")
    (problem,) = problems
    assert "x/end and x/end (2)" in problem.advice


def test_a_late_monitor_does_not_judge_the_past(node: Node, problems: Problems) -> None:
    sender, taker = Probe(node, promising("no out.send before out.close"), "s"), Probe(node, TAKER, "t")
    connection = sender.connect(taker)
    sender.send("close")
    PromiseMonitors(node, FORMALISMS).begin(connection)
    sender.send("send")
    assert len(problems) == 0


def test_a_closed_monitor_keeps_its_verdict(node: Node, problems: Problems) -> None:
    sender, taker = Probe(node, promising("no out.send after out.close"), "s"), Probe(node, TAKER, "t")
    connection = sender.connect(taker)
    monitors = PromiseMonitors(node, FORMALISMS, lambda _: False)
    first = monitors.begin(connection)
    assert first is not None
    sender.send("close")
    first.close()
    sender.send("send")
    assert (first.broken, len(problems)) == (False, 0)
    second = monitors.begin(connection)
    assert second is not None
    sender.send("close")
    sender.send("send")
    assert (second.broken, len(problems)) == (True, 1)
    connection.dispose()
    second.close()
    assert monitors.begin(connection) is None


def test_connections_that_are_not_chosen_are_not_monitored(node: Node, problems: Problems) -> None:
    sender, taker = Probe(node, promising("no out.send after out.close"), "s"), Probe(node, TAKER, "t")
    PromiseMonitors(node, FORMALISMS, lambda _: False).watch(sender.connect(taker))
    for event in ("close", "send"):
        sender.send(event)
    assert len(problems) == 0
