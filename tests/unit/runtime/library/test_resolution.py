"""The choice of the library that builds each part of a recipe, and that the registry judges by it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.library.classes.class_index import ClassIndex
from liven.runtime.library.classes.loaded import LoadedLibraries
from liven.runtime.library.fetching.bundle_import import Modules
from liven.runtime.library.resolution import Resolution
from liven.runtime.library.store import Installed, Store
from liven.runtime.library.trial.declarations import declared_by
from liven.runtime.reference.model import Component, Composite, Parameter, Plain, Reference, Requirement
from liven.runtime.reference.xml import write
from liven.runtime.registry.store import RegistryStore

Install = Callable[..., Installed]
NAME = "ABCDEF0123456789ABCDEF0123456789"
BOX = """
from __future__ import annotations
from liven.types.declare import Exports, interface, proxy

@interface
class Post:
    def say(self, words: str) -> None: ...

@proxy(id="11112222333344445555666677778888`{version}", alias="example:box")
class Box:
    box: Exports[Post]
    def __init__(self, {takes}: str) -> None: ...
    def say(self, words: str) -> None: ...
"""


@pytest.fixture
def known() -> TypeKnowledge:
    return TypeKnowledge.stock()


@pytest.fixture
def resolution(known: TypeKnowledge, store: Store, tmp_path: Path, modules: Modules) -> Resolution:
    index = ClassIndex(store, tmp_path / "cache", lambda installed: declared_by(installed.path))
    return Resolution(LoadedLibraries(known, index, modules))


@pytest.fixture
def versions(install: Install) -> tuple[str, str]:
    """The hashes of two versions; the second does not take the values of the first."""
    first, second = (
        install(number, box=BOX.format(version=number, takes=takes)).recorded()
        for number, takes in ((1, "title"), (2, "name"))
    )
    return first, second


def box(takes: str, *pins: str) -> Reference:
    needs = tuple(Requirement(NAME, 1, sha256) for sha256 in pins)
    return Reference("example:box", (Parameter(takes, Plain("string", "x")),), requires=needs)


def sound(known: TypeKnowledge, resolution: Resolution, thing: Reference | Composite) -> bool:
    brought = resolution.provided(resolution.offered(thing))
    assert brought.problems == ()
    return known.checker.check(brought.thing, brought.choices).ok


def test_the_newest_version_is_chosen_unless_a_hash_pins_one(
    known: TypeKnowledge, resolution: Resolution, versions: tuple[str, str]
) -> None:
    first, second = versions
    assert sound(known, resolution, box("name"))
    assert not sound(known, resolution, box("title"))
    assert sound(known, resolution, box("title", first))
    assert not sound(known, resolution, box("name", first))
    assert sound(known, resolution, box("name", second))


def test_a_requirement_around_a_part_counts(
    known: TypeKnowledge, resolution: Resolution, versions: tuple[str, str]
) -> None:
    first, _ = versions
    around = (Requirement(NAME, 1, first),)
    assert sound(known, resolution, Composite(components=(Component("a", box("title")),), requires=around))


def test_unavailable_code_is_a_problem_and_the_rest_is_chosen(
    resolution: Resolution, versions: tuple[str, str]
) -> None:
    lost, there = box("title", "ab" * 32), box("name")
    brought = resolution.provided(
        resolution.offered(Composite(components=(Component("a", lost), Component("b", there))))
    )
    (problem,) = brought.problems
    assert "the one of sha256 abab" in str(problem)
    assert brought.choices.of(there) is not None
    assert brought.choices.of(lost) is None


def test_a_pinned_class_is_recalled_once_its_library_is_loaded(
    known: TypeKnowledge, resolution: Resolution, versions: tuple[str, str]
) -> None:
    first, _ = versions
    pinned = box("title", first)
    (problem,) = resolution.recalled(pinned).problems
    assert "is not loaded here yet" in str(problem)
    assert sound(known, resolution, pinned)
    assert sound(known, resolution, box("name"))
    for one in (
        pinned,
        Reference("11112222333344445555666677778888", pinned.parameters, requires=pinned.requires),
    ):
        brought = resolution.recalled(one)
        assert brought.problems == ()
        assert known.checker.check(brought.thing, brought.choices).ok
    assert resolution.recalled(box("name")).choices.entries == {}


def test_a_pin_of_a_library_that_does_not_declare_the_class_chooses_nothing(
    known: TypeKnowledge, resolution: Resolution, versions: tuple[str, str]
) -> None:
    first, _ = versions
    assert sound(known, resolution, box("title", first))
    brought = resolution.recalled(Reference("liven:elsewhere", requires=box("title", first).requires))
    assert (brought.problems, brought.choices.entries) == ((), {})


@pytest.fixture
def registry(known: TypeKnowledge, resolution: Resolution, tmp_path: Path) -> RegistryStore:
    return RegistryStore(tmp_path / "registry", known.checker, None, resolution)


def laid(registry: RegistryStore, key: str, thing: Reference) -> None:
    path = registry.root / key / "it.liveobject"
    path.parent.mkdir(parents=True)
    path.write_bytes(write(thing))


def test_an_entry_of_an_installed_library_is_sound(
    registry: RegistryStore, versions: tuple[str, str]
) -> None:
    laid(registry, "mine", box("name"))
    found = registry.find("mine")
    assert found is not None
    assert found.refused == ""
    assert registry.put("other", box("name")).usable


def test_an_entry_is_judged_by_the_version_that_it_pins(
    registry: RegistryStore, versions: tuple[str, str]
) -> None:
    first, second = versions
    laid(registry, "old", box("title", first))
    laid(registry, "wrong", box("title", second))
    laid(registry, "lost", box("title", "ab" * 32))
    entries = registry.entries()
    assert entries["old"].usable
    assert "has no parameter 'title'" in entries["wrong"].refused
    assert "the one of sha256 abab" in entries["lost"].refused


def test_an_entry_that_was_refused_is_sound_once_its_library_is_installed(
    registry: RegistryStore, install: Install
) -> None:
    laid(registry, "mine", box("title"))
    found = registry.find("mine")
    assert found is not None
    assert "no object example:box is known here" in found.refused
    install(1, box=BOX.format(version=1, takes="title"))
    found = registry.find("mine")
    assert found is not None
    assert found.refused == ""
    assert registry.find("mine") is found
