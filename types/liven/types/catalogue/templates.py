"""A known class with parameters as a template; giving its parameters is the only operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from liven.types.catalogue.catalogue import Catalogue
from liven.types.catalogue.entry import Entry, TypeParameter, ValueParameter
from liven.types.catalogue.entry import Kind as ClassKind
from liven.types.codec import Codecs
from liven.types.terms.template import Arguments, Kind, Parameter, Template
from liven.types.terms.value_types import ClassTag, ValueType

_KINDS: dict[ClassKind, Kind] = {
    "value": Kind.VALUE_CLASS,
    "interface": Kind.INTERFACE_CLASS,
    "endpoint": Kind.ENDPOINT_CLASS,
    "object": Kind.OBJECT_CLASS,
}


def template_of(catalogue: Catalogue, entry: Entry, codecs: Codecs | None = None) -> Template:
    """Return the class as a template; a value that is given is checked against the parameter's type."""
    types = entry.source.type_parameters()
    checks = codecs or Codecs()

    def given_types(given: Arguments) -> tuple[Any, ...]:
        return tuple(given[parameter.name] for parameter in types)

    def check(type_: ValueType, value: Any, name: str) -> Any:
        return checks.of(type_).check(value, name)

    return Template(
        ClassTag(entry.id, entry.alias),
        (
            *map(_type_parameter, types),
            *(_value_parameter(one, given_types) for one in entry.source.value_parameters()),
        ),
        lambda given: catalogue.term(entry, given_types(given)),
        check,
    )


def _type_parameter(parameter: TypeParameter) -> Parameter:
    return Parameter(parameter.name, _KINDS[parameter.kind])


def _value_parameter(
    parameter: ValueParameter, given_types: Callable[[Arguments], tuple[Any, ...]]
) -> Parameter:
    return Parameter(parameter.name, Kind.VALUE, lambda given: parameter.type_with(given_types(given)))
