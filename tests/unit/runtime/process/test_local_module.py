from __future__ import annotations

import sys
from pathlib import Path

import pytest

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.process.local_module import LocalModuleError, load_module

GOOD = """
from typing import Protocol
from liven.types.declare import Exports, interface, proxy

@interface
class Takes(Protocol):
    def take(self, n: int) -> None: ...

@proxy(id="F001", alias="own:thing")
class Thing:
    end: Exports[Takes]
    def take(self, n: int) -> None: ...
"""


@pytest.fixture
def known() -> TypeKnowledge:
    return TypeKnowledge.stock()


def written(folder: Path, source: str, name: str = "own.py") -> Path:
    path = folder / name
    path.write_text(source)
    return path


def test_the_declarations_of_a_module_are_learned(tmp_path: Path, known: TypeKnowledge) -> None:
    entries = load_module(written(tmp_path, GOOD), known)
    assert [entry.alias for entry in entries] == ["Takes", "own:thing"]
    assert known.catalogue.find("own:thing", "component").origin.startswith("liven_own_own")


def test_a_module_can_be_loaded_twice_independently(tmp_path: Path, known: TypeKnowledge) -> None:
    path = written(tmp_path, GOOD)
    load_module(path, known)
    load_module(path, TypeKnowledge.stock())


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("1 // 0", "ZeroDivisionError"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("def (", "SyntaxError"),
        ("import no_such_module_anywhere", "ModuleNotFoundError"),
        (GOOD.replace("def take(self, n: int) -> None: ...\n\n@proxy", "x = 1\n\n@proxy"), "Takes"),
        (GOOD + "    end: Exports[int]\n", "end"),
    ],
)
def test_a_module_that_cannot_be_loaded_is_an_error_and_changes_nothing(
    source: str, why: str, tmp_path: Path, known: TypeKnowledge
) -> None:
    before, size = set(sys.modules), len(known.catalogue)
    with pytest.raises(LocalModuleError, match=why):
        load_module(written(tmp_path, source), known)
    assert not [name for name in set(sys.modules) - before if name.startswith("liven_own_")]
    assert len(known.catalogue) == size


def test_a_file_that_is_not_there_is_named(tmp_path: Path, known: TypeKnowledge) -> None:
    for path in (tmp_path / "missing.py", tmp_path, written(tmp_path, "", "own.txt")):
        with pytest.raises(LocalModuleError, match=r"No such file|Is a directory|it is not a Python module"):
            load_module(path, known)


def test_another_structure_under_a_known_id_is_refused(tmp_path: Path, known: TypeKnowledge) -> None:
    load_module(written(tmp_path, GOOD), known)
    other = GOOD.replace("n: int", "n: str")
    with pytest.raises(LocalModuleError, match="declared twice with different structures"):
        load_module(written(tmp_path, other, "other.py"), known)
