"""Identity: the canonical form of a reference, and its hash.

Two references with one canonical form are one recipe, hence one object. In the canonical form every id is
resolved, everything without a meaningful order is sorted, and values have one spelling. Parts meant only for
people are left out: attributes, comments, signatures, and everything unknown. Of a pinned library, hash and
signer count, but neither the URL nor the proof of the signature.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from liven.runtime.reference import ids, literals
from liven.runtime.reference.errors import IdentityError
from liven.runtime.reference.ids import Lookup
from liven.runtime.reference.model import (
    BLANK,
    Component,
    Composite,
    Configuration,
    Connection,
    EndpointConstraint,
    Export,
    Markup,
    Object,
    ObjectClass,
    ObjectConstraint,
    OtherClass,
    Parameter,
    ParameterUse,
    Path,
    Plain,
    Properties,
    Reference,
    Requirement,
    Setting,
    Token,
    Value,
)
from liven.runtime.reference.well_known_keys import canonical_key
from liven.runtime.reference.xml.writer import compact

REGISTRY = "E8C9D312C27649F39812B8E99AA67CBC"
"""The registry's reserved id: its keys are ids, so that their spelling makes no difference."""

_KINDS = {"ValueClass": "value", "InterfaceClass": "interface", "EndpointClass": "endpoint"}
T = TypeVar("T")


def canonical(thing: Object, lookup: Lookup) -> Object:
    """Return the canonical form; raise IdentityError for an alias that `lookup` does not know."""
    return _Form(lookup).object(thing, ("Object",))


def digest(thing: Object, lookup: Lookup) -> str:
    """Return the SHA-256 of the canonical form's text, in hexadecimal: the identity of the object."""
    return hashlib.sha256(compact(canonical(thing, lookup)).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Form:
    """Rewrites each part of the model; the path names a part that cannot be resolved."""

    lookup: Lookup

    def object(self, thing: Object, path: Path) -> Object:
        if thing.null:
            return Reference()
        return self.reference(thing, path) if isinstance(thing, Reference) else self.composite(thing, path)

    def reference(self, thing: Reference, path: Path) -> Reference:
        source = self.object(thing.source, (*path, "From")) if thing.source is not None else None
        return Reference(
            id=self.id("component", thing.id, path) if source is None else _key(thing.id, source),
            parameters=self.parameters(thing.parameters, path),
            source=source,
            object_class=self.object_class(thing.object_class, path),
            authority=self.authority(thing, path),
            requires=_sorted(thing.requires, _requirement),
            partners=_sorted(thing.partners, lambda item: replace(item, margin=BLANK)),
        )

    def composite(self, thing: Composite, path: Path) -> Composite:
        return Composite(
            id=self.id("component", thing.id, path),
            parameters=self.parameters(thing.parameters, path),
            components=_sorted(thing.components, lambda part: self.component(part, path)),
            exports=_sorted(thing.exports, lambda item: Export(item.id, item.origin.strip())),
            connections=_sorted(thing.connections, _connection),
            object_class=self.object_class(thing.object_class, path),
            authority=self.authority(thing, path),
            requires=_sorted(thing.requires, _requirement),
            partners=_sorted(thing.partners, lambda item: replace(item, margin=BLANK)),
        )

    def component(self, part: Component, path: Path) -> Component:
        return Component(part.id, self.object(part.object, (*path, f"Component[{part.id}]", "Object")))

    def authority(self, thing: Object, path: Path) -> Object | None:
        return self.object(thing.authority, (*path, "Authority")) if thing.authority is not None else None

    def parameters(self, items: Iterable[Parameter], path: Path) -> tuple[Parameter, ...]:
        return _sorted(items, lambda item: self.parameter(item, path))

    def parameter(self, item: Parameter, path: Path) -> Parameter:
        if item.value is None:
            return Parameter(item.id)
        return Parameter(item.id, self.value(item.value, (*path, f"Parameter[{item.id}]", "Value")))

    def object_class(self, item: ObjectClass | None, path: Path) -> ObjectClass | None:
        return self.class_use(item, (*path, "ObjectClass")) if item is not None else None

    def class_use(self, item: ObjectClass, path: Path) -> ObjectClass:
        return ObjectClass(
            id=self.id("object", item.id, path),
            parameters=self.parameters(item.parameters, path),
            constraints=_sorted(
                item.constraints,
                lambda c: ObjectConstraint(c.kind, self.id("formalism", c.formalism, path), c.text.strip()),
            ),
            endpoint_constraints=_sorted(
                item.endpoint_constraints,
                lambda c: EndpointConstraint(
                    c.endpoint, c.kind, self.id("formalism", c.formalism, path), c.text.strip()
                ),
            ),
        )

    def value(self, value: Value, path: Path) -> Value:
        match value:
            case Reference() | Composite():
                return self.object(value, path)
            case ObjectClass():
                return self.class_use(value, path)
            case OtherClass():
                parameters = self.parameters(value.parameters, path)
                return OtherClass(value.kind, self.id(_KINDS[value.kind], value.id, path), parameters)
            case Plain():
                return Plain(value.type, literals.canonical(value), value.nil)
            case Token():
                return Token(value.type, literals.canonical(value), nil=value.nil)
            case ParameterUse():
                return ParameterUse(value.id)
            case Configuration():
                return Configuration(_sorted(value.settings, lambda s: Setting(s.name, s.value)))
            case Properties():
                return Properties(value.attributes, _markup(value.content))

    def id(self, kind: str, text: str, path: Path) -> str:
        if not text:
            return ""
        found = ids.resolve(kind, text, self.lookup)
        if found is None:
            raise IdentityError(text, path)
        return str(found)


def _key(text: str, source: Object) -> str:
    """Return the canonical form of a key: only in the registry are keys ids;
    other folders decide for themselves."""
    return canonical_key(text) if ids.same(source.id, REGISTRY) else text


def _requirement(item: Requirement) -> Requirement:
    return replace(item, url="" if item.sha256 else item.url, signed_as="", signature="", margin=BLANK)


def _connection(item: Connection) -> Connection:
    """Return the form of a connection, which has no direction."""
    first, second = sorted((item.left.strip(), item.right.strip()))
    return Connection(first, second)


def _markup(content: tuple[Markup | str, ...]) -> tuple[Markup | str, ...]:
    return tuple(
        piece if isinstance(piece, str) else Markup(piece.tag, piece.attributes, _markup(piece.content))
        for piece in content
    )


def _sorted(items: Iterable[T], form: Callable[[T], T]) -> tuple[T, ...]:
    """Return the forms of `items` in a total order; any one serves, if all nodes use the same."""
    return tuple(sorted((form(item) for item in items), key=repr))
