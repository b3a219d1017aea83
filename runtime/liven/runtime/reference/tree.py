"""A reference as a tree of lines for people: each part's name, its type, and its source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from liven.runtime.foreign_text import visible
from liven.runtime.reference import ids
from liven.runtime.reference.model import (
    COMMENT,
    NAME,
    OWN_ID,
    Attribute,
    Composite,
    Configuration,
    Object,
    ObjectClass,
    ObjectSignature,
    OtherClass,
    Parameter,
    ParameterUse,
    Partner,
    Path,
    Plain,
    Properties,
    Reference,
    Requirement,
    Token,
    Value,
    name_of,
)
from liven.runtime.signing.signature import claimed_name, fingerprint


class Names(Protocol):
    """A source of readable names for ids."""

    def named(self, kind: str, id: str) -> str:  # noqa: A002
        """Return the readable name of a class; empty if it is unknown."""

    def key(self, folder: Object, key: str) -> str:
        """Return the readable name of a folder's key; empty if it has none."""


@dataclass(frozen=True, slots=True)
class Node:
    """One part of the recipe."""

    role: str
    """Its role in the part above: the name of a parameter, `from`, `as`; empty for the whole."""
    label: str
    """Its own name, or its value."""
    type: str
    """The name of its class."""
    id: str
    path: Path
    children: tuple[Node, ...] = ()

    def as_record(self) -> dict[str, object]:
        """Return the tree as plain values."""
        return {
            "role": self.role,
            "label": self.label,
            "type": self.type,
            "id": self.id,
            "path": list(self.path),
            "children": [child.as_record() for child in self.children],
        }


@dataclass(frozen=True, slots=True)
class Painter:
    """Makes the tree of a reference."""

    names: Names

    def tree(self, thing: Object, role: str = "", path: Path = ("Object",)) -> Node:
        """Return the tree of an object."""
        label = name_of(thing)
        if thing.null:
            return Node(role, label or "nothing", "", "", path)
        if isinstance(thing, Composite):
            return Node(role, label, "composite", thing.id, path, tuple(self._composite(thing, path)))
        if thing.source is not None:
            key = self.names.key(thing.source, thing.id)
            shown = label or key or repr(thing.id)
            return Node(
                role, shown, self._expected(thing), thing.id, path, tuple(self._external(thing, path))
            )
        alias = thing.id if ids.parse(thing.id) is None else ""
        type_ = self.names.named("component", thing.id) or alias or "unknown"
        return Node(role, label, type_, thing.id, path, tuple(self._common(thing, path)))

    def _expected(self, thing: Reference) -> str:
        return f"as {self._class('object', thing.object_class)}" if thing.object_class else "from a folder"

    def _external(self, thing: Reference, path: Path) -> Iterator[Node]:
        yield from self._common(thing, path, cast=False)
        if thing.source is not None:
            yield self.tree(thing.source, "from", (*path, "From"))

    def _composite(self, thing: Composite, path: Path) -> Iterator[Node]:
        yield from self._common(thing, path)
        for part in thing.components:
            place = (*path, f"Component[{part.id}]", "Object")
            yield self.tree(part.object, f"part {part.id}", place)
        for joint in thing.connections:
            place = (*path, f"Connection[{joint.left} {joint.right}]")
            yield Node("joins", f"{joint.left} — {joint.right}", "", "", place)
        for item in thing.exports:
            yield Node("shows", f"{item.id} = {item.origin}", "", "", (*path, f"Endpoint[{item.id}]"))

    def _common(self, thing: Object, path: Path, *, cast: bool = True) -> Iterator[Node]:
        yield from self._remarks(thing.attributes, path)
        yield from (self._need(item, path) for item in thing.requires)
        yield from (_partner(item, path) for item in thing.partners)
        yield from (_signature(item, path) for item in thing.signatures)
        if cast and thing.object_class is not None:
            text = self._class("object", thing.object_class)
            yield Node("as", "", text, thing.object_class.id, (*path, "ObjectClass"))
        yield from self._constraints(thing.object_class, (*path, "ObjectClass"))
        if thing.authority is not None:
            yield self.tree(thing.authority, "authority", (*path, "Authority"))
        for item in thing.parameters:
            yield self._parameter(item, (*path, f"Parameter[{item.id}]"))

    def _remarks(self, items: Iterable[Attribute], path: Path) -> Iterator[Node]:
        for item in items:
            if item.id in (NAME, OWN_ID):
                continue
            role = "comment" if item.id == COMMENT else f"attribute {ids.brief(item.id)}"
            yield Node(role, item.value, "", "", (*path, f"Attribute[{item.id}]"))

    def _need(self, item: Requirement, path: Path) -> Node:
        version = f" version {item.version} or higher" if item.version and not item.sha256 else ""
        pin = f" sha256 {item.sha256[:12]}…" if item.sha256 else ""
        signed = f" signed by {fingerprint(item.signer)}" if item.signer else ""
        label = f"library {ids.brief(item.library)}{version}{pin}{signed}"
        return Node("requires", label, "", "", (*path, "Requires"))

    def _constraints(self, item: ObjectClass | None, path: Path) -> Iterator[Node]:
        if item is None:
            return
        for one in item.constraints:
            yield Node(one.kind, one.text, self._formalism(one.formalism), one.formalism, path)
        for end in item.endpoint_constraints:
            role = f"{end.kind} of {end.endpoint}"
            yield Node(role, end.text, self._formalism(end.formalism), end.formalism, path)

    def _parameter(self, item: Parameter, path: Path) -> Node:
        if isinstance(item.value, Reference | Composite):
            return self.tree(item.value, item.id, (*path, "Value"))
        label, type_ = self._value(item.value)
        id_ = "" if isinstance(item.value, ParameterUse) else str(getattr(item.value, "id", ""))
        return Node(item.id, label, type_, id_, path)

    def _value(self, value: Value | None) -> tuple[str, str]:
        match value:
            case Plain() | Token():
                return _literal(value), value.type
            case ObjectClass():
                return self._class("object", value), "object class"
            case OtherClass():
                return self._class(_KINDS[value.kind], value), f"{_KINDS[value.kind]} class"
            case Configuration():
                return ", ".join(f"{s.name}={s.value}" for s in value.settings), "configuration"
            case Properties():
                return f"{len(value.content)} properties", "properties"
            case ParameterUse():
                return f"the composite's {value.id}", ""
        return "left open", ""

    def _class(self, kind: str, item: ObjectClass | OtherClass) -> str:
        name = self.names.named(kind, item.id) or ids.brief(item.id) or "any object"
        inner = [self._argument(one.value) for one in item.parameters]
        return f"{name}<{', '.join(inner)}>" if inner else name

    def _argument(self, value: Value | None) -> str:
        return self._value(value)[0]

    def _formalism(self, id_: str) -> str:
        return self.names.named("formalism", id_) or ids.brief(id_)


