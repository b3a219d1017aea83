"""A world of a few classes, written in the catalogue's notation, beside the built-in ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from liven.runtime.checking import Report
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import read_object
from liven.types.catalogue import Entry, Kind
from liven.types.catalogue.original import TextSource
from liven.types.ids import ClassId
from liven.types.terms.value_types import ClassTag

Check: TypeAlias = Callable[[str], Report]
NS = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"'

CLASSES: list[tuple[Kind, str, str, str]] = [
    ("interface", "t:post", "", "say(words: text)"),
    ("interface", "t:post-2", "", "say(words: text) | shout(words: text)"),
    ("object", "t:box", "", "Box: exports t:post"),
    ("object", "t:fifo-box", "", 'Box: exports t:post provides guarantee "fifo"'),
    ("object", "t:author", "", "Out: imports t:post"),
    ("object", "t:careful", "", 'Out: imports t:post requires guarantee "total"'),
    ("object", "t:wide", "", "In: exports t:post | In2: exports t:post"),
    ("object", "t:reader", "", "box: imports t:post | View: local UI"),
    ("object", "t:guarded", "", ": liven:authenticated-object<liven:authenticating1<liven:object>>"),
    ("component", "t:a-box", "", ": t:box"),
    ("component", "t:an-author", "", ": t:author"),
    ("component", "t:a-careful", "", ": t:careful"),
    ("component", "t:a-wide", "", ": t:wide"),
    ("component", "t:a-reader", "", ": t:reader"),
    (
        "component",
        "t:a-guarded",
        "",
        ": t:guarded | : liven:authenticated-object<liven:authenticating1<liven:object>>",
    ),
    ("component", "t:a-guard", "", ": liven:authenticating1<liven:object>"),
    ("component", "t:typed", "MessageClass", ": t:box | of: MessageClass | to: ref<t:box>"),
    (
        "component",
        "t:plain",
        "",
        ": t:box | count: int32 | ratio: float64 | title: text | on: bool | place: id | few: uint8"
        " | maybe: int32? | settings: map<text, text> | whatever: liven:properties",
    ),
]


@pytest.fixture(scope="module")
def known() -> TypeKnowledge:
    """The built-in types with the classes above; the id of each is its number."""
    known = TypeKnowledge.stock()
    for number, (kind, alias, parameters, lines) in enumerate(CLASSES, 0xABC000):
        body = lines.split(" | ")
        source = TextSource(kind, parameters, "", body, known.catalogue.builder, known.formalisms)
        id_ = ClassId(number, namespace=0xABC)
        source.tag = ClassTag(id_, alias)
        known.catalogue.put(Entry(kind, id_, alias, alias, "test", source))
    return known


@pytest.fixture(scope="module")
def check(known: TypeKnowledge) -> Check:
    """Check an object given as the text of an element, in the short form `ref(id, inside)`."""

    def checked(text: str) -> Report:
        return known.checker.check(read(text))

    return checked


def read(text: str) -> Object:
    """Return the object of this element, given without the namespaces that every file declares."""
    return read_object(text.replace("<Object", f"<Object {NS}", 1))
