"""Material for the laws: strategies of terms, a tiny formalism, and an independent meaning of types."""

from __future__ import annotations

import struct
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from hypothesis import strategies as st

from liven.types.explanation import Explanation
from liven.types.formalism.plugin import Monitor, Vocabulary
from liven.types.formalism.registry import Formalisms
from liven.types.ids import ClassId
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import Constraint, EndpointType, ObjectType
from liven.types.terms.recursion import unfold
from liven.types.terms.value_types import (
    BOOL,
    BYTES,
    FLOAT32,
    FLOAT64,
    ID,
    INT8,
    INT32,
    INT64,
    TEXT,
    UINT8,
    UINT32,
    UINT64,
    EndpointTo,
    Float,
    Integer,
    ListOf,
    Loop,
    MapOf,
    OptionalOf,
    Record,
    Recursive,
    RefTo,
    Scalar,
    Union,
    ValueType,
    optional,
)

Level = tuple[int, int]
"""The promises about events that come in, and about those that go out."""


class Levels:
    """A formalism of two numbers: a predicate is a lower bound on each."""

    id = ClassId(0x1E7E15)
    name = "levels"

    def parse(self, text: str, vocabulary: Vocabulary) -> Level:
        incoming, outgoing = text.split()
        return int(incoming), int(outgoing)

    def conjoin(self, predicates: Sequence[Level]) -> Level:
        return max(p[0] for p in predicates), max(p[1] for p in predicates)

    def implies(self, provided: Level, required: Level) -> Explanation:
        holds = provided[0] >= required[0] and provided[1] >= required[1]
        return Explanation(holds, f"{provided} {'covers' if holds else 'does not cover'} {required}")

    def mirror(self, predicate: Level) -> Level:
        return predicate[1], predicate[0]

    def trivial(self, predicate: Level) -> bool:
        return predicate == (0, 0)

    def translate(self, predicate: Level) -> Iterable[tuple[ClassId, Hashable]]:
        return ()

    def monitor(self, predicate: Level) -> Monitor | None:
        return None


def level(incoming: int, outgoing: int) -> Constraint:
    return Constraint(Levels.id, (incoming, outgoing), f"{incoming} {outgoing}")


SCALARS = (
    BOOL,
    TEXT,
    BYTES,
    ID,
    INT8,
    INT32,
    INT64,
    UINT8,
    UINT32,
    UINT64,
    FLOAT32,
    FLOAT64,
    Integer(3, 900),
)
NAMES = ("a", "b", "c", "long name", "é{}'\"\n")


@dataclass(frozen=True)
class Case:
    """A value of a union that cannot be confused with a record."""

    tag: str
    value: Any


@dataclass(frozen=True)
class Terms:
    """Strategies and meanings of types, passed to tests as one fixture."""

    levels: Levels

    def values(self) -> st.SearchStrategy[ValueType]:
        """Return value types that can be serialized."""
        return VALUES

    def endpoints(self) -> st.SearchStrategy[EndpointType]:
        """Return endpoint types with constraints."""
        return ENDPOINTS

    def objects(self) -> st.SearchStrategy[ObjectType]:
        """Return object types with constraints."""
        return OBJECTS

    def near_values(self) -> st.SearchStrategy[ValueType]:
        """Return value types of few shapes, so that two of them are often related."""
        return NEAR_VALUES

    def near_mirrors(self, term: EndpointType) -> st.SearchStrategy[EndpointType]:
        """Return the exact other end, and ends close to it."""
        exact = self.mirror(term)
        bold = EndpointType(exact.inputs, exact.outputs, exact.provides, (level(1, 1),))
        shy = EndpointType(exact.inputs, exact.outputs[1:], exact.provides, ())
        return st.sampled_from([exact, bold, shy]) | self.wider_endpoint_of(exact)

    def wider_of(self, term: ValueType) -> st.SearchStrategy[ValueType]:
        """Return supertypes of a value type."""
        return st.composite(_wider)(term)

    def wider_endpoint_of(self, term: EndpointType) -> st.SearchStrategy[EndpointType]:
        """Return supertypes of an endpoint type."""
        return st.composite(_wider_endpoint)(term)

    def wider_object_of(self, term: ObjectType) -> st.SearchStrategy[ObjectType]:
        """Return supertypes of an object type."""
        return st.composite(_wider_object)(term)

    def rewritten(self, term: ValueType) -> ValueType:
        """Return the same type in another form: binders renamed, recursion unrolled once."""
        return _rewritten(term)

    def level(self, incoming: int, outgoing: int) -> Constraint:
        """Return a constraint of the tiny formalism."""
        return level(incoming, outgoing)

    def mirror(self, term: EndpointType) -> EndpointType:
        """Return the other end that fits exactly."""
        flipped = [tuple(_flip(held) for held in side) for side in (term.provides, term.requires)]
        return EndpointType(term.outputs, term.inputs, flipped[1], flipped[0])

    def value_of(self, term: ValueType, depth: int = 3) -> st.SearchStrategy[Any]:
        """Return neutral values of a type, as a decoder returns them."""
        return _value_of(term, {}, depth)

    def samples(self, term: ValueType) -> list[Any]:
        """Return values that set a small type apart from the others of the small universe."""
        return _samples(term)

    def neutral(self, value: Any) -> Any:
        """Return a sample in the form that a codec takes."""
        return _neutral(value)

    def accepts(self, term: ValueType, value: Any) -> bool:
        """True if a value can be read as of this type, decided by meaning and not by rules."""
        return _accepts(term, value, {})


