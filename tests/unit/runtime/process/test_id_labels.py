"""Readable names for ids and keys."""

from __future__ import annotations

import pytest

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.process.id_labels import IdLabels
from liven.runtime.reference.model import Reference


@pytest.fixture(scope="module")
def names() -> IdLabels:
    return IdLabels(TypeKnowledge.stock().catalogue)


@pytest.mark.parametrize(
    ("kind", "id_", "name"),
    [
        ("component", "E3EA16F4ECC84B3B998E01F3B78E9AC9", "liven:text"),
        ("component", "{e3ea16f4ecc84b3b998e01f3b78e9ac9}", "liven:text"),
        ("component", "0`1:E3EA16F4ECC84B3B998E01F3B78E9AC9`0", "liven:text"),
        ("component", "77:E3EA16F4ECC84B3B998E01F3B78E9AC9", "liven:text"),
        ("component", "liven:text", "liven:text"),
        ("component", "text", "liven:text"),
        ("value", "982130E40A294E3CAD5441841E87941E", "liven:text"),
        ("object", "D111EEF8754D4EB98ABD90B0260AEF93", "liven:folder"),
        ("component", "123456789", ""),
        ("component", "nobody", ""),
        ("component", "", ""),
        ("value", "E3EA16F4ECC84B3B998E01F3B78E9AC9", ""),
    ],
)
def test_a_class_is_named_by_its_alias(names: IdLabels, kind: str, id_: str, name: str) -> None:
    assert names.named(kind, id_) == name


def test_keys_have_names_in_the_registry_alone(names: IdLabels) -> None:
    registry = Reference("E8C9D312C27649F39812B8E99AA67CBC")
    assert names.key(registry, "{11E83FA6A9F426993BB8EF26FF7D7B8}") == "communication"
    assert names.key(registry, "standup") == ""
    assert names.key(Reference("104"), "11E83FA6A9F426993BB8EF26FF7D7B8") == ""
