"""Writing the model as text. Equal references give equal bytes, and the reader returns the same reference.

There are two forms: `write` for files, laid out for people and for line-by-line comparison, and `compact` for
references that travel in events or are hashed.
"""

from __future__ import annotations

from liven.runtime.reference.errors import WriteError
from liven.runtime.reference.model import (
    BLANK,
    Attribute,
    Composite,
    Configuration,
    Document,
    Margin,
    Markup,
    Object,
    ObjectClass,
    ObjectSignature,
    OtherClass,
    Parameter,
    ParameterUse,
    Partner,
    Plain,
    Properties,
    Reference,
    Requirement,
    Token,
    Value,
)
from liven.runtime.reference.xml.limits import LIMITS
from liven.runtime.reference.xml.names import NIL, TYPE
from liven.runtime.reference.xml.printer import Printer, Tag

_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'


def write(document: Document | Object) -> bytes:
    """Return the bytes of a file; raise WriteError if no file can hold the reference."""
    whole = document if isinstance(document, Document) else Document(document)
    root = _tag("Root", [], whole.margin)
    if whole.object is not None:
        root.children.append(_object("Object", whole.object))
    printer = Printer(pretty=True)
    comments = "".join(f"{printer.comment(text)}\n" for text in whole.comments)
    return f"{_HEAD}{comments}{printer.text(root)}\n".encode()


def compact(thing: Object) -> str:
    """Return one `Object` element without layout: the text form of a reference inside a value."""
    return Printer(pretty=False).text(_object("Object", thing))


def _tag(name: str, attributes: list[tuple[str, str]], margin: Margin) -> Tag:
    for attribute, text in attributes:
        most = LIMITS.most_letters(attribute)
        if len(text) > most:
            raise WriteError(f"{attribute} of {name} has {len(text):,} letters; the limit is {most:,}")
    return Tag(name, [*attributes, *margin.unknown], [], margin.comments)


def _typed(name: str, kind: str, thing: Value) -> Tag:
    nil = [(NIL, "true")] if getattr(thing, "nil", False) else []
    key = [("id", str(getattr(thing, "id", "")))] if getattr(thing, "id", "") else []
    return _tag(name, [(TYPE, kind), *key, *nil], thing.margin)


def _object(name: str, thing: Object) -> Tag:
    kind = "ReferenceObject" if isinstance(thing, Reference) else "CompositeObject"
    tag = _typed(name, kind, thing)
    tag.children += [_attribute(item) for item in thing.attributes]
    tag.children += [_requirement(item) for item in thing.requires]
    tag.children += [_partner(item) for item in thing.partners]
    tag.children += [_signature(item) for item in thing.signatures]
    if thing.object_class is not None:
        tag.children.append(_object_class("ObjectClass", [], thing.object_class))
    if thing.authority is not None:
        tag.children.append(_object("Authority", thing.authority))
    tag.children += [_parameter(item) for item in thing.parameters]
    if isinstance(thing, Composite):
        tag.children += _inner(thing)
    elif thing.source is not None:
        tag.children.append(_object("From", thing.source))
    return tag


def _inner(thing: Composite) -> list[Tag]:
    tags = []
    for part in thing.components:
        tag = _tag("Component", [("id", part.id)], part.margin)
        tag.children.append(_object("Object", part.object))
        tags.append(tag)
    tags += [_tag("Endpoint", [("id", e.id), ("from", e.origin)], e.margin) for e in thing.exports]
    tags += [_tag("Connection", [("from", c.left), ("to", c.right)], c.margin) for c in thing.connections]
    return tags


def _attribute(item: Attribute) -> Tag:
    return _tag("Attribute", [("id", item.id), ("value", item.value)], item.margin)


def _requirement(item: Requirement) -> Tag:
    version = str(item.version) if item.version else ""
    optional = [("version", version), ("sha256", item.sha256), ("signer", item.signer)]
    optional += [("name", item.signed_as), ("signature", item.signature), ("url", item.url)]
    given = [(name, text) for name, text in optional if text]
    return _tag("Requires", [("library", item.library), *given], item.margin)


def _partner(item: Partner) -> Tag:
    optional = [("sha256", item.sha256), ("signer", item.signer)]
    given = [(name, text) for name, text in optional if text]
    return _tag("Partner", [("endpoint", item.endpoint), *given], item.margin)


def _signature(item: ObjectSignature) -> Tag:
    fields = [("signer", item.signer), ("name", item.name), ("signature", item.proof)]
    return _tag("Signature", fields, item.margin)


def _parameter(item: Parameter) -> Tag:
    tag = _tag("Parameter", [("id", item.id)], item.margin)
    if item.value is not None:
        tag.children.append(_value(item.value))
    return tag


def _object_class(name: str, head: list[tuple[str, str]], item: ObjectClass) -> Tag:
    tag = _tag(name, [*head, *([("id", item.id)] if item.id else [])], item.margin)
    tag.children += [_parameter(parameter) for parameter in item.parameters]
    for c in item.constraints:
        fields = [("kind", c.kind), ("class", c.formalism), ("value", c.text)]
        tag.children.append(_tag("ObjectConstraint", fields, c.margin))
    for e in item.endpoint_constraints:
        fields = [("name", e.endpoint), ("kind", e.kind), ("class", e.formalism), ("value", e.text)]
        tag.children.append(_tag("EndpointConstraint", fields, e.margin))
    return tag


def _value(value: Value) -> Tag:
    match value:
        case Reference() | Composite():
            return _object("Value", value)
        case ObjectClass():
            return _object_class("Value", [(TYPE, "ObjectClass")], value)
        case OtherClass():
            tag = _typed("Value", value.kind, value)
            tag.children += [_parameter(parameter) for parameter in value.parameters]
        case Plain():
            tag = _typed("Value", f"xsd:{value.type}", value)
            tag.textual = True
            tag.children += [value.text] if value.text else []
        case Token():
            tag = _typed("Value", value.type, value)
            given = [("value", value.value)] if value.value is not None else []
            tag.attributes += _tag("Value", given, BLANK).attributes
            tag.children += [value.text] if value.text else []
        case ParameterUse():
            tag = _typed("Value", "ParameterReference", value)
        case Configuration():
            tag = _typed("Value", "Configuration", value)
            tag.children += [
                _tag("Parameter", [("name", s.name), ("value", s.value)], s.margin) for s in value.settings
            ]
        case Properties():
            tag = _typed("Value", "Properties", value)
            tag.attributes += value.attributes
            tag.children += [piece if isinstance(piece, str) else _markup(piece) for piece in value.content]
    return tag


def _markup(item: Markup) -> Tag:
    tag = Tag(item.tag, [*item.attributes, *item.margin.unknown], [], item.margin.comments)
    tag.children += [piece if isinstance(piece, str) else _markup(piece) for piece in item.content]
    return tag
