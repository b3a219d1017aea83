"""Writes Python source for one value type: functions that check a value and convert it to or from the wire.

The source is specialised down to the last field, since walking the type for each value would cost ten
times as much. Names and texts of a type enter the source only as `repr` literals.

One emitter writes all functions: to the wire or from it, records as maps or as arrays. A fault is raised
with the path that is known at that place of the source, so paths cost nothing while values are right.
"""

from __future__ import annotations

from typing import Any

from liven.types.codec import errors, scalar_fallback
from liven.types.codec.codegen_scope import Form, Place, SourceBuffer
from liven.types.codec.errors import NoWireFormError
from liven.types.codec.scalar_codegen import ScalarSource
from liven.types.terms.type_text import brief
from liven.types.terms.value_types import (
    EndpointTo,
    Float,
    Integer,
    ListOf,
    Loop,
    MapOf,
    OptionalOf,
    Record,
    Recursive,
    RefTo,
    Scalar,
    Union,
    ValueType,
)

_DEEPEST_BLOCK = 8
"""The most containers nested in one function: CPython allows 20 nested blocks (CO_MAXBLOCKS)."""


class Emitter:
    """Writes the functions for one type in one form."""

    def __init__(self, form: Form, deepest: int) -> None:
        self._form = form
        self._deepest = deepest
        self._script = SourceBuffer()
        self._scalars = ScalarSource(form, self._script)

    def write(self, type_: ValueType) -> str:
        """Return the source of `entry(v, name)` and of all functions that it calls."""
        line, block = self._script.line, "    "
        self._script.begin("def entry(v, name=''):")
        if self._form.reading:
            line(block, "if len(v) > plain_bytes: return long(v, name)")
        line(block, f"depth = {self._deepest}")
        line(block, "try:")
        place = Place(indent=block * 2)
        if self._form.reading:
            line(place.indent, "v = unpack(v)")
        result = self._convert(type_, "v", {}, place)
        packed = self._form.packed and not self._form.reading
        line(place.indent, f"r = pack({result})" if packed else f"return {result}")
        line(block, "except CodecError as f: raise f.under(name) from None")
        line(block, "except ValueError as p: raise formless(v, name, p) from None")
        if packed:
            line(block, "return r if len(r) <= most_bytes else too_long(r, name)")
        return self._script.text()

    def _function(self, name: str, type_: ValueType, loops: dict[str, str]) -> None:
        self._script.begin(f"def {name}(v, depth):")
        start = Place()
        self._script.line(start.indent, f"if depth <= 0: raise too_deep((), {self._deepest})")
        result = self._convert(type_, "v", loops, start)
        self._script.line(start.indent, f"return {result}")
        self._script.end()

    def _convert(self, type_: ValueType, value: str, loops: dict[str, str], place: Place) -> str:
        """Emit the checks of `value` and return the expression of its converted form."""
        match type_:
            case Integer() | Float() | Scalar():
                return self._scalars.scalar(type_, value, place)
            case RefTo() | EndpointTo():
                return self._scalars.text(value, "reference", place)
            case Loop(name) if name in loops:
                return self._call(loops[name], value, place)
            case Recursive(name, body):
                function = self._script.fresh("convert")
                self._function(function, body, {**loops, name: function})
                return self._call(function, value, place)
            case ListOf() | MapOf() | OptionalOf() | Record() | Union():
                return self._container(type_, value, loops, place)
        raise NoWireFormError(f"{brief(type_)} is used outside the recursive type that it names")

    def _container(self, type_: ValueType, value: str, loops: dict[str, str], place: Place) -> str:
        if place.blocks >= _DEEPEST_BLOCK:
            function = self._script.fresh("convert")
            self._function(function, type_, loops)
            return self._call(function, value, place)
        match type_:
            case ListOf(item):
                return self._list(item, value, loops, place)
            case MapOf(item):
                return self._map(item, value, loops, place)
            case OptionalOf(item):
                return self._optional(item, value, loops, place)
            case Record():
                return self._record(type_, value, loops, place)
            case Union():
                return self._union(type_, value, loops, place)
        raise AssertionError(type_)

    def _call(self, function: str, value: str, place: Place) -> str:
        result, line = self._script.fresh("r"), self._script.line
        if not place.steps:
            line(place.indent, f"{result} = {function}({value}, depth - 1)")
            return result
        line(place.indent, f"try: {result} = {function}({value}, depth - 1)")
        line(place.indent, f"except CodecError as f: raise f.under(path_of({place.path})) from None")
        return result

    def _list(self, item: ValueType, value: str, loops: dict[str, str], place: Place) -> str:
        kinds = f"type({value}) is not list"
        if not self._form.reading:
            kinds += f" and type({value}) is not tuple"
        self._scalars.test(kinds, "list", value, place)
        result, index, each = self._script.fresh("r"), self._script.fresh("i"), self._script.fresh("x")
        self._script.line(place.indent, f"{result} = []")
        self._script.line(place.indent, f"for {index}, {each} in enumerate({value}):")
        inner = place.at("'['", index, "']'").inner()
        converted = self._convert(item, each, loops, inner)
        self._script.line(inner.indent, f"{result}.append({converted})")
        return result

    def _map(self, item: ValueType, value: str, loops: dict[str, str], place: Place) -> str:
        self._scalars.test(f"type({value}) is not dict", "map", value, place)
        result, key, each = self._script.fresh("r"), self._script.fresh("k"), self._script.fresh("x")
        self._script.line(place.indent, f"{result} = {{}}")
        source = f"{value}.items()" if self._form.reading else f"in_order({value}, {place.path})"
        self._script.line(place.indent, f"for {key}, {each} in {source}:")
        inner = place.at("'['", f"repr({key})", "']'").inner()
        if self._form.reading:
            self._script.line(
                inner.indent, f"if type({key}) is not str: raise bad({inner.path}, 'text as a key', {key})"
            )
        converted = self._convert(item, each, loops, inner)
        self._script.line(inner.indent, f"{result}[{key}] = {converted}")
        return result

    def _optional(self, item: ValueType, value: str, loops: dict[str, str], place: Place) -> str:
        self._script.line(place.indent, f"if {value} is not None:")
        inner = place.inner()
        converted = self._convert(item, value, loops, inner)
        if converted != value:
            self._script.line(inner.indent, f"{value} = {converted}")
        self._script.line(inner.indent, "pass")
        return value

    def _record(self, type_: Record, value: str, loops: dict[str, str], place: Place) -> str:
        names = [name for name, _ in type_.fields]
        held = [self._script.fresh("x") for _ in names]
        if self._form.reading and self._form.arrays:
            self._from_array(type_, held, value, place)
        else:
            self._from_map(type_, held, value, place)
        parts = [
            self._convert(part, local, loops, place.at(repr(f".{name}")))
            for (name, part), local in zip(type_.fields, held, strict=True)
        ]
        if self._form.arrays and not self._form.reading:
            return f"[{', '.join(parts)}]"
        pairs = ", ".join(f"{name!r}: {part}" for name, part in zip(names, parts, strict=True))
        return f"{{{pairs}}}"

    def _from_array(self, type_: Record, held: list[str], value: str, place: Place) -> None:
        """Emit the reading of an array. It may end before optional fields, which an older writer did not
        know."""
        least = _least_fields(type_)
        length = f"len({value}) != {len(held)}"
        if least < len(held):
            length = f"not {least} <= len({value}) <= {len(held)}"
        wrong = f"type({value}) is not list or {length}"
        self._scalars.test(wrong, f"array of {len(held)} fields", value, place)
        if least < len(held):
            missing = f"[None] * ({len(held)} - len({value}))"
            self._script.line(place.indent, f"if len({value}) < {len(held)}: {value} = {value} + {missing}")
        if held:
            self._script.line(place.indent, f"{', '.join(held)}, = {value}")

    def _from_map(self, type_: Record, held: list[str], value: str, place: Place) -> None:
        self._scalars.test(f"type({value}) is not dict", "record", value, place)
        if not held:
            return
        expected = tuple((name, brief(part, 40)) for name, part in type_.fields)
        pairs = [(name, local) for (name, _), local in zip(expected, held, strict=True)]
        least = _least_fields(type_) if self._form.reading else len(held)
        for name, local in pairs[least:]:  # an older writer did not know these
            self._script.line(place.indent, f"{local} = {value}.get({name!r})")
        if least:
            fetch = "; ".join(f"{local} = {value}[{name!r}]" for name, local in pairs[:least])
            self._script.line(place.indent, f"try: {fetch}")
            self._script.line(
                place.indent, f"except KeyError: raise missing({place.path}, {expected!r}, {value})"
            )

    def _union(self, type_: Union, value: str, loops: dict[str, str], place: Place) -> str:
        tag, each, result = self._script.fresh("t"), self._script.fresh("x"), self._script.fresh("r")
        expected = f"one of {', '.join(name for name, _ in type_.tags) or 'no case at all'}"
        self._scalars.test(f"type({value}) is not dict or len({value}) != 1", expected, value, place)
        self._script.line(place.indent, f"[({tag}, {each})] = {value}.items()")
        inner = place.inner()
        for number, (name, held) in enumerate(type_.tags):
            self._script.line(place.indent, f"{'elif' if number else 'if'} {tag} == {name!r}:")
            converted = self._convert(held, each, loops, inner.at(repr(f".{name}")))
            self._script.line(inner.indent, f"{result} = {{{name!r}: {converted}}}")
        if type_.tags:
            self._script.line(place.indent, "else:")
        self._script.line(
            inner.indent if type_.tags else place.indent, f"raise no_case({place.path}, {expected!r}, {tag})"
        )
        return result


