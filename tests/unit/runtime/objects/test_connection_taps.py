"""Taps: they count events and list them, with values that can do no harm."""

from __future__ import annotations

from liven.runtime.objects.connection_taps import KEPT, LONGEST, EventCount, EventLog, in_brief
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import Probe, opposite
from liven.types.terms.endpoint_types import EndpointType
from liven.types.terms.value_types import TEXT, record

SPEAKER = EndpointType(inputs=(("heard", record(text=TEXT)),), outputs=(("say", record(text=TEXT)),))


def test_events_of_both_directions_are_counted_separately(node: Node) -> None:
    speaker, listener = Probe(node, SPEAKER, "s"), Probe(node, opposite(SPEAKER), "l")
    connection = speaker.connect(listener)
    count, log = EventCount(), EventLog(lambda: 7.0)
    for tap in (count, log):
        connection.watch(tap)
    speaker.send("say", "hello")
    listener.send("heard", "hm")
    assert (count.events, log.total) == (2, 2)
    said, heard = log.kept
    assert (said.at, said.receiver, said.name, said.values) == (7.0, listener.end, "say", "'hello'")
    assert (heard.receiver, heard.name) == (speaker.end, "heard")


def test_a_log_is_bounded_and_counts_on(node: Node) -> None:
    speaker, listener = Probe(node, SPEAKER, "s"), Probe(node, opposite(SPEAKER), "l")
    log = EventLog(lambda: 0.0)
    speaker.connect(listener).watch(log)
    for number in range(KEPT + 5):
        speaker.send("say", str(number))
    assert log.total == KEPT + 5
    assert [passed.values for passed in log.kept][:1] == ["'5'"]
    assert len(log.kept) == KEPT


class Rude:
    def __repr__(self) -> str:
        raise RuntimeError("no")


class Endless:
    def __repr__(self) -> str:
        return "x" * 1_000_000


def test_long_values_and_failing_reprs_are_shortened() -> None:
    assert len(in_brief((Endless(),) * 10)) == LONGEST
    assert len(in_brief(("a" * 10_000_000,))) <= LONGEST
    assert "Rude" in in_brief((Rude(),))
    assert in_brief(()) == ""
