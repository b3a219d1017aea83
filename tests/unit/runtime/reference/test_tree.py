"""The tree of a reference, as shown to people."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.process.id_labels import IdLabels
from liven.runtime.reference.model import Object, Reference
from liven.runtime.reference.tree import Node, Painter, lines
from liven.runtime.reference.xml import read

HERE = Path(__file__).parent / "lookalikes"


@pytest.fixture(scope="module")
def painter() -> Painter:
    return Painter(IdLabels(TypeKnowledge.stock().catalogue))


def thing(name: str) -> Object:
    found = read((HERE / f"{name}.liveobject").read_bytes()).object
    assert found is not None
    return found


def text(painter: Painter, name: str) -> str:
    return "\n".join(lines(painter.tree(thing(name))))


def test_a_note_in_a_folder_of_the_registry(painter: Painter) -> None:
    assert text(painter, "braces_and_case") == (
        "liven:text  E3EA16F4ECC84B3B998E01F3B78E9AC9\n"
        "├─ comment: The zero in front of the id is missing\n"
        "└─ channel: 'standup'  as liven:checkpointed-channel\n"
        "   └─ from: communication  from a folder  011E83FA6A9F426993BB8EF26FF7D7B8\n"
        "      └─ from  liven:registry  E8C9D312C27649F39812B8E99AA67CBC"
    )


def test_a_composite_is_shown_with_parts_connections_and_exports(painter: Painter) -> None:
    assert text(painter, "composite") == (
        "A ring that remembers  composite  5D9569F39310453AAAC9787D2034C0FF\n"
        "├─ members: 7  int\n"
        f"├─ part ring  unknown  {0x37:032X}`1\n"
        "│  ├─ size: the composite's members\n"
        "│  └─ of: liven:text  value class  982130E40A294E3CAD5441841E87941E\n"
        "├─ part store_1  composite\n"
        f"│  ├─ part disk  unknown  {0x38:032X}`1\n"
        "│  └─ shows: Channel = disk.Channel\n"
        "├─ joins: ring.Channel — store.Channel\n"
        "└─ shows: UI = ring.UI"
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("aliases_and_needs", f"requires: library {0x37:032X} sha256 001122334455…"),
        ("aliases_and_needs", f"requires: library {0x38:032X} version 1 or higher"),
        ("authority", "authority  unknown"),
        ("authority", "channel: nothing"),
        ("configuration", "configuration: rate=300, affinity=2, priority=High"),
        ("constraints", "required of Channel: fifo"),
        ("constraints", "interface: liven:folder<liven:object>"),
        ("constraints", "as  liven:checkpointed-channel<liven:text>"),
        ("every_plain_type", "string: '  two spaces in front, & a tab\\tinside\\nand a second line'  string"),
        ("every_plain_type", "int: 12  int"),
        ("every_plain_type", "open: left open"),
        ("every_plain_type", "none: nothing"),
        ("own_attributes", f"attribute {0x1B2C:032X}: under an id of the author's own"),
        ("properties", "properties: 2 properties"),
        ("tokens", "address: 127.0.0.1:55002  Address"),
        ("tokens", "as_text: 10.0.0.1:7  Address"),
        ("null_object", "nothing"),
    ],
)
def test_each_kind_of_part_has_its_line(painter: Painter, name: str, expected: str) -> None:
    assert expected in text(painter, name)


def test_every_object_of_the_recipe_is_in_the_tree_with_its_path(painter: Painter) -> None:
    def paths(node: Node) -> list[tuple[str, ...]]:
        return [node.path, *(path for child in node.children for path in paths(child))]

    found = paths(painter.tree(thing("composite")))
    assert ("Object", "Component[store_1]", "Object", "Component[disk]", "Object") in found
    assert ("Object", "Connection[ring.Channel store.Channel]") in found


def test_the_tree_has_a_form_of_plain_values(painter: Painter) -> None:
    assert painter.tree(Reference("1047")).as_record() == {
        "role": "",
        "label": "",
        "type": "unknown",
        "id": "1047",
        "path": ["Object"],
        "children": [],
    }


def test_terminal_control_characters_are_shown_as_escapes() -> None:
    node = Node("attribute 1\n", "a\nb\u202ec\x9b31m é", "x\x1b[2J", "id\r", ("Object",))
    (line,) = lines(node)
    assert line == r"attribute 1\n: a\nb\u202ec\x9b31m é  x\x1b[2J  id"
