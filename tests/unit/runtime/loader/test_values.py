from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from liven.runtime.loader.values import ValueFault, local
from liven.runtime.reference.model import (
    Composite,
    Configuration,
    Plain,
    Reference,
    Setting,
    Token,
    Value,
)
from liven.runtime.reference.xml import compact
from liven.types.declare import Ref
from liven.types.declare.annotation.shapes import (
    GivenUse,
    IdShape,
    MapShape,
    OptionalShape,
    RefShape,
    ScalarShape,
    ValueShape,
)
from liven.types.terms.endpoint_types import ObjectType
from liven.types.terms.value_types import BOOL, FLOAT64, INT64, TEXT

TEXTS, NUMBERS, REALS = ScalarShape(TEXT), ScalarShape(INT64), ScalarShape(FLOAT64)
REFS = RefShape(GivenUse(ObjectType()))
NOTE = Reference("liven:note")


@pytest.mark.parametrize(
    ("value", "shape", "expected"),
    [
        (Plain("string", "hi"), TEXTS, "hi"),
        (Plain("string", nil=True), TEXTS, ""),
        (Plain("boolean", "true"), ScalarShape(BOOL), True),
        (Plain("int", "12"), NUMBERS, 12),
        (Plain("int", "12"), REALS, 12.0),
        (Plain("double", "1.5"), REALS, 1.5),
        (Token("ID", "0A"), IdShape(), UUID(int=10)),
        (Token("UINT32", "7"), IdShape(), UUID(int=7)),
        (NOTE, REFS, Ref(compact(NOTE))),
        (Composite(), REFS, Ref(compact(Composite()))),
        (None, OptionalShape(TEXTS), None),
        (Plain("string", nil=True), OptionalShape(TEXTS), None),
        (Reference(), OptionalShape(REFS), None),
        (NOTE, OptionalShape(REFS), Ref(compact(NOTE))),
        (Configuration((Setting("a", "1"), Setting("b", "2"))), MapShape(TEXTS), {"a": "1", "b": "2"}),
    ],
)
def test_a_value_is_what_python_has_for_it(value: Value | None, shape: ValueShape, expected: Any) -> None:
    made = local(value, shape)
    assert made == expected
    assert type(made) is type(expected)


@pytest.mark.parametrize(
    ("value", "shape", "why"),
    [
        (Plain("int", "many"), NUMBERS, "not a whole number"),
        (Plain("int", nil=True), NUMBERS, "no value is given"),
        (Token("ID", "not an id"), IdShape(), "not a 128-bit id"),
        (Reference(), REFS, "the null reference is given"),
        (NOTE, TEXTS, "a Reference cannot be given here"),
        (None, TEXTS, "a missing value cannot be given"),
    ],
)
def test_an_unfitting_value_is_refused_with_the_reason(
    value: Value | None, shape: ValueShape, why: str
) -> None:
    with pytest.raises(ValueFault, match=why):
        local(value, shape)
