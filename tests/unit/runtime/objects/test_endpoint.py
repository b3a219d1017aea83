from __future__ import annotations

import pytest

from liven.runtime.errors import NotConnectedError, UnknownNameError
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import Probe, opposite
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.plugin import Vocabulary
from liven.types.formalism.registry import Formalisms
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import Constraint, EndpointType
from liven.types.terms.value_types import TEXT, record

TALK = EndpointType((("heard", record(text=TEXT)),), (("say", record(text=TEXT)),))


def test_two_references_to_one_endpoint_are_equal(node: Node) -> None:
    one, other = Probe(node, TALK), Probe(node, TALK)
    assert one.external == one.handle.endpoint("end")
    assert hash(one.external) == hash(one.handle.endpoint("end"))
    assert one.external != other.external
    assert one.external != "probe/end"


def test_an_external_endpoint_shows_name_type_and_connection(node: Node) -> None:
    one = Probe(node, TALK, "one")
    outside = one.external
    assert (str(outside), outside.name, outside.type) == ("one/end", "end", TALK)
    assert not outside.connected
    other = Probe.joined_to(node, outside)
    assert outside.connected
    assert other.end.peer_payload is None
    one.close()
    assert outside.ended


def test_the_emitter_of_an_event_is_the_same_each_time(node: Node) -> None:
    probe = Probe(node, TALK)
    assert probe.end.emitter("say") is probe.end.emitter("say")


def test_an_event_sent_with_send_once_arrives_like_any_other(node: Node) -> None:
    one = Probe(node, TALK, "one")
    other = Probe.joined_to(node, one.external)
    one.end.send_once("say", {"text": "first"})
    one.end.send("say", {"text": "second"})
    said = [event for event in other.heard if event[0] not in ("connect", "disconnect")]
    assert said == [("say", {"text": "first"}), ("say", {"text": "second"})]


def test_send_once_refuses_unknown_events_and_missing_connections(node: Node) -> None:
    one = Probe(node, TALK, "one")
    with pytest.raises(UnknownNameError):
        one.end.send_once("shout", {"text": "?"})
    with pytest.raises(NotConnectedError):
        one.end.send_once("say", {"text": "?"})


def test_the_opposite_of_an_endpoint_matches_it_and_keeps_what_it_demands() -> None:
    formalisms = Formalisms(builtin_formalisms())
    trace = next(one for one in formalisms if one.name == "trace")
    text = "in.heard never precedes out.say"
    names = Vocabulary(frozenset({"heard"}), frozenset({"say"}))
    demand = Constraint(trace.id, trace.parse(text, names), text)
    strict = EndpointType(TALK.inputs, TALK.outputs, requires=(demand,))
    matcher = Matcher(formalisms)
    assert not matcher.matches(strict, opposite(strict))
    assert matcher.matches(strict, opposite(strict, formalisms))
    assert opposite(opposite(TALK)) == TALK
    assert opposite(EndpointType(local="UI")) == EndpointType(local="~UI")
    assert opposite(EndpointType(local="~UI")) == EndpointType(local="UI")
