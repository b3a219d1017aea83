"""The page on the file format agrees with the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.process.builtin_objects import learn_stock
from liven.runtime.reference.xml import read, write
from liven.runtime.reference.xml.limits import LIMITS
from liven.runtime.reference.xml.schema import Schema, source


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "file-format.md").read_text("utf-8")


def test_the_example_is_valid_and_checks(page: str) -> None:
    (example,) = re.findall(r"```xml\n(.*?)```", page, re.DOTALL)
    assert Schema.load().faults(example) == ()
    thing = read(example).object
    assert thing is not None
    assert learn_stock(TypeKnowledge.stock()).checker.check(thing).faults == ()
    assert write(thing).decode().split("\n", 1)[1] == example


def test_every_element_and_type_of_the_schema_is_on_the_page(page: str) -> None:
    schema = source().decode()
    for name in re.findall(r'<element name="(\w+)"', schema):
        assert f"`{name}" in page, name
    for name in re.findall(r'<value type="QName"(?: ns="")?>(?:xsd:)?(\w+)<', schema):
        assert re.search(rf"[`\":]{name}[`\"]", page), name


def test_the_limits_are_those_of_the_reader(page: str) -> None:
    assert (
        f"{LIMITS.size >> 20} MiB, {LIMITS.nodes:,} tags and attributes, and elements {LIMITS.depth} deep"
        in page
    )
    assert f"{LIMITS.attributes} attributes" in page
    assert f"{LIMITS.namespaces} namespaces" in page
