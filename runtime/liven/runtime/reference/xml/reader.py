"""Reading files into the model. There is one function for each element of the grammar, under its name.

The order of children means nothing, as in the original grammar; comments and unknown attributes are kept in
margins. Anything that the grammar does not allow is refused with its place.
"""

from __future__ import annotations

from typing import cast

from lxml import etree

from liven.runtime.reference import ids
from liven.runtime.reference.errors import shortened
from liven.runtime.reference.model import (
    Attribute,
    ClassKind,
    Component,
    Composite,
    Configuration,
    Connection,
    Document,
    EndpointConstraint,
    Export,
    Kind,
    Object,
    ObjectClass,
    ObjectConstraint,
    ObjectSignature,
    OtherClass,
    Parameter,
    ParameterUse,
    Partner,
    Plain,
    PlainType,
    Properties,
    Reference,
    Requirement,
    Setting,
    Token,
    TokenType,
    Value,
)
from liven.runtime.reference.xml.element import Element
from liven.runtime.reference.xml.limits import LIMITS, Limits
from liven.runtime.reference.xml.markup import read_markup
from liven.runtime.reference.xml.names import CLASS_KINDS, KINDS, PLAIN, TOKENS, TYPE
from liven.runtime.reference.xml.parser import parse

_COMMON = frozenset(
    {"Attribute", "ObjectClass", "Authority", "Parameter", "Requires", "Partner", "Signature"}
)
_REFERENCE = _COMMON | {"From"}
_COMPOSITE = _COMMON | {"Component", "Endpoint", "Connection"}
_DIGITS = 40
"""The most digits of a number, as in `literals`: Python refuses to read one of 5,000, and is slow before."""
_CLASS = frozenset({"Parameter"})
_OBJECT_CLASS = frozenset({"Parameter", "ObjectConstraint", "EndpointConstraint"})


def read(data: bytes | str, limits: Limits = LIMITS) -> Document:
    """Read a whole file; raise ReadError."""
    return _document(parse(data, limits))


def read_object(data: bytes | str, limits: Limits = LIMITS) -> Object:
    """Read one object: the text of a file, or an `Object` element alone as references travel in events."""
    root = parse(data, limits)
    if root.tag == "Object":
        return _object(root)
    found = _document(root).object
    return Reference() if found is None else found


def _document(root: Element) -> Document:
    if root.tag != "Root":
        raise root.fault(f"the outermost element is {root.tag}; a live object's file begins with Root")
    root.take({"Object"})
    inner = root.one("Object")
    thing = _object(inner) if inner is not None else None
    return Document(thing, _outside(root.element), root.margin())


def _outside(root: etree._Element) -> tuple[str, ...]:
    before = [node.text or "" for node in root.itersiblings(etree.Comment, preceding=True)]
    after = [node.text or "" for node in root.itersiblings(etree.Comment)]
    return (*reversed(before), *after)


def _object(element: Element) -> Object:
    kind = element.type()
    if kind == "ReferenceObject":
        return _reference(element)
    if kind == "CompositeObject":
        return _composite(element)
    said = shortened(kind)
    raise element.fault(f"xsi:type is {said!r}; an object is a ReferenceObject or a CompositeObject")


def _reference(element: Element) -> Reference:
    element.take(_REFERENCE)
    key = element.optional("id") or ""
    source = element.one("From")
    authority, object_class = element.one("Authority"), element.one("ObjectClass")
    return Reference(
        id=ids.normal(key) if source is None else key,
        parameters=_parameters(element),
        source=_object(source) if source is not None else None,
        object_class=_object_class(object_class) if object_class is not None else None,
        authority=_object(authority) if authority is not None else None,
        attributes=tuple(_attribute(item) for item in element.many("Attribute")),
        requires=tuple(_requirement(item) for item in element.many("Requires")),
        partners=tuple(_partner(item) for item in element.many("Partner")),
        signatures=tuple(_signature(item) for item in element.many("Signature")),
        nil=element.nil(),
        margin=element.margin(),
    )


def _composite(element: Element) -> Composite:
    element.take(_COMPOSITE)
    authority, object_class = element.one("Authority"), element.one("ObjectClass")
    return Composite(
        id=ids.normal(element.optional("id") or ""),
        parameters=_parameters(element),
        components=tuple(_component(item) for item in element.many("Component")),
        exports=tuple(_export(item) for item in element.many("Endpoint")),
        connections=tuple(_connection(item) for item in element.many("Connection")),
        object_class=_object_class(object_class) if object_class is not None else None,
        authority=_object(authority) if authority is not None else None,
        attributes=tuple(_attribute(item) for item in element.many("Attribute")),
        requires=tuple(_requirement(item) for item in element.many("Requires")),
        partners=tuple(_partner(item) for item in element.many("Partner")),
        signatures=tuple(_signature(item) for item in element.many("Signature")),
        nil=element.nil(),
        margin=element.margin(),
    )


def _attribute(element: Element) -> Attribute:
    element.take()
    return Attribute(ids.normal(element.required("id")), element.required("value"), element.margin())


