"""Several formulas as one automaton."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liven.types.formalism.plugin import Vocabulary
from liven.types.formalism.trace import Formula, TooLargeError, TraceFormalism
from liven.types.formalism.trace.alphabet import Scope
from liven.types.formalism.trace.automaton import Automaton
from liven.types.formalism.trace.formula import atoms_of
from liven.types.formalism.trace.inclusion import missing_trace
from liven.types.formalism.trace.product import part_automaton, product_automaton

TRACES = TraceFormalism()
NAMES = Vocabulary(frozenset({"A", "B"}), frozenset({"X", "Y"}))
PARTS = [
    "at most one A",
    "no X before A",
    "every A is answered by X",
    "A alternates with X",
    "nothing after Y",
    "only X or A",
    "eventually disconnect",
    "eventually X",
    "never connect",
    "no X",
    "next next B",
    "never out.*",
]


def scope_of(formulas: list[Formula], directed: bool = False) -> Scope:
    return Scope.of(frozenset().union(*map(atoms_of, formulas)), directed)


def both_ways(one: Automaton, two: Automaton, scope: Scope) -> bool:
    return missing_trace(one, two, scope) is missing_trace(two, one, scope) is None


@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=4, unique=True), st.booleans())
@settings(max_examples=150, deadline=None)
def test_the_product_is_the_conjunction(texts: list[str], directed: bool) -> None:
    parts = [TRACES.parse(text, NAMES) for text in texts]
    scope = scope_of(parts, directed)
    together, whole = product_automaton(tuple(parts), scope), part_automaton(TRACES.conjoin(parts), scope)
    assert both_ways(together, whole, scope)
    for automaton in (together, whole):
        assert len(automaton.accepting) == len(automaton.table) == len(automaton.hopeful)
    assert together.hopeful[0] == whole.hopeful[0]


def test_at_an_object_each_endpoint_has_its_own_connection() -> None:
    names = Vocabulary(endpoints=(("x", NAMES), ("y", NAMES)))
    parts = [TRACES.parse(text, names) for text in ("no x.A before y.B", "at most one y.B", "eventually x.A")]
    scope = scope_of(parts)
    assert both_ways(
        product_automaton(tuple(parts), scope), part_automaton(TRACES.conjoin(parts), scope), scope
    )


def test_the_empty_product_accepts_every_trace() -> None:
    scope = Scope()
    assert product_automaton((), scope).settled[1:] == (True, True)


def test_equivalent_states_are_merged() -> None:
    parts = [TRACES.parse(f"at most 9 {name}", NAMES) for name in ("A", "B")]
    start, gone, broken = 1, 1, 1
    assert len(product_automaton(tuple(parts), scope_of(parts)).table) == start + 10 * 10 + gone + broken


def test_too_many_states_are_refused_with_the_bound() -> None:
    parts = [TRACES.parse(f"at most 16 {name}", NAMES) for name in ("A", "B", "X")]
    with pytest.raises(TooLargeError, match="these 3 formulas have more than 4096 states together"):
        product_automaton(tuple(parts), scope_of(parts))
