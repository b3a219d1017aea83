"""Registers an author's declarations in a catalogue, and checks that each id has one structure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

from liven.types.catalogue.catalogue import Catalogue
from liven.types.catalogue.entry import Entry, Kind, TypeParameter, ValueParameter
from liven.types.catalogue.errors import AliasTakenError, ConflictError
from liven.types.declare.annotation.shapes import GivenUse, Use
from liven.types.declare.declaration import (
    Declaration,
    InterfaceDeclaration,
    ObjectDeclaration,
    ProxyDeclaration,
    ValueDeclaration,
)
from liven.types.declare.errors import DeclarationError
from liven.types.declare.module_scan import Declarations
from liven.types.declare.term_builder import TermBuilder
from liven.types.explanation import Explanation
from liven.types.ids import ClassId
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.type_text import brief, spell, spell_events
from liven.types.terms.value_types import ClassTag, Opaque, ValueType


class DeclaredSource:
    """A class as an author declared it."""

    def __init__(self, kind: Kind, declaration: Declaration, terms: TermBuilder) -> None:
        self._kind = kind
        self.declaration = declaration
        self._terms = terms

    def type_parameters(self) -> tuple[TypeParameter, ...]:
        return self._type_parameters

    @cached_property
    def _type_parameters(self) -> tuple[TypeParameter, ...]:
        kinds = self.declaration.kinds()
        return tuple(
            TypeParameter(one.__name__, kinds.get(one.__name__, "value"))
            for one in self.declaration.parameters
        )

    def term(self, arguments: tuple[Any, ...]) -> Any:
        given: tuple[Use, ...] = tuple(GivenUse(argument) for argument in arguments)
        use = self.declaration.use(given)
        match self._kind:
            case "value":
                return self._terms.value(use)
            case "interface":
                return self._terms.interface(use)
        return self._terms.object(use)

    def value_parameters(self) -> tuple[ValueParameter, ...]:
        return self._value_parameters

    @cached_property
    def _value_parameters(self) -> tuple[ValueParameter, ...]:
        if not isinstance(self.declaration, ProxyDeclaration):
            return ()
        names = [parameter.name for parameter in self.declaration.values(self.declaration.open())]
        return tuple(self._value_parameter(place, name) for place, name in enumerate(names))

    def _value_parameter(self, place: int, name: str) -> ValueParameter:
        def type_with(arguments: tuple[Any, ...]) -> ValueType:
            assert isinstance(self.declaration, ProxyDeclaration)
            given = tuple(GivenUse(argument) for argument in arguments)
            return self._terms.value(self.declaration.values(given)[place].shape)

        return ValueParameter(name, self._written(place), type_with)

    def _written(self, place: int) -> str:
        """Return the type of a value parameter, if it does not depend on the type parameters."""
        assert isinstance(self.declaration, ProxyDeclaration)
        shape = self.declaration.values(self.declaration.open())[place].shape
        try:
            return brief(self._terms.value(shape))
        except DeclarationError:
            return "depends on the classes given"

    def bases(self, arguments: tuple[Any, ...]) -> Iterator[tuple[ObjectType, str]]:
        """Yield the object types that this one is built on, each with its name."""
        if isinstance(self.declaration, ObjectDeclaration):
            given = tuple(GivenUse(argument) for argument in arguments)
            for use in self.declaration.base_uses(given):
                yield self._terms.object(use), use.cls.__name__

    def lines(self) -> tuple[str, ...]:
        if self.type_parameters():
            return (f"a template in {self.declaration.name}",)
        return described(self.term(()))


def described(term: Any) -> tuple[str, ...]:
    """Return the lines of a structure, one for each part."""
    if isinstance(term, ObjectType):
        return (
            *(f"{name}: {spell(endpoint)}" for name, endpoint in term.endpoints),
            *(f"provides `{one.text}`" for one in term.provides),
            *(f"requires `{one.text}`" for one in term.requires),
        )
    if isinstance(term, tuple):
        return tuple(spell_events((event,)) for event in term)
    return (spell(term),)


def register(catalogue: Catalogue, declarations: Declarations, matcher: Matcher) -> tuple[Entry, ...]:
    """Add the declarations of a module; the catalogue stays unchanged if one of them is refused.

    A class that was known by name only gets its structure here. A class declared again changes nothing.
    Another structure under a known id raises ConflictError, which shows both.
    """
    terms = TermBuilder(catalogue.formalisms)
    new = tuple(_entry(declaration, terms) for declaration in declarations)
    known = [_known(catalogue, matcher, entry) for entry in new]
    for declaration, entry, other in zip(declarations, new, known, strict=True):
        if other is None:
            catalogue.put(entry)
            catalogue.name(entry, declaration.cls.__name__)
        elif isinstance(other.source, DeclaredSource):
            catalogue.name(other, entry.alias)
        else:
            catalogue.replace(other, replace(entry, id=other.id, used=other.used))
    return new


def _known(catalogue: Catalogue, matcher: Matcher, entry: Entry) -> Entry | None:
    """Return the known class that this one is, if any; raise the error that refuses it."""
    entry.source.term(_stand_ins(entry))  # a faulty template is reported now, not later
    _demand_fits_bases(matcher, entry)
    other = catalogue.exactly(entry.kind, entry.id) if entry.has_id else _twin(catalogue, matcher, entry)
    if other is not None and other.typed:
        _demand_same(catalogue, matcher, other, entry)
    if ":" in entry.alias:
        for namesake in catalogue.named(entry.alias, entry.kind):
            alike = entry.has_id and namesake.id.component == entry.id.component  # another version of it
            if namesake is not other and not alike:
                raise AliasTakenError(namesake, entry)
    return other


def _demand_fits_bases(matcher: Matcher, entry: Entry) -> None:
    """Refuse an object type that cannot stand in for its base, as its Python class can."""
    source = entry.source
    if not isinstance(source, DeclaredSource) or not isinstance(source.declaration, ObjectDeclaration):
        return
    own = source.term(_stand_ins(entry))
    for base, name in source.bases(_stand_ins(entry)):
        answer = matcher.object_subtype(own, base)
        if not answer:
            raise DeclarationError(
                source.declaration.name,
                f"it is built on {name} and does not fit it\n{answer.render()}",
                "promise and receive no less than the base, demand no more, or do not inherit",
            )


def _twin(catalogue: Catalogue, matcher: Matcher, entry: Entry) -> Entry | None:
    """Return the class without id that has this name and structure: this one, declared before."""
    for other in catalogue.named(entry.alias, entry.kind):
        if not other.has_id and _difference(catalogue, matcher, other, entry) is None:
            return other
    return None


def _entry(declaration: Declaration, terms: TermBuilder) -> Entry:
    kind = _kind_of(declaration)
    view = declaration.view if isinstance(declaration, ProxyDeclaration) else ""
    tag = declaration.tag
    source = DeclaredSource(kind, declaration, terms)
    return Entry(kind, tag.id, tag.alias, tag.alias, declaration.cls.__module__, source, view=view)


def _kind_of(declaration: Declaration) -> Literal["value", "interface", "object", "component"]:
    match declaration:
        case ValueDeclaration():
            return "value"
        case InterfaceDeclaration():
            return "interface"
        case ProxyDeclaration():
            return "component"
        case ObjectDeclaration():
            return "object"
    raise TypeError(f"{declaration.name} is not a kind of class that a catalogue knows")


def _demand_same(catalogue: Catalogue, matcher: Matcher, known: Entry, new: Entry) -> None:
    difference = _difference(catalogue, matcher, known, new)
    if difference is not None:
        raise ConflictError(known, new, difference)


def _difference(catalogue: Catalogue, matcher: Matcher, known: Entry, new: Entry) -> str | None:
    """Return why the two are not one class; None if they are."""
    parameters = [one.kind for one in new.source.type_parameters()]
    if [one.kind for one in known.source.type_parameters()] != parameters:
        return "they do not take the same kinds of parameters"
    arguments = _stand_ins(new)
    first, second = catalogue.term(known, arguments), new.source.term(arguments)
    if not isinstance(known.source, DeclaredSource):
        second = _unconstrained(second)  # the original's promises are unknown; add ours
        if known.kind == "component":  # nor are all endpoints of its objects known
            return _said(matcher.object_subtype(second, first))
    return _said(matcher.same(_comparable(first), _comparable(second)))


def _said(answer: Explanation) -> str | None:
    return None if answer else answer.render()


def _stand_ins(entry: Entry) -> tuple[Any, ...]:
    """Return a unique class for each type parameter, so that templates are compared by the types they make of
    it."""
    return tuple(
        _stand_in(parameter.kind, ClassTag(ClassId(place, namespace=2**128 - 1), f"#{place}"))
        for place, parameter in enumerate(entry.source.type_parameters(), 1)
    )


def _stand_in(kind: Kind, tag: ClassTag) -> Any:
    own: tuple[tuple[str, ValueType], ...] = ((tag.alias, Opaque(tag)),)
    match kind:
        case "value":
            return Opaque(tag)
        case "interface":
            return own
        case "endpoint":
            return EndpointType(inputs=own)
    return ObjectType(((tag.alias, EndpointType(inputs=own)),))


def _comparable(term: Any) -> Any:
    """Return interfaces as endpoints that export them, replies as ordinary events, for comparison."""
    return EndpointType(inputs=term) if isinstance(term, tuple) else term


def _unconstrained(term: Any) -> Any:
    if not isinstance(term, ObjectType):
        return term
    bare = tuple((name, replace(endpoint, provides=(), requires=())) for name, endpoint in term.endpoints)
    return replace(term, endpoints=bare, provides=(), requires=())