def compile_form(type_: ValueType, form: Form, deepest: int, **scope: Any) -> Any:
    """Return the function `entry(value, name="")` for the type in that form; raise NoWireFormError.

    `scope` supplies the other end: `pack`, `most_bytes`, `too_long` and `formless` for a writer, `unpack`,
    `plain_bytes`, `long` and `formless` for a reader.
    """
    source = Emitter(form, deepest).write(type_)
    names: dict[str, Any] = {**_SCOPE, **scope}
    # The source is written from the type alone; texts from outside enter it only as literals.
    exec(compile(source, "<codec>", "exec"), names)  # noqa: S102
    return names["entry"]


def _in_order(value: dict[Any, Any], steps: errors.Steps) -> list[tuple[str, Any]]:
    """Return the items of a map sorted by key; all keys must be texts."""
    for key in value:
        if type(key) is not str:
            raise errors.bad((*steps, "[", repr(key), "]"), "text as a key", key)
    return sorted(value.items())


def _no_case(steps: errors.Steps, expected: str, tag: Any) -> errors.CodecError:
    return errors.CodecError(errors.path_of(steps), f"expected {expected}, got the case {str(tag)[:40]!r}")


_SCOPE = {
    "CodecError": errors.CodecError,
    "bad": errors.bad,
    "in_order": _in_order,
    "missing": errors.missing,
    "no_case": _no_case,
    "number": scalar_fallback.number,
    "path_of": errors.path_of,
    "rounded_loosely": scalar_fallback.rounded_loosely,
    "run_of_bytes": scalar_fallback.run_of_bytes,
    "single": scalar_fallback.single,
    "single_read": scalar_fallback.single_read,
    "text": scalar_fallback.text,
    "too_deep": errors.too_deep,
    "whole": scalar_fallback.whole,
}


def _least_fields(type_: Record) -> int:
    """Return the number of fields up to the last one that is not optional."""
    needed = (at for at, (_, part) in enumerate(type_.fields, 1) if not isinstance(part, OptionalOf))
    return max(needed, default=0)
