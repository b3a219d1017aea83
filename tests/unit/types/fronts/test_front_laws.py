"""Fronts between two authors' classes of one random type: nothing is lost, and codecs agree."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Annotated, Any
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from liven.types.codec import Codec
from liven.types.declare import Range, TermBuilder, value
from liven.types.declare.annotation.reader import Reader
from liven.types.formalism.registry import Formalisms
from liven.types.fronts import Fronts
from liven.types.matching import Matcher


@dataclass(frozen=True)
class Twin:
    """A type as two authors declare it, with values in the first one's classes."""

    first: Any
    second: Any
    values: st.SearchStrategy[Any]


def scalar(annotation: Any, values: st.SearchStrategy[Any]) -> Twin:
    return Twin(annotation, annotation, values)


PLAIN = st.sampled_from(
    [
        scalar(bool, st.booleans()),
        scalar(int, st.integers(-(2**63), 2**63 - 1)),
        scalar(Annotated[int, Range(-3, 900)], st.integers(-3, 900)),
        scalar(float, st.floats(allow_nan=False)),
        scalar(str, st.text(st.characters(exclude_categories=["Cs"]), max_size=5)),
        scalar(bytes, st.binary(max_size=5)),
        scalar(UUID, st.uuids()),
    ]
)


@st.composite
def records(draw: st.DrawFn, parts: st.SearchStrategy[Twin]) -> Twin:
    fields = draw(st.dictionaries(st.sampled_from(["a", "b", "c", "d"]), parts, max_size=4))
    first = _declared("First", {name: twin.first for name, twin in fields.items()})
    second = _declared("Second", {name: fields[name].second for name in reversed(fields)})
    return Twin(first, second, st.builds(first, **{name: twin.values for name, twin in fields.items()}))


@st.composite
def unions(draw: st.DrawFn, parts: st.SearchStrategy[Twin]) -> Twin:
    cases = draw(st.lists(records(parts), min_size=2, max_size=3))
    for place, case in enumerate(cases):
        case.first.__name__ = case.second.__name__ = f"Case{place}"
    sides = [tuple(getattr(case, side) for case in cases) for side in ("first", "second")]
    first, second = (reduce(or_, side) for side in sides)
    return Twin(first, second, st.one_of([case.values for case in cases]))


@st.composite
def enums(draw: st.DrawFn) -> Twin:
    names = draw(st.lists(st.sampled_from(["RED", "GREEN", "BLUE"]), unique=True, min_size=1))
    first: Any = enum.Enum("First", names)  # type: ignore[misc]
    second: Any = enum.Enum("Second", names[::-1])  # type: ignore[misc]
    return Twin(value(first), value(second), st.sampled_from(list(first)))


def _declared(name: str, fields: dict[str, Any]) -> Any:
    return value(type(name, (), {"__annotations__": fields, "__module__": __name__}))


def grown(parts: st.SearchStrategy[Twin]) -> st.SearchStrategy[Twin]:
    """Return types with one more level."""
    return st.one_of(
        records(parts),
        unions(parts),
        parts.map(
            lambda one: Twin(list[one.first], list[one.second], st.lists(one.values, max_size=3))  # type: ignore[name-defined]
        ),
        parts.map(
            lambda one: Twin(
                dict[str, one.first],  # type: ignore[name-defined]
                dict[str, one.second],  # type: ignore[name-defined]
                st.dictionaries(st.sampled_from("xyz"), one.values, max_size=2),
            )
        ),
        parts.map(lambda one: Twin(one.first | None, one.second | None, st.none() | one.values)),
    )


TWINS = st.recursive(PLAIN | enums(), grown, max_leaves=6)


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_what_one_author_sends_the_other_sends_back_unchanged(data: st.DataObject) -> None:
    twin = data.draw(TWINS)
    fronts = Fronts()
    first, second = fronts.conversion(twin.first), fronts.conversion(twin.second)
    sent = data.draw(twin.values)
    neutral = first.outward(sent)
    assert second.outward(second.inward(neutral)) == neutral
    assert first.inward(neutral) == sent


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_the_two_are_one_type_and_its_codec_takes_what_fronts_make(data: st.DataObject) -> None:
    twin = data.draw(TWINS)
    terms = TermBuilder(Formalisms())
    first, second = (terms.value(Reader("", {}).value(one)) for one in (twin.first, twin.second))
    assert Matcher(Formalisms()).same(first, second)
    neutral = Fronts().conversion(twin.first).outward(data.draw(twin.values))
    assert Codec(second).decode(Codec(first).encode(neutral)) == neutral


@given(st.floats())
def test_every_float_arrives_as_it_was(number: float) -> None:
    conversion = Fronts().conversion(float)
    arrived = conversion.inward(conversion.outward(number))
    assert arrived == number or (math.isnan(arrived) and math.isnan(number))
