"""Writes Python source that converts between local values and neutral ones.

Every expression reads its value once: it is bound where it is first tested. Values are checked only on the
way out of a module; incoming ones were checked by another front or by a decoder.
"""

from __future__ import annotations

from itertools import count
from typing import Any

from liven.types.declare.annotation.reader import case_name, declaration_of
from liven.types.declare.annotation.shapes import (
    ClassShape,
    EndpointRefShape,
    IdShape,
    ListShape,
    MapShape,
    OptionalShape,
    RefShape,
    ScalarShape,
    UnionShape,
    ValueShape,
)
from liven.types.declare.declaration import ValueDeclaration
from liven.types.fronts.compile_cache import CompileCache
from liven.types.terms.value_types import Float, Integer

_PLAIN = {"bool": "bool", "text": "str", "bytes": "bytes"}


class Outward:
    """Writes the expressions of one function that turn local values into neutral ones."""

    def __init__(self, cache: CompileCache) -> None:
        self._cache = cache
        self._numbers = count()

    def of(self, shape: ValueShape, value: str) -> str:
        """Return an expression for the neutral form of the value of the expression `value`."""
        name = self._fresh("_v")
        match shape:
            case ScalarShape(term):
                return _checked(term, value, name)
            case IdShape():
                return f"({name}.bytes if ({name} := {value}).__class__ is _UUID else _refuse())"
            case ListShape(item):
                part = self._fresh("_i")
                made = f"[{self.of(item, part)} for {part} in {name}]"
                return f"({made} if ({name} := {value}).__class__ in (_list, _tuple) else _refuse())"
            case MapShape(item):
                key, part = self._fresh("_k"), self._fresh("_i")
                text = f"({key} if {key}.__class__ is _str else _refuse())"
                made = f"{{{text}: {self.of(item, part)} for {key}, {part} in {name}.items()}}"
                return f"({made} if ({name} := {value}).__class__ is _dict else _refuse())"
            case OptionalShape(item):
                return f"(None if ({name} := {value}) is None else {self.of(item, name)})"
            case ClassShape():
                return f"{out_of_class(self._cache, shape)}({value})"
            case UnionShape():
                return f"{_out_of_union(self._cache, shape)}({value})"
            case RefShape():
                return f"_ref_out({value})"
            case EndpointRefShape():
                return f"_endpoint_out({value})"
        return value

    def _fresh(self, prefix: str) -> str:
        return f"{prefix}{next(self._numbers)}"


class Inward:
    """Writes the expressions of one function that turn neutral values into local ones."""

    def __init__(self, cache: CompileCache) -> None:
        self._cache = cache
        self._numbers = count()

    def of(self, shape: ValueShape, value: str) -> str:
        """Return an expression for the local form of the value of the expression `value`."""
        match shape:
            case ScalarShape(Float()):
                return f"_float({value})"
            case IdShape():
                return f"_UUID(bytes={value})"
            case ListShape(item, local):
                part = self._fresh("_i")
                made = f"[{self.of(item, part)} for {part} in {value}]"
                return f"_tuple({made})" if local == "tuple" else made
            case MapShape(item):
                key, part = self._fresh("_k"), self._fresh("_i")
                return f"{{{key}: {self.of(item, part)} for {key}, {part} in {value}.items()}}"
            case OptionalShape(item):
                name = self._fresh("_v")
                return f"(None if ({name} := {value}) is None else {self.of(item, name)})"
            case ClassShape():
                return f"{into_class(self._cache, shape)}({value})"
            case UnionShape():
                return f"{_into_union(self._cache, shape)}({value})"
            case RefShape():
                return f"_ref_in({value})"
            case EndpointRefShape():
                return f"_endpoint_in({value})"
        return value

    def _fresh(self, prefix: str) -> str:
        return f"{prefix}{next(self._numbers)}"


def out_of_class(cache: CompileCache, shape: ClassShape) -> str:
    """Return the name of the function from this class to its neutral form."""
    return cache.function(("out", shape), "out", lambda name: _write_out(cache, shape, name))


def into_class(cache: CompileCache, shape: ClassShape) -> str:
    """Return the name of the function from the neutral form to this class."""
    return cache.function(("into", shape), "into", lambda name: _write_into(cache, shape, name))


def _write_out(cache: CompileCache, shape: ClassShape, name: str) -> str:
    declaration: ValueDeclaration = declaration_of(shape.cls)
    local = cache.bind("cls", shape.cls)
    guard = f"    if v.__class__ is not {local} and not _isinstance(v, {local}): _refuse()"
    if declaration.cases:
        made = "{v.name: {}}"
    else:
        write = Outward(cache)
        fields = [
            f"{field!r}: {write.of(held, f'v.{field}')}"
            for field, held in declaration.fields(shape.arguments)
        ]
        made = f"{{{', '.join(fields)}}}"
    return f"def {name}(v):\n{guard}\n    return {made}\n"


def _write_into(cache: CompileCache, shape: ClassShape, name: str) -> str:
    declaration: ValueDeclaration = declaration_of(shape.cls)
    local = cache.bind("cls", shape.cls)
    if declaration.cases:
        return f"def {name}(n):\n    for tag in n: return {local}[tag]\n"
    write = Inward(cache)
    fields = [(field, write.of(held, f"n[{field!r}]")) for field, held in declaration.fields(shape.arguments)]
    if declaration.stores:
        held = ", ".join(f"{field!r}: {made}" for field, made in fields)
        return f"def {name}(n):\n    v = _new({local})\n    _put(v, '__dict__', {{{held}}})\n    return v\n"
    return f"def {name}(n):\n    return {local}({', '.join(f'{field}={made}' for field, made in fields)})\n"


def _out_of_union(cache: CompileCache, shape: UnionShape) -> str:
    def write(name: str) -> str:
        cases = [(cache.bind("cls", case.cls), case) for case in shape.cases]
        made = {
            local: f"{{{case_name(case.cls)!r}: {out_of_class(cache, case)}(v)}}" for local, case in cases
        }
        lines = ["    c = v.__class__"]
        lines += [f"    if c is {local}: return {text}" for local, text in made.items()]
        lines += [f"    if _isinstance(v, {local}): return {text}" for local, text in made.items()]
        return f"def {name}(v):\n" + "\n".join([*lines, "    _refuse()"]) + "\n"

    return cache.function(("out", shape), "out", write)


def _into_union(cache: CompileCache, shape: UnionShape) -> str:
    def write(name: str) -> str:
        tags = [(repr(case_name(case.cls)), into_class(cache, case)) for case in shape.cases]
        lines = [f"    if {tag} in n: return {function}(n[{tag}])" for tag, function in tags]
        return f"def {name}(n):\n" + "\n".join([*lines, "    _refuse()"]) + "\n"

    return cache.function(("into", shape), "into", write)


def _checked(term: Any, value: str, name: str) -> str:
    match term:
        case Integer(low, high):
            test = f"({name} := {value}).__class__ is _int and {low} <= {name} <= {high}"
            return f"({name} if {test} else _refuse())"
        case Float():
            return f"({name} if ({name} := {value}).__class__ is _float else _as_float({name}))"
    return f"({name} if ({name} := {value}).__class__ is _{_PLAIN[term.kind]} else _refuse())"
