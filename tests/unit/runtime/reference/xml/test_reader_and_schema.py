"""Reader and schema accept the same files, however a valid one is changed."""

from __future__ import annotations

from copy import deepcopy

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Document
from liven.runtime.reference.xml import read, write
from liven.runtime.reference.xml.names import NIL, TYPE
from liven.runtime.reference.xml.schema import Schema
from liven.runtime.testing.reference_strategies import DOCUMENTS

SCHEMA = Schema.load()
NAMES = [
    *("Object", "Parameter", "Value", "From", "Authority", "ObjectClass", "Attribute", "Requires"),
    *(
        "Component",
        "Endpoint",
        "Connection",
        "ObjectConstraint",
        "EndpointConstraint",
        "Root",
        "Thing",
        "{urn:a}Object",
    ),
]
ATTRIBUTES = [
    "id",
    "value",
    "kind",
    "class",
    "name",
    "from",
    "to",
    "library",
    "version",
    "sha256",
    "color",
    TYPE,
    NIL,
]
TEXTS = [
    *(
        "",
        " ",
        "x",
        "true",
        "provided",
        "Required",
        "7",
        "-1",
        "0f" * 32,
        "ReferenceObject",
        "CompositeObject",
    ),
    *(
        "ObjectClass",
        "ValueClass",
        "xsd:int",
        "xsd:date",
        "Properties",
        "Configuration",
        "ParameterReference",
        "y:a",
    ),
]


@st.composite
def changes(draw: st.DrawFn) -> tuple[str, int, str, str]:
    """One change: the operation, its element, and its words."""
    what = draw(st.sampled_from(["drop", "set", "rename", "remove", "double", "text", "add"]))
    names = ATTRIBUTES if what in ("drop", "set") else NAMES
    return what, draw(st.integers(0, 50)), draw(st.sampled_from(names)), draw(st.sampled_from(TEXTS))


def changed(data: bytes, all_changes: list[tuple[str, int, str, str]]) -> bytes:
    """Return the file with these changes."""
    root = etree.fromstring(data)
    for what, number, name, text in all_changes:
        elements = list(root.iter("*"))
        element = elements[number % len(elements)]
        match what:
            case "drop":
                element.attrib.pop(name, None)
            case "set":
                element.set(name, text)
            case "rename":
                element.tag = name
            case "remove" if element is not root:
                element.getparent().remove(element)
            case "double" if element is not root:
                element.addnext(deepcopy(element))
            case "text":
                element.text = text
            case "add":
                element.append(element.makeelement(name))
    written: bytes = etree.tostring(root)
    return written


def read_by_reader(data: bytes) -> str:
    """Return why the reader refuses it; empty if it does not."""
    try:
        read(data)
    except ReadError as error:
        return str(error)
    return ""


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(DOCUMENTS, st.lists(changes(), min_size=1, max_size=3))
def test_reader_and_schema_agree_on_every_damaged_file(
    document: Document, damage: list[tuple[str, int, str, str]]
) -> None:
    data = changed(write(document), damage)
    refused, invalid = read_by_reader(data), SCHEMA.faults(data)
    assert bool(refused) == bool(invalid), (refused, invalid, data.decode())


@pytest.mark.slow
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(DOCUMENTS, st.lists(changes(), min_size=1, max_size=3))
def test_reader_and_schema_agree_on_many_files(
    document: Document, damage: list[tuple[str, int, str, str]]
) -> None:
    data = changed(write(document), damage)
    refused, invalid = read_by_reader(data), SCHEMA.faults(data)
    assert bool(refused) == bool(invalid), (refused, invalid, data.decode())
