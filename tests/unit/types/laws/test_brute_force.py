"""Decisions compared with meanings, on all small types.

Here a type means the values it accepts, an event set the messages that may arrive, a promise the
behaviours that keep it. Nothing here uses the rules of the type system; it only tries things out.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from liven.types.codec import Codec, CodecError
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import Constraint, EndpointType, Events, ObjectType
from liven.types.terms.hashing import structural_hash
from liven.types.terms.value_types import (
    FLOAT32,
    FLOAT64,
    TEXT,
    Integer,
    ListOf,
    OptionalOf,
    Record,
    Union,
    ValueType,
    optional,
)

if TYPE_CHECKING:
    from tests.unit.types.laws.conftest import Terms

SMALL, LARGE, HUGE = Integer(0, 1), Integer(-1, 2**24), Integer(0, 2**24 + 1)


def held(names: str, kinds: tuple[ValueType, ...]) -> list[tuple[tuple[str, ValueType], ...]]:
    """Yield every subset of the names, with every kind for each."""
    choices = product(*((None, *kinds) for _ in names))
    return [tuple((n, kind) for n, kind in zip(names, chosen, strict=True) if kind) for chosen in choices]


def small_values() -> list[ValueType]:
    """Return all types up to a size: numbers, texts, and one level of every container, twice."""
    leaves: tuple[ValueType, ...] = (SMALL, LARGE, HUGE, FLOAT32, FLOAT64, TEXT)
    few = (SMALL, FLOAT64, optional(SMALL))
    first: list[ValueType] = [
        *(ListOf(leaf) for leaf in leaves),
        *(optional(leaf) for leaf in leaves),
        *map(Record, held("ab", few)),
        *(Union(tags) for tags in held("ab", few) if tags),
    ]
    nested: tuple[ValueType, ...] = (
        Record((("a", SMALL),)),
        Record(()),
        Union((("a", SMALL),)),
        ListOf(optional(SMALL)),
    )
    second: list[ValueType] = [
        *(ListOf(inner) for inner in nested),
        *(optional(inner) for inner in nested),
        *map(Record, held("ab", nested)),
        *(Union(tags) for tags in held("ab", nested) if tags),
    ]
    return [*leaves, *first, *second]


def test_value_subtyping_agrees_with_trying_every_value(terms: Terms, matcher: Matcher) -> None:
    universe = small_values()
    assert len(universe) > 80
    samples = [terms.samples(kind) for kind in universe]
    holding = 0
    for left, tries in zip(universe, samples, strict=True):
        for right in universe:
            fits = all(terms.accepts(right, value) for value in tries)
            answer = matcher.value_subtype(left, right)
            assert answer.holds == fits, answer.render(full=True)
            holding += fits
    assert holding > 2 * len(universe), "the universe must hold real subtypes"


def receivable(terms: Terms, sent: Events, received: Events) -> bool:
    """True if every message that may be sent is also received."""
    known = dict(received)
    messages = [(name, value) for name, kind in sent for value in terms.samples(kind)]
    return all(name in known and terms.accepts(known[name], value) for name, value in messages)


BEHAVIOURS = [(seen, done) for seen in range(3) for done in range(3)]


def kept(promises: tuple[Constraint, ...], behaviour: tuple[int, int]) -> bool:
    return all(
        behaviour[side] >= promise.predicate[side]  # type: ignore[index]  # the test formalism's pairs
        for promise in promises
        for side in (0, 1)
    )


def covered(provided: tuple[Constraint, ...], required: tuple[Constraint, ...], *, across: bool) -> bool:
    """True if every behaviour that keeps the promises meets the demands, seen from the other side."""
    return all(
        kept(required, (done, seen) if across else (seen, done))
        for seen, done in BEHAVIOURS
        if kept(provided, (seen, done))
    )


def connect(terms: Terms, first: EndpointType, second: EndpointType) -> bool:
    return (
        receivable(terms, first.outputs, second.inputs)
        and receivable(terms, second.outputs, first.inputs)
        and covered(first.provides, second.requires, across=True)
        and covered(second.provides, first.requires, across=True)
    )


def one_event(terms: Terms) -> list[EndpointType]:
    """Return endpoints with one event in each direction, of every kind, with promises and demands; closed
    under mirroring."""
    kinds = (SMALL, optional(SMALL), Union((("a", SMALL),)))
    promises: list[tuple[Constraint, ...]] = [(), (terms.level(1, 0),), (terms.level(0, 1),)]
    sides = held("m", kinds)
    return [EndpointType(i, o, p, r) for i, o, p, r in product(sides, sides, promises, promises)]


def two_events() -> list[EndpointType]:
    sides = held("mn", (SMALL, LARGE))
    return [EndpointType(i, o) for i, o in product(sides, sides)]


@pytest.mark.parametrize("which", ["one event", "two events"])
def test_endpoints_agree_with_trying_every_connection(terms: Terms, matcher: Matcher, which: str) -> None:
    universe = one_event(terms) if which == "one event" else two_events()
    assert {terms.mirror(endpoint) for endpoint in universe} == set(universe)
    partners = []
    for first in universe:
        mine = [connect(terms, first, second) for second in universe]
        assert mine == [matcher.matches(first, second).holds for second in universe]
        partners.append(sum(1 << number for number, fits in enumerate(mine) if fits))
    for first, first_partners in zip(universe, partners, strict=True):
        for second, second_partners in zip(universe, partners, strict=True):
            stands = second_partners & ~first_partners == 0
            answer = matcher.endpoint_subtype(first, second)
            assert answer.holds == stands, answer.render(full=True)


def test_objects_agree_with_trying_every_use(terms: Terms, matcher: Matcher) -> None:
    """A use is a partner for each of some endpoints; a subtype object serves every use of its supertype."""
    ends = [EndpointType(i, o) for i, o in product(held("m", (SMALL, LARGE)), repeat=2)]
    serves = {end: {other for other in ends if connect(terms, end, other)} for end in ends}
    universe = [ObjectType(endpoints) for endpoints in held_ends("xy", ends[:6])]
    for first, second in product(universe, repeat=2):
        have = dict(first.endpoints)
        stands = all(name in have and serves[end] <= serves[have[name]] for name, end in second.endpoints)
        answer = matcher.object_subtype(first, second)
        assert answer.holds == stands, answer.render(full=True)


def held_ends(names: str, ends: list[EndpointType]) -> list[tuple[tuple[str, EndpointType], ...]]:
    choices = product(*((None, *ends) for _ in names))
    return [tuple((n, end) for n, end in zip(names, chosen, strict=True) if end) for chosen in choices]


def test_hashes_agree_with_trying_every_value(terms: Terms) -> None:
    """Two types have one hash exactly when each reads every value of the other."""
    universe = [*small_values(), Integer(0, 1), optional(optional(SMALL)), Record(held("ab", (SMALL,))[-1])]
    samples = [terms.samples(kind) for kind in universe]
    hashes = [structural_hash(kind) for kind in universe]
    reads = [[all(terms.accepts(r, value) for value in tries) for r in universe] for tries in samples]
    numbers = range(len(universe))
    assert all(
        (hashes[a] == hashes[b]) == (reads[a][b] and reads[b][a]) for a, b in product(numbers, repeat=2)
    )
    assert len(set(hashes)) < len(hashes), "some must be written twice"


def test_decoders_agree_with_trying_every_value(terms: Terms) -> None:
    """A reader accepts the bytes of a writer's values exactly when they fit its type, except for the last
    optional fields of records: an older writer did not know them."""
    codecs = [Codec(kind) for kind in small_values()]
    for writer in codecs:
        values = [writer.check(terms.neutral(value)) for value in terms.samples(writer.type)]
        wires = [(value, writer.encode(value)) for value in values]
        for reader in codecs:
            for value, wire in wires:
                assert reads_it(reader, wire) == terms.accepts(reader.type, completed(reader.type, value))


def completed(kind: ValueType, value: Any) -> Any:
    """Return a value with None for the last optional fields that it lacks."""
    match kind, value:
        case OptionalOf(item=item), _ if value is not None:
            return completed(item, value)
        case ListOf(item=item), list():
            return [completed(item, each) for each in value]
        case Union(tags=tags), dict():
            return each_completed(dict(tags), value)
        case Record(fields=fields), dict():
            needed = [at for at, (_, part) in enumerate(fields, 1) if not isinstance(part, OptionalOf)]
            last = {name: None for name, _ in fields[max(needed, default=0) :]}
            return {**last, **each_completed(dict(fields), value)}
    return value


def each_completed(kinds: dict[str, ValueType], value: dict[str, Any]) -> dict[str, Any]:
    return {name: completed(kinds[name], each) if name in kinds else each for name, each in value.items()}


def reads_it(reader: Codec, wire: bytes) -> bool:
    try:
        reader.decode(wire)
    except CodecError:
        return False
    return True


def test_every_refusal_of_the_small_universe_names_a_part(terms: Terms, matcher: Matcher) -> None:
    universe = two_events()
    for first, second in product(universe, universe[::7]):
        answer = matcher.matches(first, second)
        if not answer:
            names = {path[0] for path, _ in answer.failures()}
            assert names
            assert names <= {"m", "n"}
