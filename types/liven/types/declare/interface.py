"""`@interface`: a class whose methods are events, or operations where they have a result."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, overload

from liven.types.declare.annotation.scope import Scope, scope_of_caller
from liven.types.declare.declaration import InterfaceDeclaration, Member, MethodMember
from liven.types.declare.decorate import attach, demand_class, named, parameters_of, scope_of, tag_for
from liven.types.declare.errors import DeclarationError
from liven.types.terms.interfaces import CALL

C = TypeVar("C", bound=type)
_UNWANTED = {
    inspect.Parameter.VAR_POSITIONAL: "an event carries named values only",
    inspect.Parameter.VAR_KEYWORD: "an event carries named values only",
    inspect.Parameter.POSITIONAL_ONLY: "every parameter needs a name",
}


@overload
def interface(cls: C, /) -> C: ...


@overload
def interface(*, id: str = "", alias: str = "") -> Callable[[C], C]: ...


def interface(cls: Any = None, /, *, id: str = "", alias: str = "") -> Any:  # noqa: A002  the name that files use
    """Declare an interface. Write it as a `Protocol`: any object with its methods can serve it."""

    def declare(cls: C) -> C:
        demand_class(cls, "@interface")
        scope = scope_of_caller(cls)
        members = tuple(_methods(cls, scope))
        attach(InterfaceDeclaration(cls, tag_for(cls, id, alias), parameters_of(cls), scope, members))
        return cls

    return declare if cls is None else declare(cls)


def _methods(cls: type, scope: Scope) -> list[MethodMember]:
    found: dict[str, MethodMember] = {}
    for owner in reversed(cls.__mro__):
        if owner.__module__ in ("builtins", "typing", "abc"):
            continue
        _demand_no_state(cls, owner)
        for name, given in vars(owner).items():
            if not name.startswith("_") and not isinstance(given, type):
                found[name] = _method(cls, name, given, scope_of(owner, cls, scope))
    return list(found.values())


def _method(cls: type, name: str, given: object, scope: Scope) -> MethodMember:
    where = f"{named(cls)}.{name}"
    if not inspect.isfunction(given):
        raise DeclarationError(
            where, "an interface has methods only", "write def for an event; state belongs in the proxy"
        )
    if inspect.iscoroutinefunction(given):
        raise DeclarationError(
            where, "a method of an interface cannot be async", "write def, and the plain result type"
        )
    signature = inspect.signature(given)
    if signature.return_annotation is inspect.Signature.empty:
        raise DeclarationError(
            where, "it has no result type", "write -> None for an event, -> R for an operation"
        )
    parameters = _after_self(where, list(signature.parameters.values()))
    if CALL in signature.parameters and signature.return_annotation not in (None, "None"):
        raise DeclarationError(
            f"{where}({CALL})", "operations number their calls by that name", "take another"
        )
    return MethodMember(
        name,
        tuple(_parameter(where, parameter, scope) for parameter in parameters),
        Member("result", signature.return_annotation, scope),
        tuple((one.name, one.default) for one in parameters if one.default is not inspect.Parameter.empty),
    )


def _demand_no_state(cls: type, owner: type) -> None:
    for name in vars(owner).get("__annotations__", {}):
        if not name.startswith("_"):
            raise DeclarationError(
                f"{named(cls)}.{name}",
                "an interface has methods only, and this is a value",
                f"write def {name}(self) -> type to ask for it; state belongs in the proxy",
            )


def _after_self(where: str, parameters: list[inspect.Parameter]) -> list[inspect.Parameter]:
    first = parameters[0] if parameters else None
    typed = first is not None and first.annotation is not first.empty and first.name != "self"
    if first is None or typed or first.kind in (first.VAR_POSITIONAL, first.VAR_KEYWORD, first.KEYWORD_ONLY):
        raise DeclarationError(where, "its first parameter is not self", "write def name(self, …) -> None")
    return parameters[1:]


def _parameter(where: str, parameter: inspect.Parameter, scope: Scope) -> Member:
    if parameter.kind in _UNWANTED:
        raise DeclarationError(
            f"{where}({parameter})", _UNWANTED[parameter.kind], "write name: type for each"
        )
    if parameter.name.startswith("_"):
        raise DeclarationError(
            f"{where}({parameter.name})", "a private name would be sent", "drop the underscore"
        )
    if parameter.annotation is inspect.Parameter.empty:
        raise DeclarationError(
            f"{where}({parameter.name})", "it has no type", f"write {parameter.name}: type"
        )
    return Member(parameter.name, parameter.annotation, scope)
