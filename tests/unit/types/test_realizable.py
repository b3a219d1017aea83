"""Sets of promises that their owner can keep, and others."""

from __future__ import annotations

from typing import Any

from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.guarantee import GUARANTEE
from liven.types.formalism.plugin import Formalism, Vocabulary
from liven.types.formalism.timing import TIMING
from liven.types.formalism.trace import TRACE
from liven.types.ids import ClassId
from liven.types.realizable import realizable
from liven.types.terms.endpoint_types import Constraint

NAMES = Vocabulary(frozenset({"Send", "Close"}), frozenset({"Receive"}))


class Known:
    def __init__(self) -> None:
        self._by_id = {formalism.id: formalism for formalism in builtin_formalisms()}

    def find(self, key: ClassId, /) -> Formalism[Any] | None:
        return self._by_id.get(key)


STOCK = Known()


def constraint(text: str, language: ClassId = TRACE) -> Constraint:
    formalism = STOCK.find(language)
    assert formalism is not None
    return Constraint(language, formalism.parse(text, NAMES), text)


def test_promises_about_ones_own_events_can_be_kept() -> None:
    provided = [constraint("every Receive follows a Send"), constraint("total, reliable", GUARANTEE)]
    assert realizable(provided, [], STOCK)


def test_a_promise_about_the_peers_events_needs_a_demand() -> None:
    promise = constraint("at most one Close")
    refused = realizable([promise], [], STOCK)
    assert not refused
    assert "connect, in.Close, in.Close" in refused.render()
    assert realizable([promise], [constraint("nothing after Close")], STOCK)


def test_each_formalism_is_judged_by_its_own_demands() -> None:
    late = constraint("Close within 1 s after Receive", TIMING)
    assert not realizable([late], [constraint("at most one Close")], STOCK)
    assert realizable([late], [late], STOCK)


def test_several_promises_are_judged_together() -> None:
    refused = realizable([constraint("eventually Receive"), constraint("no Receive before Send")], [], STOCK)
    assert not refused
    assert realizable(
        [constraint("eventually Receive"), constraint("no Receive before Send")],
        [constraint("at least one Send")],
        STOCK,
    )


def test_an_unknown_formalism_is_not_judged() -> None:
    assert realizable([Constraint(ClassId(7), "?", "?")], [], STOCK)
    assert realizable([], [], STOCK)


def test_a_demand_that_nobody_can_meet_is_refused_and_lets_nothing_pass() -> None:
    """An event alone is true of no trace, since its first position is the connect."""
    for promises in ([constraint("at most one Close")], []):
        refused = realizable(promises, [constraint("Close")], STOCK)
        assert not refused
        assert "in.Close: it is required, and nobody can meet it" in refused.render()
        assert "did you mean `at least one in.Close`?" in refused.render()


def test_demands_that_cannot_be_met_together_are_refused() -> None:
    both = [constraint("eventually Close"), constraint("no Close")]
    assert realizable([], both[:1], STOCK)
    refused = realizable([], both, STOCK)
    assert "eventually in.Close and never in.Close are true together of no trace" in refused.render()


def test_a_demand_in_words_that_promise_nothing_is_left_alone() -> None:
    assert realizable([], [constraint("Close within 1 s after Receive", TIMING)], STOCK)
    assert realizable([constraint("no Receive")], [constraint("given peer is fifo, Close")], STOCK)
