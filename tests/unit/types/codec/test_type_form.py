from __future__ import annotations

from typing import Any

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.types.codec.type_form import TypeFormError, form_of, type_of
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.plugin import Vocabulary
from liven.types.formalism.registry import Formalisms
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import Constraint, EndpointType, ObjectType
from liven.types.terms.value_types import (
    BOOL,
    BYTES,
    FLOAT32,
    FLOAT64,
    ID,
    TEXT,
    UINT64,
    EndpointTo,
    Integer,
    ListOf,
    Local,
    Loop,
    MapOf,
    Recursive,
    RefTo,
    ValueType,
    optional,
    record,
    union,
)

FORMALISMS = Formalisms(builtin_formalisms())
NAMES = st.sampled_from(["a", "b", "c"])
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from([BOOL, BYTES, FLOAT32, FLOAT64, ID, TEXT, UINT64, Integer(-(2**90), 2**90)]),
    lambda inner: st.one_of(
        inner.map(ListOf),
        inner.map(MapOf),
        inner.map(optional),
        st.dictionaries(NAMES, inner, max_size=3).map(lambda fields: record(**fields)),
        st.dictionaries(NAMES, inner, min_size=1, max_size=3).map(lambda tags: union(**tags)),
        inner.map(lambda value: RefTo(ObjectType((("end", EndpointType(inputs=(("a", value),))),)))),
        inner.map(lambda value: EndpointTo(EndpointType(outputs=(("a", value),)))),
    ),
    max_leaves=6,
)


@given(st.dictionaries(NAMES, VALUES, max_size=3), st.dictionaries(NAMES, VALUES, max_size=3))
def test_a_type_is_restored_from_its_form(
    inputs: dict[str, ValueType], outputs: dict[str, ValueType]
) -> None:
    kind = EndpointType(tuple(sorted(inputs.items())), tuple(sorted(outputs.items())))
    sent = msgpack.unpackb(msgpack.packb(form_of(kind)))
    assert type_of(sent, FORMALISMS) == kind


def test_recursive_types_travel() -> None:
    tree = Recursive("Tree", record(item=TEXT, below=ListOf(Loop("Tree"))))
    kind = EndpointType(inputs=(("grow", tree),))
    assert type_of(form_of(kind), FORMALISMS) == kind


def test_constraints_travel_as_they_were_written_and_are_read_again() -> None:
    trace = next(one for one in FORMALISMS if one.name == "trace")
    text = "out.send never precedes out.open"
    predicate = trace.parse(text, Vocabulary(frozenset(), frozenset({"send", "open"})))
    outputs = (("open", record()), ("send", record()))
    kind = EndpointType(outputs=outputs, provides=(Constraint(trace.id, predicate, text),))
    assert type_of(form_of(kind), FORMALISMS) == kind


def test_a_demand_in_a_formalism_that_is_unknown_is_refused_and_a_promise_is_left_out() -> None:
    form = [[], [], [["ABCDEF", "whatever"]], []]
    assert type_of(form, FORMALISMS) == EndpointType()
    with pytest.raises(TypeFormError, match="demands 'whatever' in the formalism ABCDEF"):
        type_of([[], [], [], [["ABCDEF", "whatever"]]], FORMALISMS)


@pytest.mark.parametrize("kind", [EndpointType(local="UI"), EndpointType(inputs=(("x", Local("handle")),))])
def test_a_local_type_is_never_sent(kind: EndpointType) -> None:
    with pytest.raises(TypeFormError, match="never leaves its process"):
        form_of(kind)


JUNK: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(["record", "list", "integer", "float", "loop"]),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=12,
)


@given(JUNK)
def test_any_form_is_a_type_or_is_refused(junk: Any) -> None:
    try:
        kind = type_of(junk, FORMALISMS)
    except TypeFormError:
        return
    Matcher(FORMALISMS).matches(kind, kind)


def test_an_endless_type_is_refused() -> None:
    deep: Any = ["bool"]
    for _ in range(200):
        deep = ["list", deep]
    with pytest.raises(TypeFormError, match="100 levels"):
        type_of([[["a", deep]], [], [], []], FORMALISMS)
