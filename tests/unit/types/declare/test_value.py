"""`@value` on classes."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import pytest

from liven.types.declare import DeclarationError, TermBuilder, value
from liven.types.declare.annotation.reader import ATTACHED, declaration_of
from liven.types.declare.declaration import ValueDeclaration
from liven.types.formalism.registry import Formalisms
from liven.types.ids import ClassId
from liven.types.terms.type_text import spell
from liven.types.terms.value_types import Record


def spelled(cls: type) -> str:
    return spell(TermBuilder(Formalisms()).of(cls))


def test_a_class_with_fields_becomes_a_frozen_record() -> None:
    @value
    class Note:
        text: str
        x: float = 1.5

    assert Note("hello").x == 1.5
    assert Note("a") == Note("a", 1.5)
    with pytest.raises(dataclasses.FrozenInstanceError):
        Note("a").x = 2.0  # type: ignore[misc]
    assert spelled(Note) == "{text: text, x: float64}"


def test_the_class_is_the_same_object_with_one_more_attribute() -> None:
    class Note:
        text: str

    before = set(vars(Note))
    assert value(Note) is Note
    added = set(vars(Note)) - before
    assert ATTACHED in added
    assert all(name.startswith("__") for name in added)


def test_a_class_that_is_a_dataclass_already_is_left_as_it_is() -> None:
    @value
    @dataclasses.dataclass(slots=True)
    class Counter:
        n: int

    counter = Counter(1)
    counter.n = 2  # type: ignore[misc]  # a checker takes every value class for frozen
    assert counter.n == 2
    assert spelled(Counter) == "{n: int64}"


def test_inherited_fields_belong_to_the_record() -> None:
    @value
    class Base:
        a: int

    @value
    class Derived(Base):
        b: str

    assert spelled(Derived) == "{a: int64, b: text}"


def test_class_variables_are_not_fields() -> None:
    @value
    class Note:
        text: str
        limit: ClassVar[int] = 3

    assert spelled(Note) == "{text: text}"


def test_methods_and_properties_are_not_fields() -> None:
    @value
    class Note:
        text: str

        def shout(self) -> str:
            return self.text.upper()

        @property
        def size(self) -> int:
            return len(self.text)

    assert Note("a").shout() == "A"
    assert spelled(Note) == "{text: text}"


def test_an_id_and_an_alias_name_the_class() -> None:
    @value(id="0A`2", alias="demo:note")
    class Note:
        text: str

    declaration = declaration_of(Note)
    assert isinstance(declaration, ValueDeclaration)
    assert declaration.tag.id == ClassId(10, 2)
    term = TermBuilder(Formalisms()).of(Note)
    assert isinstance(term, Record)
    assert term.tag is not None
    assert term.tag.alias == "demo:note"


def test_an_enum_is_a_union_of_empty_cases() -> None:
    @value
    class Colour(enum.Enum):
        RED = 1
        GREEN = 2

    assert spelled(Colour) == "<GREEN: {} | RED: {}>"


def test_a_class_may_hold_itself() -> None:
    @value
    class Tree:
        children: list[Tree]
        parent: Tree | None

    assert spelled(Tree) == "rec Tree. {children: list<Tree>, parent: optional<Tree>}"


def test_two_classes_may_hold_each_other(write: Callable[[str], ModuleType]) -> None:
    author = write(
        "@value\nclass Folder:\n    files: list[File]\n\n@value\nclass File:\n    name: str\n"
        "    home: Folder\n"
    )
    assert spelled(author.Folder) == "rec Folder. {files: list<{home: Folder, name: text}>}"
    assert spelled(author.File) == "rec File. {home: {files: list<File>}, name: text}"


def test_names_in_quotes_are_found_wherever_they_stand(
    tmp_path: Path, run: Callable[[Path], ModuleType]
) -> None:
    path = tmp_path / "quoted.py"
    path.write_text(
        "from typing import Optional\nfrom liven.types.declare import value\n@value\nclass Tree:\n"
        "    kids: list['Tree']\n    best: Optional['Tree']\n    names: 'dict[str, Tree]'\n",
        encoding="utf-8",
    )
    assert spelled(run(path).Tree) == (
        "rec Tree. {best: optional<Tree>, kids: list<Tree>, names: map<text, Tree>}"
    )


def test_an_undefined_name_is_reported_when_the_class_is_used(write: Callable[[str], ModuleType]) -> None:
    author = write("@value\nclass Note:\n    author: Persn\n")
    with pytest.raises(DeclarationError) as caught:
        spelled(author.Note)
    assert str(caught.value) == (
        "author.Note.author: `Persn` is not a name here; "
        "define it, or import it where it exists at run time, not under TYPE_CHECKING alone"
    )


REFUSED = [
    ("@value\nclass N:\n    x: object\n", "author.N.x: object cannot be sent"),
    ("@value\nclass N:\n    x: int\n    y = 3\n", "author.N.y: it has a value and no type; write y: int = …"),
    ("@value\nclass N:\n    _x: int\n", "author.N._x: a private field would be sent"),
    (
        "from dataclasses import field\n@value\nclass N:\n    x: int = field(init=False, default=1)\n",
        "author.N.x: it is not a parameter of the constructor",
    ),
    (
        "@value\nclass N(tuple):\n    pass\n",
        "author.N: it is a tuple; write the fields in a class with no base",
    ),
    (
        "import enum\n@value\nclass E(enum.Enum):\n    pass\n",
        "author.E: it has no member; write at least one",
    ),
    (
        "import enum\n@value\nclass E(enum.Flag):\n    A = 1\n",
        "author.E: a Flag can have several values at once",
    ),
    (
        "@value\nclass N:\n    x: int\n    def __init__(self, y: int) -> None: ...\n",
        "author.N: its constructor cannot be called with its fields: ",
    ),
    (
        "from dataclasses import InitVar\n@value\nclass N:\n    x: int\n    y: InitVar[int]\n",
        "author.N: its constructor cannot be called with its fields: missing a required argument: 'y'",
    ),
    ("@value(id='xyz')\nclass N:\n    x: int\n", "author.N: id: 'xyz' is not an id"),
    ("@value\n@value\nclass N:\n    x: int\n", "author.N: it is declared already"),
    ("@value\nclass N:\n    x: 'int +'\n", "author.N.x: `'int +'` cannot be read as a type"),
    ("@value\nclass N:\n    x: int = 1\n    y: str\n", "author.N: non-default argument 'y' follows"),
    ("@value\nclass N:\n    x: list[int] = []\n", "author.N: mutable default"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_a_class_that_cannot_be_serialized_is_refused_at_import(
    write: Callable[[str], ModuleType], text: str, said: str
) -> None:
    with pytest.raises(DeclarationError) as caught:
        write(text)
    assert str(caught.value).startswith(said)
    assert caught.value.fix


def test_a_refused_class_carries_no_declaration() -> None:
    class Note:
        x: object

    with pytest.raises(DeclarationError):
        value(Note)
    assert declaration_of(Note) is None


def test_a_subclass_that_is_not_declared_has_no_declaration() -> None:
    @value
    class Note:
        x: int

    class Special(Note):
        pass

    assert declaration_of(Special) is None


def test_a_constructor_of_the_authors_own_is_seen() -> None:
    @value
    class Plain:
        x: int

    @value
    class Careful:
        x: int

        def __post_init__(self) -> None:
            assert self.x >= 0

    assert declaration_of(Plain).stores
    assert not declaration_of(Careful).stores
