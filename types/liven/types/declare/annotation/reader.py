"""Reads annotations into shapes: the only module that knows the meaning of Python types.

`int` is a 64-bit signed integer and `float` a 64-bit number, since an author who writes no size means
these; `Int32` or `Annotated[int, Range(0, 255)]` are narrower. An annotation that another machine could
not rebuild is refused, with a hint what to write instead.
"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import inspect
import re
import types
import typing
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, get_args, get_origin

from liven.types.declare.annotation import markers
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
    Use,
    ValueShape,
)
from liven.types.declare.errors import DeclarationError
from liven.types.terms.serializable import WIRE_HIGH, WIRE_LOW
from liven.types.terms.value_types import BOOL, BYTES, FLOAT32, FLOAT64, INT64, TEXT, ClassTag, Integer

ATTACHED = "__liven__"
"""The attribute that holds the declaration of a class; it is not inherited."""

_SCALARS: Mapping[Any, ScalarShape | IdShape] = {
    bool: ScalarShape(BOOL),
    int: ScalarShape(INT64),
    float: ScalarShape(FLOAT64),
    str: ScalarShape(TEXT),
    bytes: ScalarShape(BYTES),
    uuid.UUID: IdShape(),
}
_INSTEAD: Mapping[Any, str] = {
    Any: "write a definite type; values are checked here and rebuilt elsewhere",
    object: "write a definite type; values are checked here and rebuilt elsewhere",
    set: "write list[X] instead; the order of a set differs between replicas",
    frozenset: "write list[X] instead; the order of a set differs between replicas",
    complex: "declare a @value class with two floats",
    bytearray: "write bytes; values do not change once sent",
    memoryview: "write bytes",
    decimal.Decimal: "write str, or int in the smallest unit",
    datetime.datetime: "write float: seconds since 1970 in UTC",
    datetime.date: "write str: YYYY-MM-DD",
    datetime.timedelta: "write float: seconds",
    list: "name its items: list[X]",
    tuple: "name its items: tuple[X, ...]",
    dict: "name its values: dict[str, X]",
    type(None): "leave it out, or write X | None",
}
_UI = {
    markers.ExportedUI: "UI",
    markers.ImportedUI: "~UI",
    markers.ExportedUI_X: "UI_X",
    markers.ImportedUI_X: "~UI_X",
}
_NO_TYPES: Mapping[Any, tuple[str, str]] = {
    Callable: (
        "is a function, which cannot be sent",
        "declare an interface with that method, and pass an EndpointRef[Exports[…]] to it",
    ),
    typing.Literal: ("names values, not a type", "write an Enum of them, with @value above it"),
}
_NOT_AUTHORS = ("builtins", "uuid", "typing", "collections.abc", markers.__name__)
_PACKAGES = re.compile(rf"\b(?:typing|collections\.abc|{re.escape(markers.__name__)})\.")
_KINDS: Mapping[type, str] = {
    InterfaceUse: "an interface",
    ObjectUse: "an object type",
    EndpointUse: "an endpoint",
}


def declaration_of(cls: object) -> Any:
    """Return the declaration attached to this very class, or None."""
    return vars(cls).get(ATTACHED) if isinstance(cls, type) else None


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the annotations of one member; `arguments` gives the meaning of type variables."""

    where: str
    arguments: Mapping[TypeVar, Use]

    def value(self, annotation: Any, clauses: Sequence[object] = ()) -> ValueShape:
        """Return the shape of a field, parameter or result."""
        if (union := _union_members(annotation)) is not None:
            return self._union(union, clauses)
        use = self._any(annotation, clauses)
        if isinstance(use, InterfaceUse | ObjectUse | EndpointUse):
            raise self._wrong_kind(annotation, use, "a value")
        if any(isinstance(one, markers.Clause) for one in getattr(annotation, "__metadata__", ())):
            raise self._error("a constraint cannot belong to a value", "write it beside an endpoint")
        return use

    def interface(self, annotation: Any) -> InterfaceUse | ParameterUse | GivenUse:
        """Return the interface named in the brackets of an endpoint."""
        self._demand_declared(annotation, "an endpoint exports and imports interfaces", "@interface")
        use = self._any(annotation)
        if isinstance(use, InterfaceUse | ParameterUse | GivenUse):
            return use
        raise self._error(
            f"an endpoint exports and imports interfaces, and {shown(annotation)} is not one",
            f"put @interface above class {shown(annotation)}, or name an interface",
        )

    def endpoint(self, annotation: Any) -> EndpointUse | ParameterUse | GivenUse:
        """Return the endpoint that an annotation of an object type stands for."""
        self._demand_one(annotation)
        use = self._any(annotation)
        if isinstance(use, EndpointUse | ParameterUse | GivenUse):
            return use
        raise self._error(
            f"{shown(annotation)} is not an endpoint",
            "write Exports[I], Imports[I], Dual[I, J] or ExportedUI; state belongs in the proxy class",
        )

    def object_type(self, annotation: Any) -> ObjectUse | ParameterUse | GivenUse:
        """Return the object type that a reference points to."""
        self._demand_declared(annotation, "a reference points to an object", "@object_type")
        use = self._any(annotation)
        if isinstance(use, ObjectUse | ParameterUse | GivenUse):
            return use
        raise self._error(
            f"{shown(annotation)} is not an object type",
            f"put @object_type above class {shown(annotation)}, or name an object type",
        )

    def _demand_declared(self, annotation: Any, wanted: str, decorator: str) -> None:
        """Raise an error for a class of the author's that lacks its decorator, and name the decorator."""
        plain = isinstance(annotation, type) and get_origin(annotation) is None
        if plain and annotation.__module__ not in _NOT_AUTHORS and declaration_of(annotation) is None:
            name = annotation.__name__
            raise self._error(f"{wanted}, and {name} is not declared", f"put {decorator} above class {name}")

    def _demand_one(self, annotation: Any) -> None:
        """Raise an error for an optional endpoint or a list of endpoints: each one is named and always
        present."""
        inner = get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation
        parts = [part for part in get_args(inner) if _is_endpoint(part)]
        if not parts or _is_endpoint(inner):
            return
        member = self.where.rpartition(".")[2]
        if _union_members(inner) is not None:
            raise self._error(
                "an endpoint always exists, connected or not", f"write {shown(parts[0])}, without | None"
            )
        raise self._error(
            "an endpoint cannot be part of a collection",
            f"write {member}: {shown(parts[0])} for each",
        )

    def _any(self, annotation: Any, clauses: Sequence[object] = ()) -> Use:
        if isinstance(annotation, TypeVar):
            return self._parameter(annotation)
        if hasattr(annotation, "__supertype__"):
            return self.value(annotation.__supertype__, clauses)  # a NewType
        origin = get_origin(annotation)
        if origin is Annotated:
            inner, *more = get_args(annotation)
            return self.value(inner, more) if _union_members(inner) is not None else self._any(inner, more)
        if _hashable(annotation) and annotation in _SCALARS:
            return self._scalar(_SCALARS[annotation], clauses)
        self._refuse_sizes(clauses)
        if origin is not None:
            return self._generic(origin, get_args(annotation), annotation)
        return self._class(annotation, ())

    def _parameter(self, variable: TypeVar) -> Use:
        if variable in self.arguments:
            return self.arguments[variable]
        name = variable.__name__
        raise self._error(
            f"the type variable {name} is not a parameter of its class",
            f"write class …(Generic[{name}]), or a definite type",
        )

    def _scalar(self, plain: ScalarShape | IdShape, clauses: Sequence[object]) -> ScalarShape | IdShape:
        for clause in clauses:
            if isinstance(clause, markers.Range) and plain == _SCALARS[int]:
                return self._bounded(clause)
            if isinstance(clause, markers.Bits) and plain == _SCALARS[float]:
                return ScalarShape(FLOAT32 if clause.count == 32 else FLOAT64)
        self._refuse_sizes(clauses)
        return plain

    def _refuse_sizes(self, clauses: Sequence[object]) -> None:
        for clause in clauses:
            if isinstance(clause, markers.Range | markers.Bits):
                raise self._error(
                    f"{clause} does not fit this type", "Range bounds an int, and Bits sizes a float"
                )

    def _bounded(self, clause: markers.Range) -> ScalarShape:
        if clause.low < WIRE_LOW or clause.high > WIRE_HIGH:
            raise self._error(
                f"{clause} allows numbers that cannot be written",
                "keep between -2**63 and 2**64 - 1, or write str",
            )
        return ScalarShape(Integer(clause.low, clause.high))

    def _generic(self, origin: Any, arguments: tuple[Any, ...], annotation: Any) -> Use:
        if origin in (list, Sequence) and len(arguments) == 1:
            return ListShape(self.value(arguments[0]), "list")
        if origin is tuple:
            return self._tuple(arguments)
        if origin in (dict, Mapping):
            return self._map(arguments)
        if origin in (set, frozenset):
            raise self._error(f"{shown(annotation)} cannot be sent", _INSTEAD[origin])
        if origin in _NO_TYPES:
            problem, fix = _NO_TYPES[origin]
            raise self._error(f"{shown(annotation)} {problem}", fix)
        if origin is markers.Ref:
            return RefShape(self.object_type(arguments[0]))
        if origin is markers.EndpointRef:
            return EndpointRefShape(self.endpoint(arguments[0]))
        if isinstance(origin, type) and issubclass(origin, markers.Endpoint):
            return self._endpoint(origin, arguments)
        return self._class(origin, tuple(self._argument(argument) for argument in arguments))

    def _argument(self, annotation: Any) -> Use:
        return self.value(annotation) if _union_members(annotation) is not None else self._any(annotation)

    def _tuple(self, arguments: tuple[Any, ...]) -> ListShape:
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return ListShape(self.value(arguments[0]), "tuple")
        raise self._error(
            "a tuple of fixed length has no names for its parts",
            "declare a @value class with named fields, or write tuple[X, ...]",
        )

    def _map(self, arguments: tuple[Any, ...]) -> MapShape:
        key, item = arguments
        if key is not str:
            raise self._error(
                f"the keys of a map are text, not {shown(key)}",
                "write dict[str, …], or a list of a @value class with the key as a field",
            )
        return MapShape(self.value(item))

    def _endpoint(self, origin: type, arguments: tuple[Any, ...]) -> EndpointUse:
        if origin is markers.Exports:
            return EndpointUse(exported=self.interface(arguments[0]))
        if origin is markers.Imports:
            return EndpointUse(imported=self.interface(arguments[0]))
        # `class Dual(Imports[I], Generic[E, I])` lists its parameters as E, I
        return EndpointUse(self.interface(arguments[0]), self.interface(arguments[1]))

    def _class(self, cls: Any, arguments: tuple[Use, ...]) -> Use:
        if isinstance(cls, type) and cls in _UI:
            return EndpointUse(local=_UI[cls])
        declaration = declaration_of(cls)
        if declaration is None:
            raise self._undeclared(cls)
        wanted = len(declaration.parameters)
        if wanted != len(arguments):
            names = ", ".join(parameter.__name__ for parameter in declaration.parameters)
            written = f"{wanted} parameters" if wanted != 1 else "one parameter"
            raise self._error(
                f"{cls.__name__} takes {written} and got {len(arguments)}",
                f"write {cls.__name__}[{names}]" if wanted else f"write {cls.__name__} alone",
            )
        use: Use = declaration.use(arguments)
        return use

    def _union(self, members: tuple[Any, ...], clauses: Sequence[object]) -> ValueShape:
        present = [member for member in members if member is not type(None)]
        inner = self.value(present[0], clauses) if len(present) == 1 else self._cases(present, clauses)
        missing = len(present) < len(members)
        return OptionalShape(inner) if missing and not isinstance(inner, OptionalShape) else inner

    def _cases(self, members: list[Any], clauses: Sequence[object]) -> UnionShape:
        cases: dict[str, ClassShape] = {}
        for member in members:
            case = self.value(member)
            if not isinstance(case, ClassShape):
                raise self._error(
                    f"the cases of a union are recognised by name, and {shown(member)} has none",
                    "put each case in a @value class",
                )
            name = case_name(case.cls)
            if name in cases:
                raise self._error(
                    f"two cases of the union are called {name}", "give one of the classes another name"
                )
            cases[name] = case
        tag = next((clause for clause in clauses if isinstance(clause, ClassTag)), None)
        return UnionShape(tuple(cases[name] for name in sorted(cases)), tag)

    def _undeclared(self, cls: Any) -> DeclarationError:
        problem = f"{shown(cls)} cannot be sent"
        if _hashable(cls) and cls in _INSTEAD:
            return self._error(problem, _INSTEAD[cls])
        if cls in (markers.Exports, markers.Imports, markers.Dual, markers.Ref, markers.EndpointRef):
            return self._error(f"{shown(cls)} is incomplete", f"write {shown(cls)}[X]")
        if isinstance(cls, type) and cls.__module__ == "numpy":
            return self._error(problem, "write float, Float32, int, Int32, bool or a list of one of them")
        if isinstance(cls, markers.Clause):
            fix = f'write Annotated[Exports[I], {cls.side}("{cls.formalism}", "{cls.text}")]'
            return self._error("this is a constraint, but a type is expected", fix)
        if isinstance(cls, type) and _is_data(cls):
            return self._error(problem, f"put @value above class {cls.__name__}")
        return self._error(
            problem, "use bool, int, float, str, bytes, UUID, list, dict[str, X] or a @value class"
        )

    def _wrong_kind(self, annotation: Any, use: Use, wanted: str) -> DeclarationError:
        fix = {
            InterfaceUse: f"pass an EndpointRef[Exports[{shown(annotation)}]]",
            ObjectUse: f"pass a Ref[{shown(annotation)}]",
            EndpointUse: f"pass an EndpointRef[{shown(annotation)}]",
        }[type(use)]
        return self._error(f"{shown(annotation)} is {_KINDS[type(use)]}, not {wanted}", fix)

    def _error(self, problem: str, fix: str) -> DeclarationError:
        return DeclarationError(self.where, problem, fix)


def case_name(cls: type) -> str:
    """Return the tag of a class in a union: its own name."""
    return cls.__name__


def shown(annotation: Any) -> str:
    """Return an annotation as its author would write it."""
    if (isinstance(annotation, type) and get_origin(annotation) is None) or inspect.isfunction(annotation):
        return str(annotation.__name__)
    return _PACKAGES.sub("", str(annotation))


def _union_members(annotation: Any) -> tuple[Any, ...] | None:
    if get_origin(annotation) in (typing.Union, types.UnionType):
        return get_args(annotation)
    return None


def _is_data(cls: type) -> bool:
    return (
        dataclasses.is_dataclass(cls)
        or issubclass(cls, enum.Enum | tuple)
        or bool(vars(cls).get("__annotations__"))
    )


def _is_endpoint(annotation: Any) -> bool:
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    marker = get_origin(annotation) or annotation
    return isinstance(marker, type) and issubclass(marker, markers.Endpoint)


def _hashable(annotation: Any) -> bool:
    return isinstance(annotation, type) or annotation is Any
