"""Packages of the machine contribute by entry points; one that fails hides no other."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.library.classes.entry_points import GROUP, learn_packages
from liven.runtime.problems import Kind, Problem

MODULE = """
from liven.types.declare import Exports, interface, proxy

@interface
class Post:
    def say(self, words: str) -> None: ...

@proxy(id="11112222333344445555666677778888", alias="example:box")
class Box:
    box: Exports[Post]
    def say(self, words: str) -> None: ...
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    before = set(sys.modules)
    yield folder
    for name in set(sys.modules) - before:
        if name.startswith("pack_"):
            del sys.modules[name]


def learned(place: Path, **modules: str) -> tuple[TypeKnowledge, list[Problem]]:
    for name, text in modules.items():
        (place / f"{name}.py").write_text(text)
    problems: list[Problem] = []
    points = [EntryPoint(name, name, GROUP) for name in modules]
    return learn_packages(TypeKnowledge.stock(), problems.append, points), problems


def test_the_declarations_of_a_package_are_learned(place: Path) -> None:
    known, problems = learned(place, pack_box=MODULE)
    assert problems == []
    entry = known.catalogue.find("example:box", "component")
    assert entry.origin == "pack_box"


@pytest.mark.parametrize(
    "text",
    [
        "raise ValueError('seven')",
        "import sys; sys.exit(7)",
        "import nobody_7",
        "def",
        MODULE.replace("Post]", "7]"),
    ],
)
def test_a_package_that_fails_is_one_problem_and_the_others_are_learned(place: Path, text: str) -> None:
    known, problems = learned(place, pack_bad=text, pack_good=MODULE.replace("11112222", "99992222"))
    (problem,) = problems
    assert (problem.kind, problem.where) == (Kind.UNBUILT, ("a package", "pack_bad"))
    assert "its module pack_bad cannot be used" in problem.what
    assert "Traceback" in problem.detail
    assert known.catalogue.find("example:box", "component").origin == "pack_good"


def test_this_machine_s_packages_are_learned_without_a_problem() -> None:
    problems: list[Problem] = []
    learn_packages(TypeKnowledge.stock(), problems.append)
    assert problems == []