_KINDS = {"ValueClass": "value", "InterfaceClass": "interface", "EndpointClass": "endpoint"}


def _partner(item: Partner, path: Path) -> Node:
    wanted = [f"sha256 {item.sha256[:12]}…"] if item.sha256 else []
    wanted += [f"signed by {fingerprint(item.signer)}"] if item.signer else []
    label = f"{item.endpoint} only to {' and '.join(wanted)}"
    return Node("connects", label, "", "", (*path, f"Partner[{item.endpoint}]"))


def _signature(item: ObjectSignature, path: Path) -> Node:
    label = f"{claimed_name(item.name)} (a claim), key {fingerprint(item.signer)}"
    return Node("signed by", label, "", "", (*path, "Signature"))


def _literal(item: Plain | Token) -> str:
    if item.nil:
        return "nothing"
    text = item.text if isinstance(item, Plain) or item.value is None else item.value
    return repr(text) if item.type in ("string", "Name") else text.strip()


def lines(node: Node) -> Iterator[str]:
    """Return the tree as lines, with branches drawn."""
    yield _line(node)
    yield from _below(node, "")


def _below(node: Node, indent: str) -> Iterator[str]:
    for number, child in enumerate(node.children, 1):
        last = number == len(node.children)
        yield f"{indent}{'└─ ' if last else '├─ '}{_line(child)}"
        yield from _below(child, indent + ("   " if last else "│  "))


def _line(node: Node) -> str:
    named = visible(": ".join(part for part in (node.role, node.label) if part))
    id_ = "" if node.id in (node.type, node.label) or repr(node.id) == node.label else ids.brief(node.id)
    return "  ".join(part for part in (named, visible(node.type), visible(id_)) if part)
