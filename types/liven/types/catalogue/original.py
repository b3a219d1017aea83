"""The classes of the original program, from the file `original.txt` beside this module."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.resources import files
from typing import Any, get_args

from liven.types.catalogue.entry import Entry, Kind, TypeParameter, ValueParameter
from liven.types.catalogue.notation import NotationReader, read_type
from liven.types.catalogue.notation_terms import Builder, Environment, with_tag
from liven.types.declare.annotation.markers import Clause
from liven.types.declare.constraints import ClauseReader
from liven.types.formalism.registry import Formalisms
from liven.types.ids import ClassId
from liven.types.terms.endpoint_types import EndpointType, Events, ObjectType
from liven.types.terms.interfaces import Method, interface_events
from liven.types.terms.value_types import ClassTag, Opaque, ValueType

_HEAD = re.compile(
    r"(?P<kind>[a-z]+) (?P<alias>[\w:.-]+)(?:<(?P<parameters>[^>]*)>)? "
    r"(?P<id>(?:[0-9A-F]+:)?[0-9A-F]+(?:`\d+)?) "
    r"(?P<library>\w+)(?P<used> used)?(?P<never> never)? \"(?P<name>[^\"]*)\"(?: = (?P<structure>.*))?"
)


_SHORT = 2**32
"""Ids below this were written by hand; two libraries may use the same one."""


class DataError(ValueError):
    """A line of the data file that cannot be read; a mistake of our own, which a test finds."""


class TextSource:
    """A class as written in the data file; its structure is read on demand."""

    def __init__(
        self,
        kind: Kind,
        parameters: str,
        structure: str,
        body: list[str],
        builder: Builder,
        formalisms: Formalisms,
    ) -> None:
        self._kind = kind
        self._parameters = parameters
        self._structure = structure
        self._body = body
        self._builder = builder
        self._clauses = ClauseReader(formalisms)
        self.tag = ClassTag(ClassId(0), "")

    def type_parameters(self) -> tuple[TypeParameter, ...]:
        return self._type_parameters

    @cached_property
    def _type_parameters(self) -> tuple[TypeParameter, ...]:
        pairs = (item.partition(":") for item in self._parameters.split(",") if item)
        return tuple(TypeParameter(name.strip(), _kind(kind.strip() or "value")) for name, _, kind in pairs)

    def term(self, arguments: tuple[Any, ...]) -> Any:
        given = self._given(arguments)
        match self._kind:
            case "value":
                return self._value(given)
            case "interface":
                return self._methods(given)
            case "endpoint":
                return self._endpoint(given)
            case "object" | "component":
                return self._object(given)
        return None

    def lines(self) -> tuple[str, ...]:
        return (*([self._structure] if self._structure else ()), *self._body)

    def value_parameters(self) -> tuple[ValueParameter, ...]:
        if self._kind != "component":
            return ()
        return tuple(self._value_parameter(line) for line in self._body if not line.startswith(":"))

    def _value_parameter(self, line: str) -> ValueParameter:
        reader = NotationReader(line)
        name = reader.name()
        reader.demand(":")
        start = reader.at
        node = reader.type()
        reader.end()
        written = line[start:].strip()
        return ValueParameter(name, written, lambda given: self._builder.value(node, self._given(given)))

    def _given(self, arguments: tuple[Any, ...]) -> dict[str, Any]:
        names = (parameter.name for parameter in self.type_parameters())
        return dict(zip(names, arguments, strict=True))

    def _value(self, given: Environment) -> ValueType:
        if not self._structure:
            return Opaque(self.tag)
        return with_tag(self._builder.value(read_type(self._structure), given), self.tag)

    def _methods(self, given: Environment) -> Events:
        return interface_events(self._method(line, given) for line in self._body)

    def _method(self, line: str, given: Environment) -> Method:
        reader = NotationReader(line)
        name = reader.name()
        reader.demand("(")
        parameters = reader.named_items(",", ")")
        answer = reader.type() if reader.sign("->") else None
        reader.end()
        return Method(
            name,
            tuple((one, self._builder.value(node, given)) for one, node in parameters),
            self._builder.value(answer, given) if answer else None,
        )

    def _endpoint(self, given: Environment) -> EndpointType:
        made = (
            self._builder.endpoint(read_type(self._structure), given) if self._structure else EndpointType()
        )
        return replace(made, tag=self.tag)

    def _object(self, given: Environment) -> ObjectType:
        endpoints: dict[str, EndpointType] = {}
        for line in self._body:
            if line.startswith(": "):
                base = self._builder.object(read_type(line[2:]), given)
                endpoints |= {name: self._named(name, endpoint) for name, endpoint in base.endpoints}
            elif self._kind == "object":
                name, endpoint = self._named_endpoint(line, given)
                endpoints[name] = endpoint
        return ObjectType(tuple(sorted(endpoints.items(), key=lambda item: item[0])), tag=self.tag)

    def _named(self, name: str, endpoint: EndpointType) -> EndpointType:
        """Return the endpoint under its readable name."""
        return replace(endpoint, tag=ClassTag(ClassId(0), f"{self.tag.alias}.{name}"))

    def _named_endpoint(self, line: str, given: Environment) -> tuple[str, EndpointType]:
        reader = NotationReader(line)
        name = reader.name()
        reader.demand(":")
        plain = self._named(name, self._builder.endpoint(reader.type(), given))
        clauses = []
        while not reader.finished():
            side = reader.name()
            clauses.append(
                Clause("provides" if side == "provides" else "requires", reader.name(), reader.name())
            )
        return name, self._clauses.on_endpoint(f"{self.tag.alias}.{name}", plain, tuple(clauses))


@dataclass(slots=True)
class _Library:
    """A namespace of the original's libraries: short ids are unique only within one."""

    namespaces: dict[str, int] = field(default_factory=dict)


def original_entries(builder: Builder, formalisms: Formalisms) -> Iterator[Entry]:
    """Yield every class of the original. Only names and ids are read here; structures on demand."""
    library = _Library()
    text = files(__package__).joinpath("original.txt").read_text(encoding="utf-8")
    head, body = "", list[str]()
    for line in text.splitlines():
        if line.startswith("  "):
            body.append(line[2:])
            continue
        if head:
            yield _entry(head, body, builder, formalisms, library)
        head, body = "", []
        if line.startswith("library "):
            _, name, namespace = line.split()
            library.namespaces[name] = int(namespace, 16)
        elif not line.startswith("#"):
            head = line
    if head:
        yield _entry(head, body, builder, formalisms, library)


def _entry(head: str, body: list[str], builder: Builder, formalisms: Formalisms, library: _Library) -> Entry:
    found = _HEAD.fullmatch(head)
    if found is None:
        raise DataError(f"original.txt: {head!r} is not a class")
    kind = _kind(found["kind"])
    structure = found["structure"] or ""
    source = TextSource(kind, found["parameters"] or "", structure, body, builder, formalisms)
    id_ = ClassId.parse(found["id"])
    if id_.component < _SHORT and not id_.namespace:
        id_ = replace(id_, namespace=library.namespaces[found["library"]])
    source.tag = ClassTag(id_, found["alias"])
    typed = bool(structure or body) or kind in ("component", "formalism")
    never, used = found["never"] is not None, found["used"] is not None
    return Entry(kind, id_, found["alias"], found["name"], found["library"], source, typed, never, used)


def _kind(text: str) -> Kind:
    for kind in get_args(Kind):
        if kind == text:
            return kind  # type: ignore[no-any-return]  # get_args forgets the type
    raise DataError(f"original.txt: {text!r} is not a kind of class")
