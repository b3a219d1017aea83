"""Declarations: the records that decorators attach to classes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field
from typing import Any, TypeAlias, TypeVar

from liven.types.declare.annotation.markers import Clause, provides, requires
from liven.types.declare.annotation.parameter_kinds import Place, kinds_of
from liven.types.declare.annotation.reader import ATTACHED, Reader, shown
from liven.types.declare.annotation.scope import Scope
from liven.types.declare.annotation.shapes import (
    ClassShape,
    EndpointUse,
    GivenUse,
    InterfaceUse,
    ObjectUse,
    ParameterKind,
    ParameterUse,
    Use,
    ValueShape,
)
from liven.types.declare.errors import DeclarationError
from liven.types.terms.value_types import ClassTag

Arguments: TypeAlias = Mapping[TypeVar, Use]
Given: TypeAlias = tuple[Use, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """One annotated name of a class, read on demand: it may refer to a class that is defined later."""

    name: str
    annotation: Any
    scope: Scope

    def resolve(self, where: str) -> Any:
        """Return the annotation as an object; an undefined name is the author's error."""
        try:
            return self.scope.look_up(self.annotation)
        except NameError as problem:
            raise DeclarationError(
                where,
                f"`{problem.name}` is not a name here",
                "define it, or import it where it exists at run time, not under TYPE_CHECKING alone",
            ) from problem
        except DeclarationError as problem:
            raise DeclarationError(where, f"{problem.where}: {problem.problem}", problem.fix) from problem
        except (SyntaxError, TypeError, AttributeError) as problem:
            raise DeclarationError(
                where, f"`{self.annotation}` cannot be read as a type: {problem}", _way(str(self.annotation))
            ) from problem


def _way(annotation: str) -> str:
    """Return a hint how to write an annotation that Python itself refused."""
    ways = (way for marker, way in _WAYS.items() if f"{marker}[" in annotation)
    return f"write {next(ways, 'a type')}"


_WAYS = {
    "Dual": "Dual[I, J]: the interface that is exported, then the one that is imported",
    "Exports": "Exports[I], with one interface",
    "Imports": "Imports[I], with one interface",
}


@dataclass(frozen=True, slots=True, eq=False)
class Declaration:
    """The part common to all declarations: the class, its tag, its type parameters."""

    cls: type
    tag: ClassTag
    parameters: tuple[TypeVar, ...]
    scope: Scope

    @property
    def name(self) -> str:
        """The name of the class in errors: module and qualified name."""
        return f"{self.cls.__module__}.{self.cls.__qualname__}"

    def bind(self, arguments: Given) -> Arguments:
        """Return the meaning of each type parameter; the parameters of a template stand for themselves."""
        return dict(zip(self.parameters, arguments or self.open(), strict=True))

    def open(self) -> Given:
        """Return the class's own parameters, left open."""
        return tuple(ParameterUse(parameter.__name__) for parameter in self.parameters)

    def use(self, arguments: Given) -> Any:
        """Return the class with arguments, as in an annotation."""
        raise NotImplementedError(f"{type(self).__name__} has no use in annotations")

    def places(self) -> Iterator[Place]:
        """Yield every part of the declaration with open parameters, and the kind of class it stands for."""
        raise NotImplementedError(f"{type(self).__name__} has no parts")

    def check(self) -> None:
        """Read every part; raise DeclarationError."""
        self.kinds()

    def kinds(self) -> dict[str, ParameterKind]:
        """Return the kind of class that each type parameter takes."""
        return kinds_of(self.name, self.places())


@dataclass(frozen=True, slots=True, eq=False)
class ValueDeclaration(Declaration):
    """A value class: a record of its fields, or, for an Enum, a union of empty cases."""

    members: tuple[Member, ...] = ()
    cases: tuple[str, ...] = ()
    """The names of an Enum's members."""
    stores: bool = False
    """True if the constructor only stores the fields, so that it need not be called."""

    def use(self, arguments: Given) -> ClassShape:
        return ClassShape(self.cls, arguments)

    def fields(self, arguments: Given) -> tuple[tuple[str, ValueShape], ...]:
        """Return the fields in the order they were written."""
        bound = self.bind(arguments)
        return tuple((member.name, self._field(member, bound)) for member in self.members)

    def places(self) -> Iterator[Place]:
        for _, shape in self.fields(self.open()):
            yield shape, "value"

    def _field(self, member: Member, bound: Arguments) -> ValueShape:
        where = f"{self.name}.{member.name}"
        return Reader(where, bound).value(member.resolve(where))


@dataclass(frozen=True, slots=True)
class Method:
    """One event or operation of an interface, with its types read."""

    name: str
    parameters: tuple[tuple[str, ValueShape], ...]
    result: ValueShape | None
    """The type of the answer; None for an event."""


@dataclass(frozen=True, slots=True)
class MethodMember:
    """A method as its author wrote it."""

    name: str
    parameters: tuple[Member, ...]
    result: Member
    defaults: tuple[tuple[str, object], ...]


