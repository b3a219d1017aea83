"""A declared class as plain values, so that this process knows it without running the code that declares it.

The trial import writes the form in a child process; everybody else reads it strictly, because unknown code
ran there. Only classes without type parameters have one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from liven.types.catalogue import Entry, ValueParameter
from liven.types.codec import type_form
from liven.types.codec.type_form import Form, TypeFormError
from liven.types.declare.declaration import ProxyDeclaration
from liven.types.formalism.registry import Formalisms
from liven.types.terms.value_types import ValueType

MOST_VALUES = 256
"""The most parameters of one constructor."""


@dataclass(frozen=True, slots=True)
class ClassForm:
    """The structure of a class, read from its form."""

    term: Any
    """A value, endpoint or object term, or the events of an interface."""
    values: tuple[ValueParameter, ...] = ()
    optional: frozenset[str] = frozenset()
    """The value parameters with defaults."""
    shown: bool = False
    """True if its objects name a view."""


def form_of_entry(entry: Entry) -> Form:
    """Return the form of a class; None if it has type parameters, or values that never leave a process."""
    if entry.source.type_parameters():
        return None
    term = entry.source.term(())
    try:
        match entry.kind:
            case "value":
                return {"term": type_form.value_form(term)}
            case "interface":
                return {"term": type_form.events_form(term)}
            case "object":
                return {"term": type_form.object_form(term)}
            case "component":
                return _component_form(entry, term)
    except TypeFormError:
        return None
    return None


def _component_form(entry: Entry, term: Any) -> Form:
    declaration = entry.source.declaration  # type: ignore[attr-defined]  # learned from a class
    assert isinstance(declaration, ProxyDeclaration)
    required = {one.name for one in declaration.values(()) if one.required}
    values = [
        [one.name, one.written, type_form.value_form(one.type_with(())), one.name in required]
        for one in entry.source.value_parameters()
    ]
    return {"term": type_form.object_form(term), "values": values, "shown": bool(declaration.view)}


def read_form(kind: str, form: Form, formalisms: Formalisms) -> ClassForm:
    """Return the class in a form; raise TypeFormError."""
    if not isinstance(form, dict) or not form.keys() <= {"term", "values", "shown"} or "term" not in form:
        raise TypeFormError("it is not the form of a class")
    term = form["term"]
    match kind:
        case "value":
            return ClassForm(type_form.value_of(term, formalisms))
        case "interface":
            return ClassForm(type_form.events_of(term, formalisms))
        case "object":
            return ClassForm(type_form.object_of(term, formalisms))
        case "component":
            values, required = _values(form.get("values", []), formalisms)
            optional = frozenset(one.name for one in values) - required
            return ClassForm(
                type_form.object_of(term, formalisms), values, optional, form.get("shown") is True
            )
    raise TypeFormError(f"a class of kind {kind!r} has no form")


def _values(rows: Any, formalisms: Formalisms) -> tuple[tuple[ValueParameter, ...], set[str]]:
    if not isinstance(rows, list) or len(rows) > MOST_VALUES:
        raise TypeFormError("its parameters are not a list, or too many")
    values: list[ValueParameter] = []
    required: set[str] = set()
    for row in rows:
        match row:
            case [str(name), str(written), form, bool(needed)]:
                values.append(_value(name, written, type_form.value_of(form, formalisms)))
                required |= {name} if needed else set()
            case _:
                raise TypeFormError("a parameter is not a name with a type")
    return tuple(values), required


def _value(name: str, written: str, kind: ValueType) -> ValueParameter:
    return ValueParameter(name, written, lambda _: kind)
