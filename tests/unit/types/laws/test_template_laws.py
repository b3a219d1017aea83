"""Parameters of a template can be assigned in any order and in any portions."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from liven.types.codec import Codec
from liven.types.formalism.registry import Formalisms
from liven.types.ids import ClassId
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.template import Arguments, Kind, Parameter, Template, TemplateError
from liven.types.terms.value_types import TEXT, ClassTag, ListOf, record

if TYPE_CHECKING:
    from tests.unit.types.laws.conftest import Terms

tried = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))


def build(given_types: Arguments) -> ObjectType:
    pair = record(first=given_types["First"], second=given_types["Second"])
    return ObjectType((("Channel", EndpointType((("Send", pair),))), ("Under", given_types["Under"])))


PAIRS = Template(
    ClassTag(ClassId(0xFA1), "pairs"),
    (
        Parameter("First", Kind.VALUE_CLASS),
        Parameter("Second", Kind.VALUE_CLASS),
        Parameter("Under", Kind.ENDPOINT_CLASS),
        Parameter("history", Kind.VALUE, lambda types: ListOf(types["First"])),
        Parameter("caption", Kind.VALUE, TEXT),
    ),
    build,
    check=lambda kind, value, name: Codec(kind).check(value, name),
)
TYPES, VALUES = ("First", "Second", "Under"), ("history", "caption")


def arguments(data: st.DataObject, terms: Terms) -> dict[str, Any]:
    first, second = data.draw(terms.values()), data.draw(terms.values())
    history = data.draw(st.lists(terms.value_of(first), max_size=2))
    under = data.draw(terms.endpoints())
    return {"First": first, "Second": second, "Under": under, "history": history, "caption": "pairs"}


@tried
@given(data=st.data())
def test_types_may_be_given_in_any_order_and_in_any_portions(terms: Terms, data: st.DataObject) -> None:
    given_all = arguments(data, terms)
    whole = PAIRS.assign(**given_all)
    for order in permutations(TYPES):
        stepwise = PAIRS
        for name in (*order, *VALUES):
            stepwise = stepwise.assign(**{name: given_all[name]})
        assert stepwise.entity() == whole.entity()
        assert dict(stepwise.given) == dict(whole.given)


@tried
@given(data=st.data())
def test_no_part_of_the_parameters_is_a_type(terms: Terms, data: st.DataObject) -> None:
    given_all = arguments(data, terms)
    matcher = Matcher(Formalisms())
    for left_out in given_all:
        kept = {name: value for name, value in given_all.items() if name != left_out}
        if left_out in TYPES:
            kept = {name: value for name, value in kept.items() if name in TYPES}
        partly = PAIRS.assign(**kept)
        assert left_out in {parameter.name for parameter in partly.open}
        assert not matcher.subtype(partly, partly)
        with pytest.raises(TemplateError, match=f"`{left_out}`"):
            partly.entity()


@tried
@given(data=st.data())
def test_values_wait_for_every_type(terms: Terms, data: st.DataObject) -> None:
    given_all = arguments(data, terms)
    for missing in TYPES:
        some = {name: given_all[name] for name in TYPES if name != missing}
        for value in VALUES:
            with pytest.raises(TemplateError, match=f"come before values; give {missing} first"):
                PAIRS.assign(**some, **{value: given_all[value]})