def _near_values() -> st.SearchStrategy[ValueType]:
    leaf: st.SearchStrategy[Any] = st.sampled_from((INT8, INT32, FLOAT32, FLOAT64))
    held: st.SearchStrategy[Any] = leaf | leaf.map(optional)
    fields = _named(held, 2, "ab")
    return held | fields.map(Record) | fields.filter(bool).map(Union) | held.map(ListOf)


def _values(*, references: bool) -> st.SearchStrategy[ValueType]:
    leaves: st.SearchStrategy[Any] = st.sampled_from(SCALARS)
    return st.recursive(leaves, lambda inner: _larger(inner, references=references), max_leaves=5)


@pytest.fixture(scope="session")
def terms() -> Terms:
    return Terms(Levels())


@pytest.fixture(scope="session")
def matcher(terms: Terms) -> Matcher:
    return Matcher(Formalisms([terms.levels]))


def _flip(constraint: Constraint) -> Constraint:
    found = constraint.predicate
    assert isinstance(found, tuple)
    return level(found[1], found[0])


def _named(items: st.SearchStrategy[Any], most: int, names: Sequence[str] = NAMES) -> st.SearchStrategy[Any]:
    held = st.dictionaries(st.sampled_from(names), items, max_size=most)
    return held.map(lambda found: tuple(sorted(found.items())))


def _larger(inner: st.SearchStrategy[ValueType], *, references: bool) -> st.SearchStrategy[ValueType]:
    shapes: list[st.SearchStrategy[Any]] = [
        inner.map(ListOf),
        inner.map(MapOf),
        inner.map(optional),
        _named(inner, 3).map(Record),
        _named(inner, 3).filter(bool).map(Union),
        st.tuples(st.sampled_from("XY"), inner).map(lambda made: _looped(*made)),
    ]
    if references:
        endpoint = st.builds(EndpointType, _named(inner, 1), _named(inner, 1))
        shapes.append(_named(endpoint, 1).map(lambda held: RefTo(ObjectType(held))))
        shapes.append(endpoint.map(EndpointTo))
    return st.one_of(shapes)


def _looped(name: str, held: ValueType) -> ValueType:
    fields = (("head", held), ("more", ListOf(Loop(name))), ("tail", OptionalOf(Loop(name))))
    return Recursive(name, Record(fields))


def _wider(draw: st.DrawFn, term: ValueType) -> ValueType:
    wide = _wider_inside(draw, term)
    lifted = not isinstance(wide, Loop) and draw(st.integers(0, 4)) == 4
    return optional(wide) if lifted else wide


