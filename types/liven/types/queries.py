"""Queries about types in text, as a person types them; `liven types` prints the answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from liven.types.author_import import AuthorFileError, run_file
from liven.types.catalogue import (
    AliasTakenError,
    Catalogue,
    CatalogueError,
    ConflictError,
    Entry,
    Kind,
    builtin_catalogue,
)
from liven.types.catalogue.description import described, entry_data, structure
from liven.types.catalogue.entry import KINDS
from liven.types.catalogue.errors import UnknownClassError
from liven.types.catalogue.notation import Ends, Named, Node, NotationError, read_type
from liven.types.catalogue.notation_terms import OpenTemplateError
from liven.types.catalogue.registration import register
from liven.types.declare import DeclarationError, scan
from liven.types.explanation import Explanation
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.registry import Formalisms
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType, ObjectType

_ORDER: tuple[Kind, ...] = ("object", "component", "value", "endpoint", "interface")
"""The order in which kinds are tried if a name has several and the query names none."""


_FAMILIES: tuple[tuple[Kind, ...], ...] = (("object", "component"), ("value",), ("endpoint",), ("interface",))


class QueryError(ValueError):
    """A query that cannot be answered as it was typed."""


@dataclass(frozen=True, slots=True)
class TypeDescription:
    """A class or a written type, as lines for people and as data for programs."""

    lines: tuple[str, ...]
    data: dict[str, Any]


class Queries:
    """A catalogue and a matcher that answer queries in text. Every fault of a query is a QueryError."""

    def __init__(self, catalogue: Catalogue | None = None, matcher: Matcher | None = None) -> None:
        """Use the built-in catalogue, or the given one with its matcher."""
        formalisms = Formalisms(builtin_formalisms())
        self.catalogue: Catalogue = catalogue or builtin_catalogue(formalisms)
        self.matcher = matcher or Matcher(formalisms)

    def load(self, file: str) -> tuple[Entry, ...]:
        """Run an author's module and add its classes."""
        try:
            return register(self.catalogue, scan(run_file(Path(file))), self.matcher)
        except AuthorFileError as problem:
            raise QueryError(str(problem)) from problem
        except (DeclarationError, ConflictError, AliasTakenError) as problem:
            raise QueryError(f"{file}: {problem}") from problem

    def listed(self, part: str, kind: Kind | None) -> list[Entry]:
        """Return the classes whose alias, name or id contains `part`."""
        kinds = (kind,) if kind else KINDS
        found = [entry for one in kinds for entry in self.catalogue.entries(one)]
        wanted = part.lower()
        return [entry for entry in found if wanted in f"{entry.alias} {entry.name} {entry.id}".lower()]

    def shown(self, text: str) -> list[TypeDescription]:
        """Return every class of that name, or the one type that the text spells out."""
        if entries := self._named(text):
            return [TypeDescription(tuple(described(entry)), entry_data(entry)) for entry in entries]
        kind, term = self._entity_or_endpoint(text, self._kinds(text))
        lines = (f"{kind} {text}", *(f"  {line}" for line in structure(term)))
        return [TypeDescription(lines, {"kind": kind, "type": text, "structure": list(structure(term))})]

    def match(self, first: str, second: str) -> Explanation:
        """∝ for two endpoints, each written `object.endpoint` or as an endpoint class."""
        return self.matcher.matches(self._endpoint(first), self._endpoint(second))

    def subtype(self, first: str, second: str) -> Explanation:
        """⊑ for two types of one kind."""
        kinds = self._kinds(first), self._kinds(second)
        family = next((one for one in _FAMILIES if all(set(one) & set(kinds_) for kinds_ in kinds)), _ORDER)
        left, right = (
            self._entity_or_endpoint(text, [kind for kind in kinds_ if kind in family] or kinds_)[1]
            for text, kinds_ in zip((first, second), kinds, strict=True)
        )
        return self.matcher.subtype(_comparable(left), _comparable(right))

    def _endpoint(self, text: str) -> EndpointType:
        head, name = _split(text)
        if head:
            owner: ObjectType = self._entity(head, ["object", "component"])[1]
            endpoints = dict(owner.endpoints)
            if name in endpoints:
                return endpoints[name]
            names = ", ".join(endpoints) or "no endpoints"
            raise QueryError(f"{head} has no endpoint {name}; it has {names}")
        term = self._entity(text, ["endpoint", "object", "component"])[1]
        if isinstance(term, EndpointType):
            return term
        names = ", ".join(f"{text}.{name}" for name, _ in term.endpoints)
        raise QueryError(f"{text} is an object; name one of its endpoints: {names or 'it has none'}")

    def _kinds(self, text: str) -> list[Kind]:
        """Return the kinds that this text may have: those of the classes with its name, else a value."""
        said, slash, _ = text.partition("/")
        if slash and said in KINDS:
            return [next(one for one in KINDS if one == said)]
        node = self._read(text)
        if isinstance(node, Ends):
            return ["endpoint"]
        if not isinstance(node, Named):
            return ["value"]
        head, _ = _split(text)
        if head and not self._named(text) and self._named(head):
            return ["endpoint"]
        return [kind for kind in _ORDER if self._has(node.name, kind)] or ["value"]

    def _entity_or_endpoint(self, text: str, kinds: list[Kind]) -> tuple[str, Any]:
        """Return the type that the text names; it may also be `object.endpoint`."""
        head, _ = _split(text)
        if head and kinds == ["endpoint"] and not self._named(text):
            return "endpoint", self._endpoint(text)
        return self._entity(text, kinds)

    def _has(self, name: str, kind: Kind) -> bool:
        try:
            self.catalogue.find(name, kind)
        except CatalogueError:
            return False
        return True

    def _named(self, text: str) -> list[Entry]:
        said, slash, rest = text.partition("/")
        kinds = [kind for kind in KINDS if kind == said] if slash else list(KINDS)
        name = rest if slash and kinds else text
        return [self.catalogue.find(name, kind) for kind in kinds if self._has(name, kind)]

    def _entity(self, text: str, kinds: list[Kind]) -> tuple[str, Any]:
        said, slash, rest = text.partition("/")
        node = self._read(rest if slash and said in KINDS else text)
        kind = next((one for one in kinds if isinstance(node, Named) and self._has(node.name, one)), kinds[0])
        try:
            return kind, self._made(kind, node)
        except UnknownClassError as problem:
            raise QueryError(self._unknown(problem, text, kinds)) from problem
        except (CatalogueError, NotationError, OpenTemplateError) as problem:
            raise QueryError(str(problem)) from problem

    def _unknown(self, problem: UnknownClassError, text: str, kinds: list[Kind]) -> str:
        """Return the message for an unknown name; it mentions a kind only if the query asked for one."""
        if kinds == ["value"] and problem.name == text:
            problem = UnknownClassError(text, None, self.catalogue.near(text))
        if problem.near:
            return str(problem)
        form = "; an endpoint of an object is written OBJECT.ENDPOINT" if "endpoint" in kinds else ""
        return f"{problem}{form}; `liven types list` shows what is known"

    def _made(self, kind: Kind, node: Node) -> Any:
        return self.catalogue.builder.of_kind(kind)(node, {})

    def _read(self, text: str) -> Node:
        try:
            return read_type(text)
        except NotationError as problem:
            raise QueryError(str(problem)) from problem


def _split(text: str) -> tuple[str, str]:
    """Return `object.endpoint` as its two names; the first is empty if the text has no such form."""
    head, dot, name = text.rpartition(".")
    return (head, name) if dot and not set(name) & set('>"}') else ("", name)


def _comparable(term: Any) -> Any:
    return EndpointType(inputs=term) if isinstance(term, tuple) and not isinstance(term, ObjectType) else term
