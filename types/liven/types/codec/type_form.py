"""Types as plain values, so that another process can check them.

Tags are left out: an id is never a substitute for the check. Constraints are sent as written, and the
receiver reads them with its own formalisms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

from liven.types.formalism.plugin import FormulaError, Vocabulary
from liven.types.formalism.registry import Formalisms
from liven.types.ids import ClassId
from liven.types.terms.endpoint_types import Constraint, EndpointType, Events, ObjectType
from liven.types.terms.value_types import (
    EndpointTo,
    Float,
    Integer,
    ListOf,
    Local,
    Loop,
    MapOf,
    Opaque,
    OptionalOf,
    Record,
    Recursive,
    RefTo,
    Scalar,
    Union,
    ValueType,
)

Form: TypeAlias = Any
T = TypeVar("T")
_DEEPEST = 100
_SCALARS = ("bool", "text", "bytes", "id")


class TypeFormError(ValueError):
    """The values are not a type, or the type cannot be sent."""


def form_of(kind: EndpointType) -> Form:
    """Return the endpoint type as lists and texts; raise TypeFormError if it is local to a process."""
    if kind.local:
        raise TypeFormError(f"an endpoint of the local kind {kind.local!r} never leaves its process")
    return [
        _events_form(kind.inputs),
        _events_form(kind.outputs),
        _constraints_form(kind.provides),
        _constraints_form(kind.requires),
    ]


def type_of(form: Form, formalisms: Formalisms) -> EndpointType:
    """Return the endpoint type that was sent; raise TypeFormError."""
    return _strictly(lambda: _endpoint(form, formalisms, 0))


def object_form(kind: ObjectType) -> Form:
    """Return the object type with its local endpoints, by the names of their kinds; raise TypeFormError."""
    endpoints = [[name, end.local or form_of(end)] for name, end in kind.endpoints]
    return [endpoints, _constraints_form(kind.provides), _constraints_form(kind.requires)]


def object_of(form: Form, formalisms: Formalisms) -> ObjectType:
    """Return the object type with its local endpoints; raise TypeFormError."""
    return _strictly(lambda: _object(form, formalisms, 0))


def events_form(events: Events) -> Form:
    """Return the events of an interface as lists and texts; raise TypeFormError."""
    return _events_form(events)


def events_of(form: Form, formalisms: Formalisms) -> Events:
    """Return the events of an interface; raise TypeFormError."""
    return _strictly(lambda: _events(form, formalisms, 0))


def value_form(value: ValueType) -> Form:
    """Return the value type as lists and texts; raise TypeFormError."""
    return _value_form(value)


def value_of(form: Form, formalisms: Formalisms) -> ValueType:
    """Return the value type that was sent; raise TypeFormError."""
    return _strictly(lambda: _value(form, formalisms, 0))


def _strictly(read: Callable[[], T]) -> T:
    try:
        return read()
    except (TypeError, ValueError, IndexError, KeyError, RecursionError) as error:
        if isinstance(error, TypeFormError):
            raise
        raise TypeFormError(f"this is not a type: {error}") from error


def _events_form(events: Events) -> Form:
    return [[name, _value_form(value)] for name, value in events]


def _constraints_form(constraints: tuple[Constraint, ...]) -> Form:
    return [[str(one.formalism), one.text] for one in constraints]


def _value_form(value: ValueType) -> Form:
    match value:
        case Integer(low, high):
            return ["integer", str(low), str(high)]  # MessagePack ends at 64 bits
        case Float(bits):
            return ["float", bits]
        case Scalar(kind):
            return [kind]
        case ListOf(item):
            return ["list", _value_form(item)]
        case MapOf(item):
            return ["map", _value_form(item)]
        case OptionalOf(item):
            return ["optional", _value_form(item)]
        case Record(fields):
            return ["record", _events_form(fields)]
        case Union(tags):
            return ["union", _events_form(tags)]
        case Recursive(name, body):
            return ["recursive", name, _value_form(body)]
        case Loop(name):
            return ["loop", name]
        case RefTo(target):
            return ["ref", _object_form(target)]
        case EndpointTo(target):
            return ["endpoint", form_of(target)]
        case Local(name):
            raise TypeFormError(f"a value of the local kind {name!r} never leaves its process")
        case Opaque(tag):
            raise TypeFormError(f"{tag.alias} is known by name only and cannot travel")


def _object_form(kind: ObjectType) -> Form:
    endpoints = [[name, form_of(end)] for name, end in kind.endpoints if not end.local]
    return [endpoints, _constraints_form(kind.provides), _constraints_form(kind.requires)]


def _endpoint(form: Form, formalisms: Formalisms, depth: int) -> EndpointType:
    if isinstance(form, str):
        raise TypeFormError(f"an endpoint of the local kind {form[:80]!r} stands where none can")
    inputs, outputs, provides, requires = form
    plain = EndpointType(_events(inputs, formalisms, depth), _events(outputs, formalisms, depth))
    names = Vocabulary(
        frozenset(name for name, _ in plain.inputs), frozenset(name for name, _ in plain.outputs)
    )
    return replace(
        plain,
        provides=_constraints(provides, names, formalisms, needed=False),
        requires=_constraints(requires, names, formalisms, needed=True),
    )


def _events(form: Form, formalisms: Formalisms, depth: int) -> Events:
    events = tuple((_text(name), _value(value, formalisms, depth + 1)) for name, value in form)
    if list(events) != sorted(events, key=lambda event: event[0]) or len(dict(events)) != len(events):
        raise TypeFormError("the names in a type are not in order, or one is there twice")
    return events


def _constraints(
    form: Form, names: Vocabulary, formalisms: Formalisms, *, needed: bool
) -> tuple[Constraint, ...]:
    found = []
    for key, text in form:
        id_ = ClassId.parse(_text(key))
        formalism = formalisms.find(id_)
        if formalism is not None:
            try:
                predicate = formalism.parse(_text(text), names)
            except FormulaError as error:
                raise TypeFormError(f"the constraint {text!r} cannot be read: {error}") from error
            found.append(Constraint(id_, predicate, text))
        elif needed:
            raise TypeFormError(f"it demands {text!r} in the formalism {key}, which is not known here")
    return tuple(found)


def _value(form: Form, formalisms: Formalisms, depth: int) -> ValueType:
    if depth > _DEEPEST:
        raise TypeFormError(f"a type is more than {_DEEPEST} levels deep")
    kind, *rest = form
    simple = _simple(kind, rest)
    if simple is not None:
        return simple
    makers: Mapping[str, Any] = {
        "list": lambda item: ListOf(_value(item, formalisms, depth + 1)),
        "map": lambda item: MapOf(_value(item, formalisms, depth + 1)),
        "optional": lambda item: OptionalOf(_value(item, formalisms, depth + 1)),
        "record": lambda fields: Record(_events(fields, formalisms, depth)),
        "union": lambda tags: Union(_events(tags, formalisms, depth)),
        "recursive": lambda name, body: Recursive(_text(name), _value(body, formalisms, depth + 1)),
        "ref": lambda target: RefTo(_object(target, formalisms, depth + 1)),
        "endpoint": lambda target: EndpointTo(_endpoint(target, formalisms, depth + 1)),
    }
    made: ValueType = makers[kind](*rest)
    return made


def _simple(kind: str, rest: list[Any]) -> ValueType | None:
    if kind in _SCALARS and not rest:
        return Scalar(kind)  # type: ignore[arg-type]  # one of the four, as was just seen
    if kind == "integer":
        low, high = (int(_text(part)) for part in rest)
        return Integer(low, high)
    if kind == "float" and rest in ([32], [64]):
        return Float(rest[0])
    return Loop(_text(rest[0])) if kind == "loop" else None


def _object(form: Form, formalisms: Formalisms, depth: int) -> ObjectType:
    endpoints, provides, requires = form
    made = tuple((_text(name), _any_endpoint(end, formalisms, depth)) for name, end in endpoints)
    names = Vocabulary(
        endpoints=tuple(
            (name, Vocabulary(frozenset(dict(end.inputs)), frozenset(dict(end.outputs))))
            for name, end in made
        )
    )
    return ObjectType(
        made,
        _constraints(provides, names, formalisms, needed=False),
        _constraints(requires, names, formalisms, needed=True),
    )


def _any_endpoint(form: Form, formalisms: Formalisms, depth: int) -> EndpointType:
    return EndpointType(local=form) if isinstance(form, str) else _endpoint(form, formalisms, depth)


def _text(given: object) -> str:
    if not isinstance(given, str):
        raise TypeFormError(f"{given!r} is not a name")
    return given