def _wider_inside(draw: st.DrawFn, term: ValueType) -> ValueType:
    match term:
        case Integer(low, high):
            return draw(st.sampled_from(list(_numbers(low, high))))
        case Float():
            return draw(st.sampled_from([term, FLOAT64]))
        case ListOf(item):
            return ListOf(_wider(draw, item))
        case MapOf(item):
            return MapOf(_wider(draw, item))
        case OptionalOf(item):
            return optional(_wider(draw, item))
        case Record(fields):
            return Record(tuple((name, _wider(draw, held)) for name, held in fields if draw(st.booleans())))
        case Union(tags):
            more = {**dict(draw(_named(st.sampled_from(SCALARS), 2))), **dict(tags)}
            known = dict(tags)
            return Union(tuple((n, _wider(draw, t) if n in known else t) for n, t in sorted(more.items())))
        case Recursive(name, body):
            return Recursive(name + "w", _renamed(_wider(draw, body), name, name + "w"))
    return term


def _wider_endpoint(draw: st.DrawFn, term: EndpointType) -> EndpointType:
    """Return endpoints with more and wider outputs, fewer inputs, fewer promises, more demands."""
    extra = draw(_named(st.sampled_from(SCALARS), 2))
    outputs = {**dict(extra), **{name: _wider(draw, held) for name, held in term.outputs}}
    inputs = tuple(event for event in term.inputs if draw(st.booleans()))
    provides = tuple(held for held in term.provides if draw(st.booleans()))
    return EndpointType(inputs, tuple(sorted(outputs.items())), provides, term.requires + provides)


def _wider_object(draw: st.DrawFn, term: ObjectType) -> ObjectType:
    """Return objects with fewer endpoints, each a supertype, and no promise."""
    kept = [endpoint for endpoint in term.endpoints if draw(st.booleans())]
    return ObjectType(tuple((n, _wider_endpoint(draw, t)) for n, t in kept), (), term.requires)


def _rewritten(term: ValueType) -> ValueType:
    match term:
        case ListOf(item):
            return ListOf(_rewritten(item))
        case MapOf(item):
            return MapOf(_rewritten(item))
        case OptionalOf(item):
            return OptionalOf(OptionalOf(_rewritten(item)))
        case Record(fields):
            return Record(tuple((name, _rewritten(held)) for name, held in fields))
        case Union(tags):
            return Union(tuple((name, _rewritten(held)) for name, held in tags))
        case Recursive(name, body):
            fresh = Recursive(f"{name}_", _rewritten(_renamed(body, name, f"{name}_")))
            return unfold(fresh)
    return term


def _numbers(low: int, high: int) -> Iterator[ValueType]:
    yield Integer(low, high)
    yield Integer(low, high + 10) if high + 10 < 2**64 else Integer(low, high)
    yield Integer(low - 3, high) if low - 3 >= -(2**63) else Integer(low, high)
    for bits, exact in ((FLOAT32, 2**24), (FLOAT64, 2**53)):
        if -exact <= low and high <= exact:
            yield bits


def _renamed(term: ValueType, old: str, new: str) -> ValueType:
    match term:
        case Loop(name):
            return Loop(new) if name == old else term
        case ListOf(item):
            return ListOf(_renamed(item, old, new))
        case MapOf(item):
            return MapOf(_renamed(item, old, new))
        case OptionalOf(item):
            return OptionalOf(_renamed(item, old, new))
        case Record(fields):
            return Record(tuple((name, _renamed(held, old, new)) for name, held in fields))
        case Union(tags):
            return Union(tuple((name, _renamed(held, old, new)) for name, held in tags))
        case Recursive(name, body) if name != old:
            return Recursive(name, _renamed(body, old, new))
    return term


Scope = dict[str, ValueType]


