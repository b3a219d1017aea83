"""Makes terms from shapes: the structure that two authors share, without their own classes.

A class that contains itself becomes a `Recursive`; so does a reference to an object type whose events
carry references to it. One term is made for each use, so terms can be remembered by identity.
"""

from __future__ import annotations

from dataclasses import replace

from liven.types.declare.annotation.reader import case_name, declaration_of
from liven.types.declare.annotation.shapes import (
    ClassShape,
    EndpointRefShape,
    EndpointUse,
    GivenUse,
    IdShape,
    InterfaceUse,
    ListShape,
    MapShape,
    ObjectUse,
    OptionalShape,
    ParameterUse,
    RefShape,
    ScalarShape,
    UnionShape,
    ValueShape,
)
from liven.types.declare.constraints import ClauseReader
from liven.types.declare.declaration import InterfaceDeclaration, ObjectDeclaration, ValueDeclaration
from liven.types.declare.decorate import NO_ID
from liven.types.declare.errors import DeclarationError
from liven.types.formalism.registry import Formalisms
from liven.types.terms.endpoint_types import EndpointType, Events, ObjectType
from liven.types.terms.interfaces import Method, incoming, interface_events, outgoing
from liven.types.terms.recursive_terms import RecursiveTerms
from liven.types.terms.value_types import (
    ID,
    ClassTag,
    EndpointTo,
    ListOf,
    MapOf,
    Record,
    RefTo,
    Union,
    ValueType,
    optional,
)

EMPTY = Record(())


class TermBuilder:
    """The terms of declared classes, made on demand. `formalisms` read the constraints."""

    def __init__(self, formalisms: Formalisms, clauses: ClauseReader | None = None) -> None:
        self.formalisms = formalisms
        self._clauses = clauses or ClauseReader(formalisms)
        self._terms = RecursiveTerms()

    def of(self, cls: type) -> ValueType | ObjectType:
        """Return the term of a declared value class or object type without parameters."""
        is_object = isinstance(declaration_of(cls), ObjectDeclaration)
        return self.object_of(cls) if is_object else self.value_of(cls)

    def value_of(self, cls: type) -> ValueType:
        """Return the term of a value class without parameters."""
        declaration = declaration_of(cls)
        if isinstance(declaration, ValueDeclaration):
            return self.value(declaration.use(()))
        raise _undeclared(cls, "a value class", "@value")

    def object_of(self, cls: type) -> ObjectType:
        """Return the term of an object type or proxy without parameters."""
        declaration = declaration_of(cls)
        if isinstance(declaration, ObjectDeclaration):
            return self.object(declaration.use(()))
        raise _undeclared(cls, "an object type", "@object_type")

    def value(self, shape: ValueShape) -> ValueType:
        """Return the term of the values in a field or parameter."""
        match shape:
            case ScalarShape(term):
                return term
            case IdShape():
                return ID
            case ListShape(item):
                return ListOf(self.value(item))
            case MapShape(item):
                return MapOf(self.value(item))
            case OptionalShape(item):
                return optional(self.value(item))
            case UnionShape(cases, tag):
                return Union(tuple((case_name(case.cls), self.value(case)) for case in cases), tag)
            case ClassShape(cls):
                return self._terms.recursive(shape, cls.__name__, lambda: self._class(shape))
            case RefShape() | EndpointRefShape():
                return self._terms.recursive(shape, _target_name(shape), lambda: self._reference(shape))
            case GivenUse(term):
                given: ValueType = term
                return given
            case ParameterUse(name):
                raise _open_parameter(name)

    def object(self, use: ObjectUse | ParameterUse | GivenUse) -> ObjectType:
        """Return the object type, with its constraints read."""
        if isinstance(use, GivenUse):
            return use.term  # type: ignore[no-any-return]  # its kind was checked when it was given
        if isinstance(use, ParameterUse):
            raise _open_parameter(use.name)
        made: ObjectType = self._terms.once(use, lambda: self._object(use))
        return made

    def endpoint(self, use: EndpointUse | ParameterUse | GivenUse) -> EndpointType:
        """Return the endpoint type, without constraints of its own."""
        if isinstance(use, GivenUse):
            return use.term  # type: ignore[no-any-return]  # its kind was checked when it was given
        if isinstance(use, ParameterUse):
            raise _open_parameter(use.name)
        made: EndpointType = self._terms.once(use, lambda: self._endpoint(use))
        return made

    def _class(self, shape: ClassShape) -> ValueType:
        declaration: ValueDeclaration = declaration_of(shape.cls)
        tag = declaration.tag
        if declaration.cases:
            return Union(tuple((name, EMPTY) for name in sorted(declaration.cases)), tag)
        fields = declaration.fields(shape.arguments)
        return Record(tuple(sorted((name, self.value(field)) for name, field in fields)), tag)

    def _reference(self, shape: RefShape | EndpointRefShape) -> ValueType:
        if isinstance(shape, RefShape):
            return RefTo(self.object(shape.target))
        return EndpointTo(self.endpoint(shape.target))

    def _endpoint(self, use: EndpointUse) -> EndpointType:
        if use.local:
            return EndpointType(local=use.local)
        exported, imported = self.interface(use.exported), self.interface(use.imported)
        return EndpointType(incoming(exported, imported), outgoing(exported, imported))

    def interface(self, use: InterfaceUse | ParameterUse | GivenUse | None) -> Events:
        """Return the events of an interface, including replies."""
        if use is None:
            return ()
        if isinstance(use, GivenUse):
            return use.term  # type: ignore[no-any-return]  # its kind was checked when it was given
        if isinstance(use, ParameterUse):
            raise _open_parameter(use.name)
        made: Events = self._terms.once(use, lambda: self._interface(use))
        return made

    def _interface(self, use: InterfaceUse) -> Events:
        declaration: InterfaceDeclaration = declaration_of(use.cls)
        return interface_events(
            Method(
                method.name,
                tuple((name, self.value(shape)) for name, shape in method.parameters),
                None if method.result is None else self.value(method.result),
            )
            for method in declaration.methods(use.arguments)
        )

    def _object(self, use: ObjectUse) -> ObjectType:
        declaration: ObjectDeclaration = declaration_of(use.cls)
        endpoints = []
        for endpoint in declaration.endpoints(use.arguments):
            tag = ClassTag(NO_ID, f"{declaration.tag.alias}.{endpoint.name}")
            plain = replace(self.endpoint(endpoint.use), tag=tag)
            where = f"{declaration.name}.{endpoint.name}"
            endpoints.append((endpoint.name, self._clauses.on_endpoint(where, plain, endpoint.clauses)))
        bare = ObjectType(tuple(endpoints), tag=declaration.tag)
        return self._clauses.on_object(declaration.name, bare, declaration.all_clauses())


def _target_name(shape: RefShape | EndpointRefShape) -> str:
    return shape.target.cls.__name__ if isinstance(shape.target, ObjectUse) else "endpoint"


def _undeclared(cls: type, wanted: str, decorator: str) -> DeclarationError:
    return DeclarationError(
        getattr(cls, "__qualname__", repr(cls)), f"it is not {wanted}", f"put {decorator} above it"
    )


def _open_parameter(name: str) -> DeclarationError:
    return DeclarationError(
        f"[{name}]",
        "a template cannot be compared until its parameters are given",
        "give it a class",
    )
