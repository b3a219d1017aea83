"""Interfaces as events, and the directions of replies."""

from __future__ import annotations

from liven.types.terms.interfaces import Method, incoming, interface_events, outgoing
from liven.types.terms.type_text import spell_events
from liven.types.terms.value_types import BOOL, INT64, TEXT

SAY = Method("say", (("what", TEXT), ("aloud", BOOL)))
COUNT = Method("count", (("of", TEXT),), INT64)


def test_an_event_carries_its_parameters_by_name() -> None:
    assert spell_events(interface_events([SAY])) == "say({aloud: bool, what: text})"


def test_an_operation_numbers_its_calls_and_has_a_reply() -> None:
    assert spell_events(interface_events([COUNT])) == (
        "count({call: uint64, of: text}), count.reply({answer: <error: text | value: int64>, call: uint64})"
    )


def test_replies_go_in_the_opposite_direction() -> None:
    both = interface_events([SAY, COUNT])
    assert [name for name, _ in incoming(both, ())] == ["count", "say"]
    assert [name for name, _ in outgoing(both, ())] == ["count.reply"]
    assert [name for name, _ in incoming((), both)] == ["count.reply"]
    assert [name for name, _ in outgoing((), both)] == ["count", "say"]


def test_incoming_events_of_one_side_are_outgoing_of_the_other() -> None:
    first, second = interface_events([SAY]), interface_events([COUNT])
    assert incoming(first, second) == outgoing(second, first)


def test_events_are_sorted_by_name() -> None:
    assert interface_events([SAY, COUNT]) == interface_events([COUNT, SAY])
    swapped = Method("say", (("aloud", BOOL), ("what", TEXT)))
    assert interface_events([SAY]) == interface_events([swapped])