def _value_of(term: ValueType, scope: Scope, depth: int) -> st.SearchStrategy[Any]:
    match term:
        case Integer(low, high):
            return st.integers(low, high)
        case Float(bits):
            return st.floats(width=bits, allow_nan=False)
        case Scalar(kind):
            plain: dict[str, st.SearchStrategy[Any]] = {
                "bool": st.booleans(),
                "text": st.text(max_size=5),
                "bytes": st.binary(max_size=5),
                "id": st.binary(min_size=16, max_size=16),
            }
            return plain[kind]
        case ListOf(item):
            return st.lists(_value_of(item, scope, depth), max_size=2) if depth > 0 else st.just([])
        case MapOf(item):
            held = _value_of(item, scope, depth)
            return st.dictionaries(st.text(max_size=3), held, max_size=2) if depth > 0 else st.just({})
        case OptionalOf(item):
            return st.none() | _value_of(item, scope, depth - 1) if depth > 0 else st.none()
        case Record(fields):
            return st.fixed_dictionaries({name: _value_of(held, scope, depth) for name, held in fields})
        case Union(tags):
            return st.one_of([st.fixed_dictionaries({n: _value_of(t, scope, depth)}) for n, t in tags])
        case Recursive(name, body):
            return _value_of(body, {**scope, name: term}, depth)
        case Loop(name):
            bound = scope[name]
            return st.deferred(lambda: _value_of(bound, scope, depth - 1))
    return st.text(max_size=5)


def _accepts(term: ValueType, value: Any, scope: Scope) -> bool:
    match term:
        case Integer(low, high):
            return type(value) is int and low <= value <= high
        case Float(bits):
            return _is_number(value, bits)
        case Scalar(kind):
            if kind == "id":
                return type(value) is bytes and len(value) == 16
            return type(value) is {"bool": bool, "text": str, "bytes": bytes}[kind]
        case ListOf(item):
            return type(value) is list and all(_accepts(item, part, scope) for part in value)
        case MapOf(item):
            return type(value) is dict and all(_accepts(item, part, scope) for part in value.values())
        case OptionalOf(item):
            return value is None or _accepts(item, value, scope)
        case Record(fields):
            known = type(value) is dict and all(name in value for name, _ in fields)
            return known and all(_accepts(held, value[name], scope) for name, held in fields)
        case Union(tags):
            if type(value) is Case:
                return any(n == value.tag and _accepts(t, value.value, scope) for n, t in tags)
            one = type(value) is dict and len(value) == 1
            return one and any(n in value and _accepts(t, value[n], scope) for n, t in tags)
        case Recursive(name, body):
            return _accepts(body, value, {**scope, name: term})
        case Loop(name):
            return _accepts(scope[name], value, scope)
    return type(value) is str


def _is_number(value: Any, bits: int) -> bool:
    if type(value) is int:
        return abs(value) <= 2 ** (24 if bits == 32 else 53)
    if type(value) is not float or bits == 64:
        return type(value) is float
    try:
        return value != value or struct.unpack(">f", struct.pack(">f", value))[0] == value
    except OverflowError:
        return False


def _neutral(value: Any) -> Any:
    if isinstance(value, Case):
        return {value.tag: _neutral(value.value)}
    if isinstance(value, dict):
        return {name: _neutral(held) for name, held in value.items()}
    return [_neutral(item) for item in value] if isinstance(value, list) else value


def _samples(term: ValueType) -> list[Any]:
    match term:
        case Integer(low, high):
            return sorted({low, high})
        case Float(bits):
            return [0.5] if bits == 32 else [0.5, 0.1]
        case Scalar(kind):
            plain: dict[str, Any] = {"bool": True, "text": "t", "bytes": b"b", "id": bytes(16)}
            return [plain[kind]]
        case ListOf(item):
            return [[], *([part] for part in _samples(item))]
        case OptionalOf(item):
            return [None, *_samples(item)]
        case Record(fields):
            held = [[(name, part) for part in _samples(kind)] for name, kind in fields]
            plain_ones: list[Any] = [dict(chosen) for chosen in product(*held)]
            return [*plain_ones, {**plain_ones[0], "more": True}]
        case Union(tags):
            return [Case(name, part) for name, kind in tags for part in _samples(kind)]
    raise AssertionError(f"{term} is not in the small universe")


VALUES = _values(references=True)
NEAR_VALUES = _near_values()
CONSTRAINTS = st.lists(st.builds(level, st.integers(0, 2), st.integers(0, 2)), max_size=2).map(tuple)
EVENTS = _named(_values(references=False), 2)
ENDPOINTS = st.builds(EndpointType, EVENTS, EVENTS, CONSTRAINTS, CONSTRAINTS)
OBJECTS = st.builds(ObjectType, _named(ENDPOINTS, 2), CONSTRAINTS, CONSTRAINTS)
