from __future__ import annotations

import pytest

from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.type_text import Entity
from liven.types.terms.value_types import (
    INT32,
    TEXT,
    EndpointTo,
    ListOf,
    Loop,
    MapOf,
    Record,
    Recursive,
    RefTo,
    Union,
    ValueType,
    optional,
    record,
)
from liven.types.terms.wellformed import IllFormedError, demand_wellformed, find_problems

GOOD: list[Entity] = [
    TEXT,
    Recursive("T", record(head=INT32, tail=optional(Loop("T")))),
    Recursive("T", record(inner=Recursive("U", record(t=ListOf(Loop("T")), u=ListOf(Loop("U")))))),
    RefTo(ObjectType((("e", EndpointType(inputs=(("m", MapOf(TEXT)),))),))),
    EndpointType(local="UI"),
]


@pytest.mark.parametrize("term", GOOD)
def test_well_formed_types_pass(term: Entity) -> None:
    demand_wellformed(term)


@pytest.mark.parametrize(
    ("term", "problem"),
    [
        (record(a=ListOf(Loop("T"))), r"\.a\[\]: `T` is used outside the recursive type"),
        (Recursive("T", optional(Loop("T"))), "`T` is defined as itself alone"),
        (Record((("b", TEXT), ("a", TEXT))), "not in order"),
        (Record((("a", TEXT), ("a", TEXT))), "`a` is named twice"),
        (Union((("", TEXT),)), "a name is empty"),
        (EndpointTo(EndpointType(inputs=(("m", TEXT),), local="UI")), "local kind `UI` has no events"),
        (EndpointType(outputs=(("m", Loop("X")),)), r"\.out\.m: `X` is used outside"),
        (ObjectType((("e", EndpointType()), ("e", EndpointType()))), "`e` is named twice"),
    ],
)
def test_an_ill_formed_term_is_refused_with_the_path(term: Entity, problem: str) -> None:
    with pytest.raises(IllFormedError, match=problem):
        demand_wellformed(term)


def test_all_problems_are_found_at_once() -> None:
    assert len(list(find_problems(Record((("b", Loop("X")), ("a", Loop("Y"))))))) == 3


def test_nesting_and_size_are_bounded() -> None:
    deep: ValueType = TEXT
    for _ in range(3000):
        deep = ListOf(deep)
    assert "levels deep" in next(find_problems(deep))
    broad: ValueType = TEXT
    for _ in range(20):
        broad = record(a=broad, b=broad)
    assert "more than 50000 parts" in list(find_problems(broad))[-1]


def test_a_recursive_type_is_not_unfolded_to_find_how_deep_it_is() -> None:
    deep: ValueType = Loop("T")
    for _ in range(3000):
        deep = ListOf(deep)
    assert "nested more than 150 levels deep" in next(find_problems(Recursive("T", deep)))


def test_an_unguarded_inner_type_is_found() -> None:
    inner = Recursive("U", optional(Loop("U")))
    assert "`U` is defined as itself alone" in next(find_problems(Recursive("T", ListOf(inner))))
