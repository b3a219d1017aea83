"""Finding declarations in a module."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from liven.types.declare import DeclarationError, scan

Write = Callable[[str], ModuleType]
Load = Callable[[str], ModuleType]


def test_a_module_yields_what_it_declares_in_order(load: Load) -> None:
    found = scan(load("wall"))
    assert [one.cls.__name__ for one in found.values] == ["Colour", "Point", "Note", "Pin", "Unpin", "Pair"]
    assert [one.cls.__name__ for one in found.interfaces] == ["Sender", "Wall", "Looker"]
    assert [one.cls.__name__ for one in found.objects] == ["WallObject"]
    assert [one.cls.__name__ for one in found.proxies] == ["PaperWall", "Repeater"]
    assert len(found) == 12
    assert found.module == "wall"


def test_what_a_module_imports_is_not_its_own(load: Load, write: Write) -> None:
    load("wall")
    author = write("from wall import Note, WallObject\n@value\nclass Own:\n    note: Note\n")
    assert [one.cls.__name__ for one in scan(author)] == ["Own"]


def test_a_second_name_for_a_class_is_not_a_second_class(write: Write) -> None:
    assert len(scan(write("@value\nclass A:\n    x: int\nB = A\n"))) == 1


def test_a_module_without_declarations_is_empty(write: Write) -> None:
    assert list(scan(write("x = 1\n"))) == []


def test_no_constructor_runs(write: Write) -> None:
    author = write(
        "made = []\n@proxy(id='0A')\nclass P:\n    def __init__(self) -> None:\n        made.append(self)\n"
    )
    scan(author)
    assert author.made == []


def test_a_name_that_was_never_defined_is_an_error(write: Write) -> None:
    author = write("@interface\nclass I(Protocol):\n    def f(self, x: Nowhere) -> None: ...\n")
    with pytest.raises(DeclarationError, match=r"author\.I\.f\(x\): `Nowhere` is not a name here"):
        scan(author)


def test_what_was_named_before_it_was_defined_is_read_now(write: Write) -> None:
    author = write("@value\nclass A:\n    b: list[B]\n@value\nclass B:\n    x: int\n")
    assert len(scan(author)) == 2


def test_two_classes_of_one_kind_with_one_id_are_refused(write: Write) -> None:
    author = write("@value(id='0A')\nclass A:\n    x: int\n@value(id='0A')\nclass B:\n    x: int\n")
    with pytest.raises(DeclarationError) as caught:
        scan(author)
    assert str(caught.value) == (
        "author.B: its id 0000000000000000000000000000000A also belongs to author.A; "
        "give it one of its own; `liven new TYPE` writes a module with a fresh id"
    )


def test_two_kinds_of_class_may_share_an_id(write: Write) -> None:
    author = write(
        "@value(id='0A')\nclass A:\n    x: int\n@interface(id='0A')\nclass B(Protocol):\n"
        "    def f(self) -> None: ...\n"
    )
    assert len(scan(author)) == 2


def test_a_constraint_on_what_came_later_is_read_now(write: Write) -> None:
    author = write(
        "@object_type\nclass O:\n    x: Annotated[Exports[I], provides('trace', 'nonsense here')]\n"
        "@interface\nclass I(Protocol):\n    def f(self) -> None: ...\n"
    )
    with pytest.raises(DeclarationError, match=r"author\.O\.x provides trace"):
        scan(author)


def test_two_classes_of_one_kind_with_one_alias_are_refused(write: Write) -> None:
    author = write("@value(alias='q:a')\nclass A:\n    x: int\n@value(alias='q:a')\nclass B:\n    y: int\n")
    with pytest.raises(DeclarationError) as caught:
        scan(author)
    assert str(caught.value) == "author.B: its alias q:a also belongs to author.A; give it one of its own"


def test_versions_of_one_class_and_two_kinds_may_share_an_alias(write: Write) -> None:
    author = write(
        "@value(id='0A', alias='q:a')\nclass A:\n    x: int\n"
        "@value(id='0A`2', alias='q:a')\nclass B:\n    y: int\n"
        "@interface(alias='q:a')\nclass C(Protocol):\n    def go(self) -> None: ...\n"
    )
    assert len(scan(author)) == 3
