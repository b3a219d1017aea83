"""Random references, for laws that hold for all of them. Needs `hypothesis`, as the tests do.

The strategies make everything that the model can hold and a file can write, even if it makes no sense:
unknown ids, empty composites, constraints that nothing reads.
"""

from __future__ import annotations

from typing import Any, get_args

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from liven.runtime.reference import ids
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
    Margin,
    Markup,
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

# Every character that XML can hold. The carriage return has a test of its own.
_CHARACTERS = st.characters(
    codec="utf-8", exclude_characters="\r\ufffe\uffff", exclude_categories=["Cc", "Cs"]
)
_LAYOUT = st.sampled_from("\t\n <>&\"'")
TEXTS = st.text(_CHARACTERS | _LAYOUT, max_size=12)
_WORDS = st.text("abcXYZ019_", min_size=1, max_size=6)
_COMMENTS = TEXTS.filter(lambda text: "--" not in text and not text.endswith("-"))
_UNKNOWN = st.tuples(st.sampled_from(["x", "{urn:a}x", "{urn:b}y", "lang"]), TEXTS)
_HEX = st.text("0123456789ABCDEF", min_size=64, max_size=64).map(str.lower)


def _pairs() -> SearchStrategy[tuple[tuple[str, str], ...]]:
    return st.lists(_UNKNOWN, max_size=2, unique_by=lambda pair: pair[0]).map(lambda p: tuple(sorted(p)))


MARGINS: SearchStrategy[Margin] = st.just(Margin()) | st.builds(
    Margin, st.lists(_COMMENTS, max_size=2).map(tuple), _pairs()
)
IDS = st.one_of(
    st.integers(0, 2**128 - 1).map(lambda number: f"{number:X}"),
    st.builds("{}`{}:{}`{}".format, _WORDS, st.integers(0, 9), _WORDS, st.integers(0, 9)),
    st.sampled_from(["liven:text", "example:notes", "{e3ea16f4ecc84b3b998e01f3b78e9ac9}", "104`1"]),
).map(ids.normal)
KINDS: SearchStrategy[Kind] = st.sampled_from(get_args(Kind))
ATTRIBUTES = st.builds(Attribute, IDS, TEXTS, MARGINS)
_PROOFS = st.text("0123456789abcdef", min_size=128, max_size=128)
REQUIREMENTS = st.builds(
    Requirement,
    IDS,
    st.integers(0, 2**64 - 1),
    st.just("") | _HEX,
    st.just("") | _HEX,
    TEXTS,
    TEXTS,
    st.just("") | _PROOFS,
    MARGINS,
)
PARTNERS = st.builds(Partner, _WORDS, _HEX, st.just("") | _HEX, MARGINS) | st.builds(
    Partner, _WORDS, st.just(""), _HEX, MARGINS
)
SIGNATURES = st.builds(ObjectSignature, _HEX, TEXTS, _PROOFS, MARGINS)
OBJECT_CONSTRAINTS = st.builds(ObjectConstraint, KINDS, IDS, TEXTS, MARGINS)
ENDPOINT_CONSTRAINTS = st.builds(EndpointConstraint, _WORDS, KINDS, IDS, TEXTS, MARGINS)


def _many(item: SearchStrategy[Any], most: int = 2) -> SearchStrategy[tuple[Any, ...]]:
    return st.lists(item, max_size=most).map(tuple)


def _few(item: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return st.none() | item


PARAMETERS: SearchStrategy[Parameter] = st.builds(
    Parameter, _WORDS, _few(st.deferred(lambda: VALUES)), MARGINS
)
OBJECT_CLASSES = st.builds(
    ObjectClass,
    st.just("") | IDS,
    _many(PARAMETERS),
    _many(OBJECT_CONSTRAINTS),
    _many(ENDPOINT_CONSTRAINTS),
    MARGINS,
)
PLAINS = st.builds(Plain, st.sampled_from(get_args(PlainType)), TEXTS, st.booleans(), MARGINS)
TOKENS = st.builds(
    Token,
    st.sampled_from(get_args(TokenType)),
    _few(TEXTS),
    TEXTS.map(str.strip),
    st.booleans(),
    MARGINS,
)
_TAGS = st.sampled_from(["Name", "Property", "{urn:a}Part"])
_PIECES = _many(_WORDS, 1) | _many(st.deferred(lambda: MARKUP))
MARKUP: SearchStrategy[Markup] = st.builds(
    lambda tag, pairs, content, comments: Markup(tag, pairs, content, Margin(comments)),
    _TAGS,
    _pairs(),
    _PIECES,
    st.lists(_COMMENTS, max_size=1).map(tuple),
)
PROPERTIES = st.builds(
    lambda pairs, content, comments: Properties(pairs, content, Margin(comments)),
    _pairs(),
    _PIECES,
    st.lists(_COMMENTS, max_size=1).map(tuple),
)
_OBJECT: SearchStrategy[Object] = st.deferred(lambda: OBJECTS)
_COMMON: dict[str, SearchStrategy[Any]] = {
    "parameters": _many(PARAMETERS),
    "object_class": _few(OBJECT_CLASSES),
    "authority": _few(_OBJECT),
    "attributes": _many(ATTRIBUTES),
    "requires": _many(REQUIREMENTS),
    "partners": _many(PARTNERS, 1),
    "signatures": _many(SIGNATURES, 1),
    "nil": st.booleans(),
    "margin": MARGINS,
}
REFERENCES: SearchStrategy[Reference] = st.builds(Reference, id=st.just("") | IDS, **_COMMON) | st.builds(
    Reference, id=st.just("") | TEXTS, source=_OBJECT, **_COMMON
)
COMPOSITES: SearchStrategy[Composite] = st.builds(
    Composite,
    id=st.just("") | IDS,
    components=_many(st.builds(Component, _WORDS, _OBJECT, MARGINS)),
    exports=_many(st.builds(Export, _WORDS, TEXTS, MARGINS)),
    connections=_many(st.builds(Connection, TEXTS, TEXTS, MARGINS)),
    **_COMMON,
)
OBJECTS: SearchStrategy[Object] = st.builds(Reference, id=IDS) | REFERENCES | COMPOSITES
VALUES: SearchStrategy[Value] = st.one_of(
    PLAINS,
    TOKENS,
    st.builds(Configuration, _many(st.builds(Setting, _WORDS, TEXTS, MARGINS)), MARGINS),
    PROPERTIES,
    st.builds(ParameterUse, _WORDS, MARGINS),
    OBJECT_CLASSES,
    st.builds(
        OtherClass, st.sampled_from(get_args(ClassKind)), st.just("") | IDS, _many(PARAMETERS), MARGINS
    ),
    _OBJECT,
)
DOCUMENTS = st.builds(Document, _few(OBJECTS), st.lists(_COMMENTS, max_size=2).map(tuple), MARGINS)
