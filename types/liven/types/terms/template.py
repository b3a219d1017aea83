"""Templates: types with parameters of the five kinds of the model.

The only operation on a template is to assign parameters. Type parameters come before value parameters,
because the type of a value may depend on them. A template with an open parameter takes part in no
comparison; `Matcher` refuses it and names the missing parameter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, TypeAlias

from liven.types.terms.endpoint_types import EndpointType, Events, ObjectType
from liven.types.terms.type_text import Entity, brief, spell_events
from liven.types.terms.value_types import ClassTag, ValueType


class Kind(Enum):
    """The kind of thing that a parameter stands for."""

    VALUE = "value"
    VALUE_CLASS = "value class"
    INTERFACE_CLASS = "interface class"
    ENDPOINT_CLASS = "endpoint class"
    OBJECT_CLASS = "object class"

    @property
    def is_type(self) -> bool:
        """True for the kinds that are assigned before values."""
        return self is not Kind.VALUE


Argument: TypeAlias = Any
"""A neutral value, a value type, events, an endpoint type or an object type, by the parameter's kind."""
Arguments: TypeAlias = Mapping[str, Argument]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A named parameter of one kind. The type of a value parameter is known once the type parameters are
    given."""

    name: str
    kind: Kind
    type: Callable[[Arguments], ValueType] | ValueType | None = None

    def __post_init__(self) -> None:
        if (self.type is None) != self.kind.is_type:
            wanted = "takes no type of its own" if self.kind.is_type else "needs the type of its value"
            raise TemplateError(self.name, f"a {self.kind.value} parameter {wanted}")

    def type_with(self, given: Arguments) -> ValueType:
        """Return the type that a value must have, given the type arguments."""
        assert self.type is not None
        return self.type(given) if callable(self.type) else self.type


class TemplateError(ValueError):
    """An assignment that is refused; the text names the parameter and the reason."""

    def __init__(self, parameter: str, problem: str) -> None:
        super().__init__(f"{parameter}: {problem}" if parameter else problem)
        self.parameter = parameter


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """A type with parameters. `build` makes the type from the type arguments, and is pure."""

    tag: ClassTag
    parameters: tuple[Parameter, ...]
    build: Callable[[Arguments], Entity]
    check: Callable[[ValueType, Any, str], Any] = lambda _type, value, _name: value
    """Checks a value argument against its type and returns its neutral form, as a codec's `check` does."""
    given: Arguments = field(default_factory=dict)

    def assign(self, **arguments: Argument) -> Template:
        """Return the template with more parameters given. No parameter can be given twice."""
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in arguments:
            self._demand_open(name, known)
        given = dict(self.given)
        for name, argument in arguments.items():
            if known[name].kind.is_type:
                given[name] = _demand_kind(known[name], argument)
        for name, argument in arguments.items():
            if not known[name].kind.is_type:
                given[name] = self._value(known[name], argument, given)
        return replace(self, given=given)

    @property
    def open(self) -> tuple[Parameter, ...]:
        """The parameters that are not given yet, in their order."""
        return tuple(parameter for parameter in self.parameters if parameter.name not in self.given)

    def entity(self) -> Entity:
        """Return the type once all parameters are given; raise TemplateError before."""
        if self.open:
            raise TemplateError("", f"{self} is not a type yet: {self.open_names()}")
        return self.build(self.given)

    def open_names(self) -> str:
        """Return a phrase that lists the open parameters."""
        names = [f"`{parameter.name}` ({parameter.kind.value})" for parameter in self.open]
        return f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} not given"

    def __str__(self) -> str:
        said = (f"{parameter.name}={self._said(parameter)}" for parameter in self.parameters)
        return f"{self.tag.alias}<{', '.join(said)}>"

    def _said(self, parameter: Parameter) -> str:
        if parameter.name not in self.given:
            return "?"
        argument = self.given[parameter.name]
        if parameter.kind is Kind.INTERFACE_CLASS:
            return f"({spell_events(argument)})"
        return brief(argument, 40) if parameter.kind.is_type else "given"

    def _demand_open(self, name: str, known: Mapping[str, Parameter]) -> None:
        if name not in known:
            names = ", ".join(known) or "none"
            raise TemplateError(name, f"{self.tag.alias} has no such parameter; it has {names}")
        if name in self.given:
            raise TemplateError(name, f"is given already in {self}")

    def _value(self, parameter: Parameter, argument: Argument, given: Arguments) -> Any:
        open_types = [one.name for one in self.parameters if one.kind.is_type and one.name not in given]
        if open_types:
            raise TemplateError(
                parameter.name, f"type parameters come before values; give {', '.join(open_types)} first"
            )
        try:
            return self.check(parameter.type_with(given), argument, parameter.name)
        except ValueError as problem:
            raise TemplateError("", str(problem)) from problem
        except TypeError as problem:  # values of this type have no neutral form
            raise TemplateError(parameter.name, f"takes no value: {problem}") from problem


def _demand_kind(parameter: Parameter, argument: Argument) -> Argument:
    if parameter.kind is Kind.INTERFACE_CLASS:
        if _is_events(argument):
            _demand_names(parameter, [name for name, _ in argument])
            return argument
    elif isinstance(argument, _CLASSES[parameter.kind]):
        return argument
    got = "something else"
    for kind, class_ in _CLASSES.items():
        if isinstance(argument, class_):
            got = f"{'an' if kind.value[0] in 'aeiou' else 'a'} {kind.value}"
    raise TemplateError(parameter.name, f"expected a type of kind {parameter.kind.value}, got {got}")


def _demand_names(parameter: Parameter, names: list[str]) -> None:
    """Raise TemplateError unless the events are sorted by name, each once, as every comparison relies on."""
    doubled = next((name for name in names if names.count(name) > 1), None)
    if doubled is not None:
        raise TemplateError(parameter.name, f"the event `{doubled}` is named twice; leave one out")
    if names != sorted(names):
        raise TemplateError(parameter.name, "the events are not in the order of their names; sort them")


def _is_events(argument: Argument) -> bool:
    return isinstance(argument, tuple) and all(map(_is_event, argument))


def _is_event(given: Argument) -> bool:
    if not isinstance(given, tuple) or len(given) != 2:
        return False
    return isinstance(given[0], str) and isinstance(given[1], ValueType)


_CLASSES: dict[Kind, Any] = {
    Kind.VALUE_CLASS: ValueType,
    Kind.ENDPOINT_CLASS: EndpointType,
    Kind.OBJECT_CLASS: ObjectType,
}

__all__ = ["Argument", "Arguments", "Events", "Kind", "Parameter", "Template", "TemplateError"]
