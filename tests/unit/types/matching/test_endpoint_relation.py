from __future__ import annotations

import pytest

from liven.types.ids import ClassId
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import Constraint, EndpointType, ObjectType
from liven.types.terms.value_types import INT32, INT64, TEXT, ValueType, optional, record

FIFO = Constraint(ClassId(0xA), frozenset({"fifo"}), "fifo")
TOTAL = Constraint(ClassId(0xA), frozenset({"fifo", "total"}), "total")

CHANNEL = EndpointType(inputs=(("Send", TEXT),), outputs=(("Receive", TEXT),), provides=(FIFO,))
EDITOR = EndpointType(inputs=(("Receive", TEXT),), outputs=(("Send", TEXT),), requires=(FIFO,))


def test_endpoints_match_if_each_receives_what_the_other_sends(matcher: Matcher) -> None:
    assert matcher.matches(CHANNEL, EDITOR)
    assert matcher.matches(EDITOR, CHANNEL)


def test_an_event_without_receiver_prevents_a_match(matcher: Matcher) -> None:
    answer = matcher.matches(EndpointType(outputs=(("Erase", TEXT), ("Send", TEXT))), CHANNEL)
    found = {path: failure.claim for path, failure in answer.failures()}
    assert found == {
        ("Erase",): "Erase: is sent by the first, and the second does not receive it",
        ("Receive",): "Receive: is sent by the second, and the first does not receive it",
    }


def test_an_unused_input_does_not_prevent_a_match(matcher: Matcher) -> None:
    assert matcher.matches(EndpointType(inputs=(("Receive", TEXT), ("Closed", TEXT))), CHANNEL)


def test_a_payload_may_be_narrower_than_what_is_received(matcher: Matcher) -> None:
    sender = EndpointType(outputs=(("Send", INT32),))
    assert matcher.matches(sender, EndpointType(inputs=(("Send", optional(INT64)),)))
    answer = matcher.matches(
        EndpointType(outputs=(("Send", INT64),)), EndpointType(inputs=(("Send", INT32),))
    )
    assert [path for path, _ in answer.failures()] == [("Send",)]


def test_promises_of_each_side_must_cover_demands_of_the_other(matcher: Matcher) -> None:
    shy = EndpointType(CHANNEL.inputs, CHANNEL.outputs)
    answer = matcher.matches(shy, EDITOR)
    assert not answer
    assert "the first does not promise what the second demands" in answer.render()
    assert "promised: `fifo` is required, nothing is promised" in answer.render()
    assert "the second does not promise what the first demands" in matcher.matches(EDITOR, shy).render()


@pytest.mark.parametrize(
    ("left", "right", "fits"),
    [
        ("UI", "~UI", True),
        ("~UI", "UI", True),
        ("UI", "UI", False),
        ("~UI", "~UI", False),
        ("UI", "UI_X", False),
    ],
)
def test_a_local_kind_matches_only_its_opposite(matcher: Matcher, left: str, right: str, fits: bool) -> None:
    answer = matcher.matches(EndpointType(local=left), EndpointType(local=right))
    assert answer.holds == fits
    assert fits or "connects only to its opposite" in answer.claim


def test_a_local_kind_matches_no_endpoint_of_events(matcher: Matcher) -> None:
    assert not matcher.matches(EndpointType(local="UI"), EndpointType())
    assert not matcher.matches(EndpointType(), EndpointType(local="~UI"))
    assert not matcher.endpoint_subtype(EndpointType(local="UI"), EndpointType())
    assert not matcher.endpoint_subtype(EndpointType(), EndpointType(local="UI"))


def test_a_local_kind_is_a_subtype_of_itself_only(matcher: Matcher) -> None:
    assert matcher.endpoint_subtype(EndpointType(local="UI"), EndpointType(local="UI"))
    assert not matcher.endpoint_subtype(EndpointType(local="UI"), EndpointType(local="~UI"))


def test_constraints_of_local_endpoints_are_compared_too(matcher: Matcher) -> None:
    wary = EndpointType(local="~UI", requires=(FIFO,))
    answer = matcher.matches(EndpointType(local="UI"), wary)
    assert not answer
    assert "opposite" not in answer.claim


BASE = EndpointType((("In", TEXT),), (("Out", INT64),), (FIFO,), (TOTAL,))
MORE, WIDER = (("In", TEXT), ("More", TEXT)), (("In", optional(TEXT)),)


@pytest.mark.parametrize(
    ("better", "name"),
    [
        (
            EndpointType(MORE, BASE.outputs, BASE.provides, BASE.requires),
            "receives more",
        ),
        (
            EndpointType(WIDER, BASE.outputs, BASE.provides, BASE.requires),
            "receives wider",
        ),
        (EndpointType(BASE.inputs, (), BASE.provides, BASE.requires), "sends less"),
        (EndpointType(BASE.inputs, (("Out", INT32),), BASE.provides, BASE.requires), "sends narrower"),
        (EndpointType(BASE.inputs, BASE.outputs, (TOTAL,), BASE.requires), "promises more"),
        (EndpointType(BASE.inputs, BASE.outputs, BASE.provides, (FIFO,)), "demands less"),
        (EndpointType(BASE.inputs, BASE.outputs, BASE.provides, ()), "demands nothing"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_subtype_may_improve_each_part_but_not_the_reverse(
    matcher: Matcher, better: EndpointType, name: str
) -> None:
    assert matcher.endpoint_subtype(better, BASE)
    assert not matcher.endpoint_subtype(BASE, better)


def test_an_object_may_have_more_endpoints_and_better_ones(matcher: Matcher) -> None:
    better = EndpointType(BASE.inputs, (), BASE.provides, BASE.requires)
    large = ObjectType((("A", better), ("B", CHANNEL)))
    assert matcher.object_subtype(large, ObjectType((("A", BASE),)))
    answer = matcher.object_subtype(ObjectType((("A", BASE),)), large)
    assert {path[0] for path, _ in answer.failures()} == {"A", "B"}


def test_constraints_of_objects_compare_like_those_of_endpoints(matcher: Matcher) -> None:
    live, wary = ObjectType(provides=(TOTAL,)), ObjectType(requires=(FIFO,))
    assert matcher.object_subtype(live, ObjectType(provides=(FIFO,)))
    assert not matcher.object_subtype(ObjectType(provides=(FIFO,)), live)
    assert matcher.object_subtype(ObjectType(), wary)
    assert not matcher.object_subtype(wary, ObjectType())


def test_a_cast_checks_the_actual_type(matcher: Matcher) -> None:
    actual = ObjectType((("A", CHANNEL), ("B", CHANNEL)))
    assert matcher.cast(actual, ObjectType((("B", CHANNEL),)))
    assert not matcher.cast(actual, ObjectType((("C", CHANNEL),)))


def test_operations_are_compared_as_their_two_events(matcher: Matcher) -> None:
    def serves(result: ValueType) -> EndpointType:
        return EndpointType((("get", record(key=TEXT)),), (("get.reply", record(value=result)),))

    assert matcher.endpoint_subtype(serves(INT32), serves(INT64))
    assert not matcher.endpoint_subtype(serves(INT64), serves(INT32))
