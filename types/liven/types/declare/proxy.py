"""`@proxy`: a class of objects that can be built from the parameters of its constructor."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, TypeVar, get_args, get_origin

from liven.types.declare.annotation.markers import Clause, Endpoint
from liven.types.declare.annotation.reader import ATTACHED, declaration_of
from liven.types.declare.annotation.scope import Scope, scope_of_caller
from liven.types.declare.annotation.shapes import EndpointUse, InterfaceUse
from liven.types.declare.clause_checks import attach_object
from liven.types.declare.declaration import Member, Method, ProxyDeclaration
from liven.types.declare.decorate import demand_class, named, names_later, parameters_of, scope_of, tag_for
from liven.types.declare.errors import DeclarationError
from liven.types.declare.handler_signatures import mistaken_parameter
from liven.types.declare.object_type import checked_clauses, endpoint_members, object_bases

C = TypeVar("C", bound=type)
_VIEW = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_LOOKS = re.compile(r"([\w.]*\bAnnotated\[)?[\w.]*\b(Exports|Imports|Dual|(Ex|Im)portedUI(_X)?)\b")
"""Recognises an endpoint by its text, where some of its names are not defined yet."""


def proxy(
    *clauses: Clause,
    id: str = "",  # noqa: A002  the name that files use
    alias: str = "",
    view: str = "",
    delegates: tuple[str, ...] = (),
    names: Mapping[str, str] | None = None,
) -> Callable[[C], C]:
    """Declare a proxy class, which is built from a reference with this id.

    It has the endpoints of the object types among its bases and those annotated in its body. Each
    parameter of its constructor but `self` and `context` is a parameter of the template. A method handles
    the incoming event of its name; `delegates` names endpoints whose events other objects handle. `view`
    names the view's class as text: `"package.module:Class"`. `names` maps parameters to the names used in
    references, where these are not valid in Python.
    """

    if clauses and isinstance(clauses[0], type):
        raise _without_id(clauses[0])

    def declare(cls: C) -> C:
        demand_class(cls, "@proxy")
        scope = scope_of_caller(cls)
        if not id:
            raise _without_id(cls)
        declaration = ProxyDeclaration(
            cls,
            tag_for(cls, id, alias),
            parameters_of(cls),
            scope,
            tuple(_endpoints(cls, scope)),
            checked_clauses(clauses),
            tuple(object_bases(cls, scope)),
            tuple(_constructor(cls, scope, names or {})),
            _view(cls, view or vars(cls).get("view", "")),
            frozenset(delegates),
            {written: name for name, written in (names or {}).items()},
        )
        attach_object(declaration)
        try:
            demand_handlers(declaration)
        except DeclarationError as problem:
            if not names_later(problem):
                delattr(cls, ATTACHED)
                raise
        return cls

    return declare


def _without_id(cls: type) -> DeclarationError:
    fix = 'write @proxy(id="…"); `liven new TYPE` writes a module with a fresh id'
    return DeclarationError(named(cls), "a proxy needs an id, by which references name it", fix)


def _endpoints(cls: type, scope: Scope) -> Iterator[Member]:
    """Yield the annotated names that are endpoints; a proxy may annotate other things too."""
    return (member for member in endpoint_members(cls, scope) if _is_endpoint(member))


def _is_endpoint(member: Member) -> bool:
    try:
        annotation = member.scope.look_up(member.annotation)
    except (NameError, SyntaxError, TypeError, AttributeError):
        return _LOOKS.match(str(member.annotation)) is not None
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    marker = get_origin(annotation) or annotation
    return isinstance(marker, type) and issubclass(marker, Endpoint)


def _constructor(cls: type, scope: Scope, names: Mapping[str, str]) -> Iterator[tuple[Member, object]]:
    owner = next((one for one in cls.__mro__ if "__init__" in vars(one)), object)
    if owner is object or owner.__module__ == "typing":
        return
    _, *parameters = inspect.signature(vars(owner)["__init__"]).parameters.values()
    for parameter in parameters:
        if parameter.name == "context":
            continue
        where = f"{named(cls)}.__init__({parameter.name})"
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise DeclarationError(where, "a template's parameters have names", "write name: type for each")
        if parameter.annotation is parameter.empty:
            raise DeclarationError(where, "it has no type", f"write {parameter.name}: type")
        default = dataclasses.MISSING if parameter.default is parameter.empty else parameter.default
        name = names.get(parameter.name, parameter.name)
        yield Member(name, parameter.annotation, scope_of(owner, cls, scope)), default


def _view(cls: type, view: object) -> str:
    if view == "" or (isinstance(view, str) and _VIEW.fullmatch(view)):
        return str(view)
    raise DeclarationError(
        f"{named(cls)}.view", f"{view!r} does not name a view", 'write "package.module:Class"'
    )


def demand_handlers(declaration: ProxyDeclaration) -> None:
    """Raise DeclarationError for an incoming event without a method: the proxy would drop it."""
    for endpoint in declaration.endpoints(declaration.open()):
        exported = endpoint.use.exported if isinstance(endpoint.use, EndpointUse) else None
        if endpoint.name in declaration.delegates or not isinstance(exported, InterfaceUse):
            continue
        for method in declaration_of(exported.cls).methods(exported.arguments):
            problem = _unhandled(declaration, method)
            if problem:
                arguments = "".join(f", {name}" for name, _ in method.parameters)
                raise DeclarationError(
                    f"{declaration.name}.{endpoint.name}",
                    problem,
                    f"write def {method.name}(self{arguments}), or name the endpoint in delegates=",
                )


def _unhandled(declaration: ProxyDeclaration, method: Method) -> str:
    """Return why the class cannot handle this event; empty if it can."""
    cls = declaration.cls
    handler = getattr(cls, method.name, None)
    if not callable(handler):
        return f"nothing handles its event `{method.name}`"
    try:
        inspect.signature(handler).bind(None, **dict.fromkeys(name for name, _ in method.parameters))
    except TypeError as problem:
        return f"{cls.__name__}.{method.name} cannot handle its event: {problem}"
    return mistaken_parameter(declaration, method)
