"""Writes Python source of fronts and backs: classes that look like an interface, and functions that call
one."""

from __future__ import annotations

from collections.abc import Callable

from liven.types.declare.annotation.reader import declaration_of
from liven.types.declare.annotation.shapes import InterfaceUse
from liven.types.declare.declaration import InterfaceDeclaration, Method
from liven.types.fronts.compile_cache import CompileCache
from liven.types.fronts.conversion_codegen import Inward, Outward


def front_class(cache: CompileCache, use: InterfaceUse) -> str:
    """Return the name of the class that looks like this interface and sends neutral events."""
    return cache.function(("front", use), "Front", lambda name: _write_front(cache, use, name))


def back_function(cache: CompileCache, use: InterfaceUse) -> str:
    """Return the name of the function that gives, for a local object, the handlers of its neutral events."""
    return cache.function(("back", use), "back", lambda name: _write_back(cache, use, name))


def taker_function(cache: CompileCache, use: InterfaceUse, event: str) -> str:
    """Return the name of the function that gives, for one method of a local object, the handler of its
    neutral event."""
    return cache.function(
        ("taker", use, event), "taker", lambda name: _write_taker(cache, _method(use, event), name)
    )


def sender_attribute(use: InterfaceUse, event: str) -> tuple[str, bool]:
    """Return the attribute in which a front keeps the sender of the event, and True if the sender returns an
    answer."""
    method = _method(use, event)
    return _sender_attribute(method), method.result is not None


def _method(use: InterfaceUse, event: str) -> Method:
    declaration: InterfaceDeclaration = declaration_of(use.cls)
    return next(method for method in declaration.methods(use.arguments) if method.name == event)


def _write_front(cache: CompileCache, use: InterfaceUse, name: str) -> str:
    declaration: InterfaceDeclaration = declaration_of(use.cls)
    methods = declaration.methods(use.arguments)
    base = cache.bind("interface", use.cls)
    lines = [f"class {name}({base}):", "    def __init__(self, post, ask):", "        pass"]
    lines += [
        f"        self.{_sender_attribute(method)} = {_sender_factory(method)}({method.name!r})"
        for method in methods
    ]
    defaults = {member.name: dict(member.defaults) for member in declaration.members}
    for method in methods:
        lines.extend(_front_method(cache, method, defaults[method.name]))
    lines += [f"{name}.__qualname__ = {use.cls.__name__ + ' front'!r}"]
    return "\n".join(lines) + "\n"


def _front_method(cache: CompileCache, method: Method, defaults: dict[str, object]) -> list[str]:
    names = [name for name, _ in method.parameters]
    given = {name: f"={cache.bind('default', default)}" for name, default in defaults.items()}
    signature = ["self", *(name + given.get(name, "") for name in names)]
    write = Outward(cache)
    held = ", ".join(f"{name!r}: {write.of(shape, name)}" for name, shape in method.parameters)
    values = "".join(f"{name}, " for name in names)
    told = f"{method.name!r}, {cache.bind('parameters', method.parameters)}, ({values})"
    lines = [
        f"    def {method.name}({', '.join(signature)}):",
        f"        try: _n = {{{held}}}",
        f"        except _Mismatch: raise _mismatch_error({told}) from None",
        f"        except _RecursionError: raise _too_deep({method.name!r}) from None",
    ]
    if method.result is None:
        return [*lines, f"        self.{_sender_attribute(method)}(_n)"]
    made = cache.function(("result in", method.result), "answer_in", _answer(Inward(cache), method, "n"))
    return [*lines, f"        return self.{_sender_attribute(method)}(_n, {made})"]


def _sender_factory(method: Method) -> str:
    return "post" if method.result is None else "ask"


def _sender_attribute(method: Method) -> str:
    """Return the attribute in which a front keeps the sender of the event."""
    return f"_{_sender_factory(method)}_{method.name}"


def _write_back(cache: CompileCache, use: InterfaceUse, name: str) -> str:
    declaration: InterfaceDeclaration = declaration_of(use.cls)
    lines = [f"def {name}(target):"]
    methods = declaration.methods(use.arguments)
    for method in methods:
        lines += _back_method(cache, method)
    table = ", ".join(f"{method.name!r}: take_{method.name}" for method in methods)
    return "\n".join([*lines, f"    return {{{table}}}"]) + "\n"


def _write_taker(cache: CompileCache, method: Method, name: str) -> str:
    taker = _back_method(cache, method)[1:]
    return "\n".join([f"def {name}(own_{method.name}):", *taker, f"    return take_{method.name}"]) + "\n"


def _back_method(cache: CompileCache, method: Method) -> list[str]:
    write = Inward(cache)
    arguments = ", ".join(f"{name}={write.of(shape, f'n[{name!r}]')}" for name, shape in method.parameters)
    lines = [f"    own_{method.name} = target.{method.name}", f"    def take_{method.name}(n):"]
    if method.result is None:
        return [*lines, f"        own_{method.name}({arguments})"]
    out = cache.function(("result out", method.result), "answer_out", _answer(Outward(cache), method, "r"))
    told = f"{method.name + ' -> '!r}, (('result', {cache.bind('shape', method.result)}),), (r,)"
    return [
        *lines,
        f"        r = own_{method.name}({arguments})",
        f"        try: return {out}(r)",
        "        except _Mismatch:",
        f"            if _hasattr(r, 'map'): return r.map({out})",
        f"            raise _mismatch_error({told}) from None",
    ]


def _answer(write: Inward | Outward, method: Method, name: str) -> Callable[[str], str]:
    assert method.result is not None
    made = write.of(method.result, name)
    return lambda function: f"def {function}({name}):\n    return {made}\n"
