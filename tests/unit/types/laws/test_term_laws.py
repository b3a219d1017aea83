"""Laws of every term: it is well-formed, has a printed form, can be serialized, and its values print."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from liven.types.terms.recursion import unfold
from liven.types.terms.serializable import can_tunnel, is_serializable
from liven.types.terms.type_text import brief, spell
from liven.types.terms.value_text import show
from liven.types.terms.value_types import Recursive
from liven.types.terms.wellformed import demand_wellformed

if TYPE_CHECKING:
    from tests.unit.types.laws.conftest import Terms

tried = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@tried
@given(data=st.data())
def test_every_term_that_is_built_by_the_rules_is_well_formed(terms: Terms, data: st.DataObject) -> None:
    for strategy in (terms.values(), terms.endpoints(), terms.objects()):
        demand_wellformed(data.draw(strategy))


@tried
@given(data=st.data())
def test_supertypes_of_well_formed_types_are_well_formed(terms: Terms, data: st.DataObject) -> None:
    demand_wellformed(data.draw(terms.wider_of(data.draw(terms.values()))))


@tried
@given(data=st.data())
def test_unfolding_a_well_formed_type_gives_a_well_formed_type(terms: Terms, data: st.DataObject) -> None:
    kind = data.draw(terms.values())
    demand_wellformed(unfold(kind) if isinstance(kind, Recursive) else kind)


@tried
@given(data=st.data())
def test_every_term_prints_and_a_sentence_stays_short(terms: Terms, data: st.DataObject) -> None:
    for strategy in (terms.values(), terms.endpoints(), terms.objects()):
        term = data.draw(strategy)
        assert spell(term)
        assert spell(term).isprintable()
        assert len(brief(term)) <= 72


@tried
@given(data=st.data())
def test_what_holds_nothing_local_travels_and_tunnels(terms: Terms, data: st.DataObject) -> None:
    assert is_serializable(data.draw(terms.values()))
    assert can_tunnel(data.draw(terms.endpoints()))


@tried
@given(data=st.data())
def test_every_value_shows_on_one_line(terms: Terms, data: st.DataObject) -> None:
    kind = data.draw(terms.values())
    shown = show(kind, data.draw(terms.value_of(kind)))
    assert shown
    assert shown.isprintable()