@dataclass(frozen=True, slots=True, eq=False)
class InterfaceDeclaration(Declaration):
    """An interface: its methods are events, or operations where they have a result."""

    members: tuple[MethodMember, ...] = ()

    def use(self, arguments: Given) -> InterfaceUse:
        return InterfaceUse(self.cls, arguments)

    def methods(self, arguments: Given) -> tuple[Method, ...]:
        """Return the methods in the order they were written."""
        bound = self.bind(arguments)
        return tuple(self._method(member, bound) for member in self.members)

    def places(self) -> Iterator[Place]:
        for method in self.methods(self.open()):
            for _, shape in method.parameters:
                yield shape, "value"
            if method.result is not None:
                yield method.result, "value"

    def _method(self, member: MethodMember, bound: Arguments) -> Method:
        where = f"{self.name}.{member.name}"
        parameters = tuple(
            (
                parameter.name,
                Reader(f"{where}({parameter.name})", bound).value(
                    parameter.resolve(f"{where}({parameter.name})")
                ),
            )
            for parameter in member.parameters
        )
        answer = member.result.resolve(f"{where} -> result")
        result = None if answer is type(None) else Reader(f"{where} -> result", bound).value(answer)
        return Method(member.name, parameters, result)


@dataclass(frozen=True, slots=True)
class NamedEndpoint:
    """An endpoint of an object type, read."""

    name: str
    use: EndpointUse | ParameterUse | GivenUse
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ObjectDeclaration(Declaration):
    """An object type: its endpoints and constraints."""

    members: tuple[Member, ...] = ()
    clauses: tuple[Clause, ...] = ()
    bases: tuple[Member, ...] = ()
    """The object types that this one is built on, as written."""

    def use(self, arguments: Given) -> ObjectUse:
        return ObjectUse(self.cls, arguments)

    def endpoints(self, arguments: Given) -> tuple[NamedEndpoint, ...]:
        """Return the endpoints, including those of the bases; one written here replaces an inherited one."""
        bound = self.bind(arguments)
        found: dict[str, NamedEndpoint] = {}
        for base in self.base_uses(arguments):
            declaration: ObjectDeclaration = vars(base.cls)[ATTACHED]
            found |= {endpoint.name: endpoint for endpoint in declaration.endpoints(base.arguments)}
        found |= {member.name: self._endpoint(member, bound) for member in self.members}
        return tuple(found[name] for name in sorted(found))

    def all_clauses(self) -> tuple[Clause, ...]:
        """Return the constraints on the whole object, including those of the bases."""
        inherited = [
            clause
            for base in self.base_uses(self.open())
            for clause in vars(base.cls)[ATTACHED].all_clauses()
        ]
        return tuple(dict.fromkeys([*inherited, *self.clauses]))

    def places(self) -> Iterator[Place]:
        for endpoint in self.endpoints(self.open()):
            yield endpoint.use, "endpoint"

    def base_uses(self, arguments: Given) -> Iterator[ObjectUse]:
        """Yield the object types that this one is built on."""
        bound = self.bind(arguments)
        for member in self.bases:
            use = Reader(self.name, bound).object_type(member.resolve(self.name))
            if isinstance(use, ObjectUse):
                yield use

    def _endpoint(self, member: Member, bound: Arguments) -> NamedEndpoint:
        where = f"{self.name}.{member.name}"
        annotation = member.resolve(where)
        beside = getattr(annotation, "__metadata__", ())
        for item in beside:
            if isinstance(item, str) or item in (provides, requires):
                told = f"{shown(item)} means nothing beside an endpoint"
                raise DeclarationError(where, told, 'write provides("guarantee", "fifo")')
        clauses = tuple(item for item in beside if isinstance(item, Clause))
        return NamedEndpoint(member.name, Reader(where, bound).endpoint(annotation), clauses)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value that a reference passes to the constructor of a proxy."""

    name: str
    shape: ValueShape
    required: bool
    default: object = None


@dataclass(frozen=True, slots=True, eq=False)
class ProxyDeclaration(ObjectDeclaration):
    """A proxy class: an object that can be built from the parameters in a reference."""

    constructor: tuple[tuple[Member, object], ...] = ()
    """The constructor's parameters, each with its default or `MISSING`."""
    view: str = ""
    delegates: frozenset[str] = frozenset()
    """Endpoints whose events other objects handle."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Parameters with another name in references: from that name to Python's."""

    def values(self, arguments: Given) -> tuple[Parameter, ...]:
        """Return the constructor's parameters in their order."""
        bound = self.bind(arguments)
        return tuple(self._parameter(member, default, bound) for member, default in self.constructor)

    def places(self) -> Iterator[Place]:
        yield from ObjectDeclaration.places(self)
        for parameter in self.values(self.open()):
            yield parameter.shape, "value"

    def _parameter(self, member: Member, default: object, bound: Arguments) -> Parameter:
        required = default is MISSING
        return Parameter(member.name, self._shape(member, bound), required, None if required else default)

    def _shape(self, member: Member, bound: Arguments) -> ValueShape:
        where = f"{self.name}.__init__({member.name})"
        return Reader(where, bound).value(member.resolve(where))
