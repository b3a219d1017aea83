"""Matching: the first and the repeated decision on two endpoints of twenty events, and a refusal."""

from __future__ import annotations

import time
from collections.abc import Iterator

from figure_report import Figure, best_of

from liven.types.formalism.registry import Formalisms
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType, Events
from liven.types.terms.value_types import (
    FLOAT32,
    FLOAT64,
    ID,
    INT16,
    INT32,
    TEXT,
    ListOf,
    ValueType,
    optional,
    record,
)

ROUNDS, PAIRS = 5, 100


def payload(*, wide: bool) -> ValueType:
    """Return a record of six fields; the wide one is a supertype of the other in every field but one."""
    number: tuple[ValueType, ValueType] = (INT32, FLOAT64) if wide else (INT16, FLOAT32)
    return record(a=number[0], b=number[1], c=TEXT, d=ListOf(number[0]), e=optional(TEXT), f=ID)


def events(prefix: str, *, wide: bool) -> Events:
    """Return ten events, each with a record made anew, so that no two share an object by chance."""
    return tuple((f"{prefix}{number}", payload(wide=wide)) for number in range(10))


def pair() -> tuple[EndpointType, EndpointType]:
    """Return two endpoints that match, with ten events each way."""
    first = EndpointType(events("call", wide=True), events("tell", wide=False))
    return first, EndpointType(events("tell", wide=True), events("call", wide=False))


def first_time(pairs: list[tuple[EndpointType, EndpointType]]) -> float:
    """Return the seconds for the first decision on each pair, by a fresh matcher."""
    matcher = Matcher(Formalisms())
    start = time.perf_counter()
    for first, second in pairs:
        assert matcher.matches(first, second).holds
    return (time.perf_counter() - start) / len(pairs)


def refused() -> str:
    """Return the seconds to find and explain a refusal, from nothing."""
    first, second = pair()
    narrow = EndpointType(events("tell", wide=False), second.outputs)
    return (
        Matcher(Formalisms()).matches(EndpointType(first.inputs, events("tell", wide=True)), narrow).render()
    )


def figures() -> Iterator[Figure]:
    """Yield microseconds for each."""
    pairs = [pair() for _ in range(PAIRS)]
    yield Figure("match_first", min(first_time(pairs) for _ in range(ROUNDS)) * 1e6, "µs", 200)
    matcher, (first, second) = Matcher(Formalisms()), pairs[0]
    again = best_of(ROUNDS, 20_000, lambda: matcher.matches(first, second).holds)
    yield Figure("match_again", again * 1e6, "µs", 2)
    yield Figure("refusal_explained", best_of(ROUNDS, 20, refused) * 1e6, "µs")
