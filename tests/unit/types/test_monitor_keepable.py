"""Whether a set of promises is one that its owner can keep."""

from __future__ import annotations

from typing import Any

from liven.types.formalism.guarantee import GUARANTEE
from liven.types.formalism.plugin import Formalism, Vocabulary
from liven.types.formalism.stock import stock_formalisms
from liven.types.formalism.timing import TIMING
from liven.types.formalism.trace import TRACE
from liven.types.ids import ClassId
from liven.types.monitor_keepable import keepable
from liven.types.structure import Constraint

NAMES = Vocabulary(frozenset({"Send", "Close"}), frozenset({"Receive"}))


class Known:
    def __init__(self) -> None:
        self._by_id = {formalism.id: formalism for formalism in stock_formalisms()}

    def find(self, key: ClassId, /) -> Formalism[Any] | None:
        return self._by_id.get(key)


STOCK = Known()


def constraint(text: str, language: ClassId = TRACE) -> Constraint:
    formalism = STOCK.find(language)
    assert formalism is not None
    return Constraint(language, formalism.parse(text, NAMES), text)


def test_promises_about_ones_own_events_can_be_kept() -> None:
    provided = [constraint("every Receive follows a Send"), constraint("total, reliable", GUARANTEE)]
    assert keepable(provided, [], STOCK)


def test_a_promise_about_the_peers_events_needs_a_demand() -> None:
    promise = constraint("at most one Close")
    refused = keepable([promise], [], STOCK)
    assert not refused
    assert "connect, in.Close, in.Close" in refused.render()
    assert keepable([promise], [constraint("nothing after Close")], STOCK)


def test_each_formalism_is_judged_by_its_own_demands() -> None:
    late = constraint("Close within 1 s after Receive", TIMING)
    assert not keepable([late], [constraint("at most one Close")], STOCK)
    assert keepable([late], [late], STOCK)


def test_several_promises_are_judged_together() -> None:
    refused = keepable([constraint("eventually Receive"), constraint("no Receive before Send")], [], STOCK)
    assert not refused
    assert keepable(
        [constraint("eventually Receive"), constraint("no Receive before Send")],
        [constraint("at least one Send")],
        STOCK,
    )


def test_what_nobody_knows_is_not_judged() -> None:
    assert keepable([Constraint(ClassId(7), "?", "?")], [], STOCK)
    assert keepable([], [], STOCK)
