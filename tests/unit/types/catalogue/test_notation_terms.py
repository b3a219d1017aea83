"""Terms made from written types."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.types.catalogue import Catalogue
from liven.types.catalogue.notation import NotationError, read_type
from liven.types.catalogue.notation_terms import SCALARS, OpenTemplateError, with_tag
from liven.types.formalism.registry import Formalisms
from liven.types.ids import ClassId
from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.type_text import spell
from liven.types.terms.value_types import (
    TEXT,
    ClassTag,
    Integer,
    ListOf,
    MapOf,
    Record,
    RefTo,
    Union,
    ValueType,
    optional,
    record,
    union,
)

EVENTS = (("go", TEXT),)
GIVEN: dict[str, Any] = {
    "V": TEXT,
    "I": EVENTS,
    "E": EndpointType(inputs=EVENTS),
    "O": ObjectType((("door", EndpointType(inputs=EVENTS)),)),
}


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("V", TEXT),
        ("list<V>", ListOf(TEXT)),
        ("V?", optional(TEXT)),
        ("{a: V, b: list<V?>}", record(a=TEXT, b=ListOf(optional(TEXT)))),
        ("ref<O>", RefTo(GIVEN["O"])),
        ("liven:reference<O>", RefTo(GIVEN["O"])),
        ("liven:set<V>", ListOf(TEXT)),
        ("liven:versioned<V, int8>", record(value=Integer(-128, 127), version=TEXT)),
    ],
)
def test_parameters_stand_for_what_is_given(catalogue: Catalogue, text: str, term: ValueType) -> None:
    assert catalogue.builder.value(read_type(text), GIVEN) == term


@pytest.mark.parametrize(
    ("text", "inputs", "outputs"),
    [
        ("exports I", EVENTS, ()),
        ("imports I", (), EVENTS),
        ("exports I imports I", EVENTS, EVENTS),
        ("E", EVENTS, ()),
        ("liven:dual-interface<I, liven:client-without-events>", None, None),
        ("liven:exported-interface<I>", EVENTS, ()),
        ("liven:imported-interface<I>", (), EVENTS),
        ("liven:dual-interface<I, I>", EVENTS, EVENTS),
    ],
)
def test_endpoints_are_made_of_interfaces(
    catalogue: Catalogue, text: str, inputs: object, outputs: object
) -> None:
    if inputs is None:
        with pytest.raises(LookupError, match="no interface is called liven:client-without-events"):
            catalogue.builder.endpoint(read_type(text), GIVEN)
        return
    made = catalogue.builder.endpoint(read_type(text), GIVEN)
    assert (made.inputs, made.outputs) == (inputs, outputs)


def test_an_object_type_takes_classes_of_every_kind(catalogue: Catalogue) -> None:
    build = catalogue.builder.object
    assert dict(build(read_type("liven:service<I>"), GIVEN).endpoints)["Endpoint"].inputs == EVENTS
    channel = build(read_type("liven:channel<V>"), GIVEN)
    assert "push({message: text})" in spell(channel)
    folder = build(read_type("liven:folder<V, O>"), GIVEN)
    assert "ref<object {door: endpoint {in go(text)}}>" in spell(folder)
    factory = build(read_type("liven:factory2<E>"), GIVEN)
    assert "endpoint<endpoint {in go(text)}>" in spell(factory)


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        ("object", "{a: text}", "a written type is used where an object type is expected"),
        ("interface", "text?", "a written type is used where an interface is expected"),
        ("object", "exports I", "a written type is used where an object type is expected"),
        ("interface", "text", "no interface is called text"),
        ("endpoint", "liven:text", "no endpoint class is called liven:text"),
    ],
)
def test_a_type_of_the_wrong_kind_is_refused(catalogue: Catalogue, kind: Any, text: str, said: str) -> None:
    with pytest.raises((NotationError, LookupError), match=said):
        catalogue.builder.of_kind(kind)(read_type(text), GIVEN)


def test_a_template_without_its_parameters_is_not_a_type(catalogue: Catalogue) -> None:
    with pytest.raises(OpenTemplateError, match="KeyClass, ObjectClass are given"):
        catalogue.object("liven:folder")


def test_only_terms_that_can_carry_a_name_get_one() -> None:
    tag = ClassTag(ClassId(1), "x")
    for term in (record(a=TEXT), union(a=TEXT)):
        named = with_tag(term, tag)
        assert isinstance(named, Record | Union)
        assert named.tag == tag
        assert named == term
    assert with_tag(TEXT, tag) is TEXT


NAMES = st.sampled_from(["a", "b", "name", "x1"])
TERMS: st.SearchStrategy[ValueType] = st.recursive(
    st.sampled_from(list(SCALARS.values())) | st.builds(Integer, st.integers(-9, 0), st.integers(0, 9)),
    lambda inner: st.one_of(
        st.builds(ListOf, inner),
        st.builds(MapOf, inner),
        st.builds(optional, inner),
        st.dictionaries(NAMES, inner, max_size=3).map(lambda held: record(**held)),
        st.dictionaries(NAMES, inner, min_size=1, max_size=3).map(lambda held: union(**held)),
    ),
    max_leaves=8,
)


@given(TERMS)
def test_a_printed_type_can_be_read_back(term: ValueType) -> None:
    assert Catalogue(Formalisms()).value(spell(term)) == term
