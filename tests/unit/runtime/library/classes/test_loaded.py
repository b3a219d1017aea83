"""Libraries loaded into the process: the newest unless pinned, versions that fit, contradictions refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.library.classes.class_index import ClassIndex
from liven.runtime.library.classes.loaded import LoadedLibraries
from liven.runtime.library.errors import CodeError, MissingLibraryError
from liven.runtime.library.fetching.bundle_import import Modules
from liven.runtime.library.store import Installed, Store
from liven.runtime.library.trial.declarations import declared_by
from liven.runtime.reference.model import Parameter, Plain, Reference, Requirement
from liven.types.ids import ClassId

Install = Callable[..., Installed]
BOX = ClassId(0x11112222333344445555666677778888)
NAME = "ABCDEF0123456789ABCDEF0123456789"
HEAD = """
from __future__ import annotations
from liven.types.declare import Exports, interface, proxy
@interface
class Post:
    def say(self, words: {words}) -> None: ...
    {more}
@proxy(id="11112222333344445555666677778888`{version}", alias="example:box")
class Box:
    box: Exports[Post]
    def __init__(self, title: str = "{version}") -> None:
        self.title = title
    def say(self, words: {words}) -> None: ...
    {more}
"""


def box(version: int, words: str = "str", more: str = "") -> str:
    return HEAD.format(version=version, words=words, more=more)


@pytest.fixture
def known() -> TypeKnowledge:
    return TypeKnowledge.stock()


@pytest.fixture
def libraries(store: Store, tmp_path: Path, modules: Modules, known: TypeKnowledge) -> LoadedLibraries:
    """Libraries that are imported in this process, for speed; the child has tests of its own."""
    index = ClassIndex(store, tmp_path / "cache", lambda installed: declared_by(installed.path))
    return LoadedLibraries(known, index, modules)


def test_the_class_of_an_installed_library_can_be_built_and_checked(
    libraries: LoadedLibraries, install: Install, known: TypeKnowledge
) -> None:
    install(1, box=box(1))
    reference = Reference(str(BOX), (Parameter("title", Plain("string", "x")),))
    assert not known.checker.check(reference).ok
    declaration = libraries.proxy(BOX)
    assert declaration.cls("x").title == "x"
    report = known.checker.check(reference)
    assert report.faults == ()
    assert report.unbuilt() == ()
    assert known.checker.check(Reference("example:box")).ok, "a parameter with a default may be left out"
    assert not known.checker.check(Reference(str(BOX), (Parameter("title", Plain("int", "7")),))).ok


def test_the_newest_version_is_built_unless_a_hash_pins_one(
    libraries: LoadedLibraries, install: Install
) -> None:
    old = install(1, box=box(1))
    install(2, box=box(2))
    assert libraries.proxy(BOX).cls().title == "2"
    assert libraries.proxy(BOX, [Requirement(NAME, 1, old.sha256())]).cls().title == "1"
    assert libraries.proxy(ClassId(BOX.component, 2)).cls().title == "2"


def test_both_versions_run_side_by_side(libraries: LoadedLibraries, install: Install) -> None:
    first = libraries.proxy(BOX, [Requirement(NAME, 1, install(1, box=box(1)).sha256())]).cls()
    second = libraries.proxy(BOX, [Requirement(NAME, 1, install(2, box=box(2)).sha256())]).cls()
    assert (first.title, second.title) == ("1", "2")
    assert type(first) is not type(second)


def test_a_missing_pinned_library_is_an_error_even_if_others_are_installed(
    libraries: LoadedLibraries, install: Install
) -> None:
    install(1, box=box(1))
    with pytest.raises(MissingLibraryError):
        libraries.proxy(BOX, [Requirement(NAME, 1, "ab" * 32)])
    with pytest.raises(MissingLibraryError, match="one that declares the object"):
        libraries.proxy(ClassId(BOX.component, 2))


def term(known: TypeKnowledge, version: int) -> Any:
    """Return the object type that the catalogue has for a version of the box."""
    entry = known.catalogue.exactly("component", ClassId(BOX.component, version))
    assert entry is not None
    return entry.source.term(())


def test_a_higher_version_with_more_operations_is_loaded(
    libraries: LoadedLibraries, install: Install, known: TypeKnowledge
) -> None:
    libraries.load(install(1, box=box(1)))
    libraries.load(install(2, box=box(2, more="def shout(self, words: str) -> None: ...")))
    lower, higher = (term(known, version) for version in (1, 2))
    assert known.matcher.object_subtype(higher, lower)
    assert not known.matcher.object_subtype(lower, higher)
    assert libraries.proxy(BOX).cls().title == "2"


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_a_higher_version_that_does_not_fit_where_the_lower_did_needs_another_id(
    libraries: LoadedLibraries, install: Install, known: TypeKnowledge, order: tuple[int, int]
) -> None:
    texts = {1: box(1), 2: box(2, words="int")}
    first, second = (install(version, box=texts[version]) for version in order)
    libraries.load(first)
    count = len(known.catalogue)
    with pytest.raises(CodeError, match="version 2 does not fit where version 1 did"):
        libraries.load(second)
    assert len(known.catalogue) == count, "what is known is as it was"


def test_two_structures_under_one_id_and_version_are_an_error_that_shows_both(
    libraries: LoadedLibraries, install: Install
) -> None:
    libraries.load(install(1, box=box(1)))
    with pytest.raises(CodeError, match="declared twice with different structures"):
        libraries.load(install(1, namespace=0x77, box=box(1, words="int")))


def test_the_same_class_from_two_libraries_is_learned_once(
    libraries: LoadedLibraries, install: Install, known: TypeKnowledge
) -> None:
    libraries.load(install(1, box=box(1)))
    count = len(known.catalogue)
    first = known.catalogue.exactly("component", BOX)
    libraries.load(install(1, namespace=0x77, box=box(1)))
    assert len(known.catalogue) == count
    assert known.catalogue.exactly("component", BOX) is first


def test_loading_a_library_twice_loads_it_once(libraries: LoadedLibraries, install: Install) -> None:
    installed = install(1, box=box(1))
    assert libraries.load(installed) is libraries.load(installed)


def test_code_that_fails_in_the_child_never_runs_here(
    libraries: LoadedLibraries, store: Store, install: Install
) -> None:
    installed = install(1, main="raise ValueError('seven')")
    with pytest.raises(CodeError, match="seven"):
        libraries.load(installed)
    assert libraries.find(BOX) is None