def _requirement(element: Element) -> Requirement:
    element.take()
    version = (element.optional("version") or "").strip() or "0"
    if not (version.isascii() and version.isdigit() and len(version) <= _DIGITS and int(version) < 2**64):
        raise element.fault(f"version is {shortened(version)!r}; a version is a whole number below 2^64")
    return Requirement(
        library=ids.normal(element.required("library")),
        version=int(version),
        sha256=_digest(element, "sha256", "that of the library, as `liven library list` shows it"),
        signer=_digest(element, "signer", "the key of who signed it"),
        url=element.optional("url") or "",
        signed_as=element.optional("name") or "",
        signature=_digest(element, "signature", "as `liven key sign` prints it", 128),
        margin=element.margin(),
    )


def _partner(element: Element) -> Partner:
    element.take()
    endpoint = element.required("endpoint")
    sha256 = _digest(element, "sha256", "the partner's, as `liven key show FILE` prints it")
    signer = _digest(element, "signer", "the key of who signed the partner")
    if not sha256 and not signer:
        raise element.fault("Partner names nobody; give it a sha256 or a signer")
    return Partner(endpoint, sha256, signer, element.margin())


def _signature(element: Element) -> ObjectSignature:
    element.take()
    signer, name = _digest(element, "signer", "the key of who signed it"), element.required("name")
    proof = _digest(element, "signature", "as `liven key sign` writes it", 128)
    if not signer or not proof:
        raise element.fault("Signature needs a signer and a signature; `liven key sign FILE` writes both")
    return ObjectSignature(signer, name, proof, element.margin())


def _digest(element: Element, name: str, what: str, digits: int = 64) -> str:
    text = (element.optional(name) or "").strip().lower()
    if text and (len(text) != digits or set(text) - set("0123456789abcdef")):
        raise element.fault(f"{name} is {shortened(text)!r}; it must be {digits} hexadecimal digits, {what}")
    return text


def _component(element: Element) -> Component:
    element.take({"Object"})
    inner = element.one("Object")
    if inner is None:
        raise element.fault("Component must hold an Object")
    return Component(element.required("id"), _object(inner), element.margin())


def _export(element: Element) -> Export:
    element.take()
    return Export(element.required("id"), element.required("from"), element.margin())


def _connection(element: Element) -> Connection:
    element.take()
    return Connection(element.required("from"), element.required("to"), element.margin())


def _parameters(element: Element) -> tuple[Parameter, ...]:
    return tuple(_parameter(item) for item in element.many("Parameter"))


def _parameter(element: Element) -> Parameter:
    element.take({"Value"})
    inner = element.one("Value")
    return Parameter(element.required("id"), _value(inner) if inner is not None else None, element.margin())


def _object_class(element: Element) -> ObjectClass:
    element.take(_OBJECT_CLASS)
    return ObjectClass(
        id=ids.normal(element.optional("id") or ""),
        parameters=_parameters(element),
        constraints=tuple(_object_constraint(item) for item in element.many("ObjectConstraint")),
        endpoint_constraints=tuple(_endpoint_constraint(item) for item in element.many("EndpointConstraint")),
        margin=element.margin(),
    )


def _object_constraint(element: Element) -> ObjectConstraint:
    element.take()
    return ObjectConstraint(
        _kind(element), ids.normal(element.required("class")), element.required("value"), element.margin()
    )


def _endpoint_constraint(element: Element) -> EndpointConstraint:
    element.take()
    return EndpointConstraint(
        element.required("name"),
        _kind(element),
        ids.normal(element.required("class")),
        element.required("value"),
        element.margin(),
    )


def _kind(element: Element) -> Kind:
    written = element.required("kind")
    if written not in KINDS:
        raise element.fault(f"kind is {shortened(written)!r}; a constraint is 'provided' or 'required'")
    return cast(Kind, KINDS[written])


def _value(element: Element) -> Value:
    kind = element.type()
    if kind in PLAIN:
        return _plain(element, cast(PlainType, PLAIN[kind]))
    if kind in CLASS_KINDS:
        return _other_class(element, cast(ClassKind, kind))
    if kind in TOKENS:
        return _token(element, cast(TokenType, kind))
    match kind:
        case "ReferenceObject":
            return _reference(element)
        case "CompositeObject":
            return _composite(element)
        case "ObjectClass":
            return _object_class(element)
        case "ParameterReference":
            element.take()
            return ParameterUse(element.required("id"), element.margin())
        case "Configuration":
            return _configuration(element)
        case "Properties":
            return _properties(element)
    raise element.fault(f"xsi:type is {shortened(kind)!r}, which names no kind of value")


def _plain(element: Element, kind: PlainType) -> Plain:
    element.take(text=True)
    return Plain(kind, element.content(), element.nil(), element.margin())


def _token(element: Element, kind: TokenType) -> Token:
    element.take(text=True)
    value = element.optional("value")
    return Token(kind, value, element.content().strip(), element.nil(), element.margin())


def _other_class(element: Element, kind: ClassKind) -> OtherClass:
    element.take(_CLASS)
    return OtherClass(kind, ids.normal(element.optional("id") or ""), _parameters(element), element.margin())


def _configuration(element: Element) -> Configuration:
    element.take({"Parameter"})
    return Configuration(tuple(_setting(item) for item in element.many("Parameter")), element.margin())


def _setting(element: Element) -> Setting:
    element.take()
    return Setting(element.required("name"), element.required("value"), element.margin())


def _properties(element: Element) -> Properties:
    inner = read_markup(element)
    attributes = tuple(pair for pair in inner.attributes if pair[0] != TYPE)
    return Properties(attributes, inner.content, inner.margin)
