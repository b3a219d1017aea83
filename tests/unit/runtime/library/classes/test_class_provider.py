"""An object whose library is installed or known: which content it is built from, and what is refused."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import pytest
from tests.unit.runtime.library.classes.library_recipes import (
    BOX,
    NAME,
    Install,
    Make,
    Person,
    box,
    built,
    module_of,
    packed,
    refused,
)

from liven.runtime.dispatcher import HandCranked
from liven.runtime.dispatcher.workers import MOST_THREADS
from liven.runtime.errors import DereferenceError
from liven.runtime.library.classes.class_index import ClassIndex
from liven.runtime.library.store import Installed
from liven.runtime.loader import Loader
from liven.runtime.objects.node import Node
from liven.runtime.problems import Problems
from liven.runtime.reference.identity import digest
from liven.runtime.reference.model import (
    Component,
    Composite,
    Object,
    Parameter,
    ParameterUse,
    Partner,
    Plain,
    Reference,
    Requirement,
)
from liven.types.declare import Exports, interface, object_type


@interface
class Post(Protocol):
    """The interface of the bundles' box, declared by another author."""

    def say(self, words: str) -> None: ...


LATER = """
from __future__ import annotations
from liven.types.declare import Exports, Imports, interface, proxy

@interface
class Post:
    def say(self, words: str) -> None: ...

@proxy(id="11112222333344445555666677778888`{version}", alias="example:box")
class Box:
    def __init__(self, title: str{more}) -> None: ...
    def say(self, words: str) -> None: ...
    box: Exports[Post]
"""
HOLDER = """
@proxy(id="99992222333344445555666677778888", alias="example:holder")
class Holder:
    box: Imports[Post]
"""


def test_a_reference_whose_library_is_unknown_is_fetched_verified_and_run_beside_another_version(
    loader: Loader, crank: HandCranked, person: Person, make: Make, install: Install, site: tuple[Path, str]
) -> None:
    old = install(1)
    first = built(loader, crank, box(Requirement(NAME, 1)))
    new = make(version=2)
    folder, address = site
    (folder / "box.zip").write_bytes(packed(new))
    second = built(loader, crank, box(Requirement(NAME, 2, new.sha256, url=f"{address}/box.zip")))
    assert old.sha256()[:32] in module_of(first)
    assert new.sha256[:32] in module_of(second)
    assert [handle.proxy().instance.title for handle in (first, second)] == ["ours"] * 2  # type: ignore[attr-defined]
    assert [question.sha256 for question in person.asked] == [new.sha256]


def test_an_installed_library_needs_no_question_and_no_network(
    loader: Loader, crank: HandCranked, person: Person, install: Install
) -> None:
    installed = install(3)
    need = Requirement(NAME, 1, installed.sha256(), url="http://127.0.0.1:1/gone.zip")
    built(loader, crank, box(need))
    assert person.asked == []


def test_objects_that_keep_every_worker_busy_stop_no_loading(
    loader: Loader, node: Node, crank: HandCranked, install: Install
) -> None:
    install(1)
    gate = threading.Event()
    for _ in range(MOST_THREADS):
        node.workers.run(lambda: gate.wait(10))
    try:
        assert built(loader, crank, box()).proxy() is not None
    finally:
        gate.set()


def test_an_installed_class_is_found_by_its_alias_without_being_required(
    loader: Loader, crank: HandCranked, install: Install
) -> None:
    install(1)
    newest = install(2)
    for name in (BOX, f"{BOX}`2", "example:box", f"{NAME}`2:{BOX}"):
        assert newest.sha256()[:32] in module_of(built(loader, crank, box(id_=name)))


def test_a_pin_is_exact_though_a_newer_version_is_installed(
    loader: Loader, crank: HandCranked, install: Install
) -> None:
    old, _ = install(1), install(2)
    handle = built(loader, crank, box(Requirement(NAME, 1, old.sha256())))
    assert old.sha256()[:32] in module_of(handle)
    assert old.sha256()[:32] not in module_of(built(loader, crank, box()))


def test_a_pin_holds_in_a_composite_whose_parameters_are_filled_in(
    loader: Loader, crank: HandCranked, install: Install
) -> None:
    old, _ = install(1), install(2)
    pinned = Reference(
        BOX, (Parameter("title", ParameterUse("t")),), requires=(Requirement(NAME, 1, old.sha256()),)
    )
    given = (Parameter("t", Plain("string", "from the composite")),)
    handle = built(loader, crank, Composite("", given, (Component("a", pinned),)))
    part = handle.proxy().parts[0]
    assert old.sha256()[:32] in module_of(part)
    assert part.proxy().instance.title == "from the composite"  # type: ignore[attr-defined]


def test_a_requirement_applies_to_all_parts_inside(
    loader: Loader, crank: HandCranked, install: Install
) -> None:
    old, _ = install(1), install(2)
    whole = Composite(components=(Component("a", box()),), requires=(Requirement(NAME, 1, old.sha256()),))
    handle = built(loader, crank, whole)
    assert old.sha256()[:32] in module_of(handle.proxy().parts[0])


def whole(installed: Installed, *inner: Object) -> Composite:
    """Return a composite that pins one content for all its parts: a box, if nothing else is given."""
    components = tuple(Component(f"c{place}", thing) for place, thing in enumerate(inner or (box(),)))
    return Composite(components=components, requires=(Requirement(NAME, 1, installed.sha256()),))


def test_equal_parts_that_are_required_from_two_contents_are_each_built_from_their_own(
    loader: Loader, crank: HandCranked, install: Install
) -> None:
    old, new = install(1), install(2)
    both = Composite(components=(Component("x", whole(old)), Component("y", whole(new))))
    handle = built(loader, crank, both)
    for part, installed in zip(handle.proxy().parts, (old, new), strict=True):
        assert installed.sha256()[:32] in module_of(part.proxy().parts[0])


def test_of_several_pins_around_a_part_the_innermost_holds(
    loader: Loader, crank: HandCranked, install: Install
) -> None:
    old, new = install(1), install(2)
    for order in ((old, new, old), (new, old, new)):
        first, second, third = order
        handle = built(loader, crank, whole(first, whole(second, whole(third))))
        inner = handle.proxy().parts[0].proxy().parts[0].proxy().parts[0]
        assert third.sha256()[:32] in module_of(inner)


def test_a_pin_holds_while_another_reference_to_the_same_class_is_dereferenced(
    loader: Loader, crank: HandCranked, install: Install
) -> None:
    old, new = install(1), install(2)
    replies = [loader.dereference(whole(old)), loader.dereference(whole(new)), loader.dereference(box())]
    crank.wait(lambda: all(reply.settled for reply in replies))
    first, second, third = (reply.value() for reply in replies)
    assert old.sha256()[:32] in module_of(first.proxy().parts[0])
    assert new.sha256()[:32] in module_of(second.proxy().parts[0])
    assert new.sha256()[:32] in module_of(third)


def test_a_parameter_keeps_the_pin_of_the_place_where_it_was_written(
    loader: Loader, crank: HandCranked, install: Install
) -> None:
    old, new = install(1, box=LATER.format(version=1, more="") + HOLDER), install(2)
    holder = Reference("example:holder", (Parameter("box", ParameterUse("p")),))
    inner = Composite("", (Parameter("p", box()),), (Component("h", holder),))
    handle = built(
        loader, crank, Composite(components=(Component("i", inner),), requires=whole(old).requires)
    )
    held = handle.proxy().parts[0].proxy().parts[0].proxy().parts[0]
    assert old.sha256()[:32] in module_of(held)
    assert new.sha256()[:32] in module_of(built(loader, crank, box()))


def later(version: int) -> dict[str, str]:
    """A box whose second version takes more values and has one more endpoint."""
    more = ", extra: str" if version > 1 else ""
    return {"box": LATER.format(version=version, more=more) + ("    side: Exports[Post]\n" * (version > 1))}


def old_and_new() -> tuple[Reference, Reference]:
    words = Plain("string", "w")
    return (
        Reference(BOX, (Parameter("title", words),)),
        Reference(BOX, (Parameter("title", words), Parameter("extra", words))),
    )


def test_a_version_that_is_installed_while_the_lower_runs_is_checked_and_built_as_what_it_is(
    loader: Loader, crank: HandCranked, install: Install
) -> None:
    first, second = old_and_new()
    old = install(1, **later(1))
    running = built(loader, crank, first)
    new = install(2, **later(2))
    handle = built(loader, crank, second)
    assert new.sha256()[:32] in module_of(handle)
    assert set(handle.endpoints) == {"box", "side"}
    assert not running.proxy().ended
    pinned = replace(first, requires=(Requirement(NAME, 1, old.sha256()),))
    again = built(loader, crank, pinned)
    assert old.sha256()[:32] in module_of(again)
    assert set(again.endpoints) == {"box"}


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_two_versions_are_each_judged_by_their_own_constructor(
    loader: Loader, crank: HandCranked, problems: Problems, install: Install, order: tuple[int, int]
) -> None:
    contents = [install(version, **later(version)) for version in (1, 2)]
    pins = [(Requirement(NAME, 1, one.sha256()),) for one in contents]
    right = [replace(one, requires=pin) for one, pin in zip(old_and_new(), pins, strict=True)]
    for place in order:
        assert contents[place].sha256()[:32] in module_of(built(loader, crank, right[place]))
    for place, words in ((0, "has no parameter 'extra'"), (1, "is not given its parameter 'extra'")):
        wrong = replace(old_and_new()[1 - place], requires=pins[place])
        with pytest.raises(DereferenceError, match=words):
            built(loader, crank, wrong)
    assert len(list(problems)) == 2


@pytest.mark.parametrize("versions", [(1, 2), (2, 1)])
def test_two_contents_of_one_class_without_a_version_are_judged_by_their_own_constructor(
    loader: Loader, crank: HandCranked, install: Install, versions: tuple[int, int]
) -> None:
    text = LATER.replace("`{version}", "")
    contents = {
        version: install(version, box=text.format(more=", extra: str" if version > 1 else ""))
        for version in versions
    }
    for version in versions:
        pin = (Requirement(NAME, 1, contents[version].sha256()),)
        handle = built(loader, crank, replace(old_and_new()[version - 1], requires=pin))
        assert contents[version].sha256()[:32] in module_of(handle)


def test_the_fault_names_the_part_that_needs_the_library(
    loader: Loader, crank: HandCranked, problems: Problems
) -> None:
    outer = Reference("liven:text", (Parameter("channel", box(Requirement("1234", 7))),))
    error = refused(loader, crank, problems, outer)
    assert error.where[1:] == ("Parameter[channel]", "Value")
    assert f"library {0x1234:032X}: version 7 or higher is not installed" in error.what


def test_files_changed_after_the_installation_are_one_problem(
    loader: Loader, crank: HandCranked, problems: Problems, index: ClassIndex, install: Install
) -> None:
    installed = install(1)
    index.declares(installed)
    (installed.data / "box.py").write_text("raise SystemExit(1)")
    error = refused(loader, crank, problems, box())
    assert "its files are not those that were installed" in error.what


def test_other_objects_go_on_when_a_library_fails(
    loader: Loader, crank: HandCranked, problems: Problems, install: Install
) -> None:
    install(1)
    handle = built(loader, crank, box())
    refused(loader, crank, problems, box(Requirement("77", 1, "ab" * 32)))
    assert not handle.proxy().ended


def library(**given: str) -> Reference:
    values = tuple(Parameter(name, Plain("string", text)) for name, text in given.items())
    return Reference("liven:library-folder", values)


def test_an_object_of_a_library_is_named_in_its_folder(
    loader: Loader, crank: HandCranked, make: Make, person: Person, site: tuple[Path, str]
) -> None:
    folder, address = site
    bundle = make(version=2)
    (folder / "box.zip").write_bytes(packed(bundle))
    source = library(library=NAME, version="1", sha256=bundle.sha256, url=f"{address}/box.zip")
    title = Parameter("title", Plain("string", "from outside"))
    handle = built(loader, crank, Reference("example:box", (title,), source))
    assert bundle.sha256[:32] in module_of(handle)
    assert handle.proxy().instance.title == "from outside"  # type: ignore[attr-defined]
    assert len(person.asked) == 1


def test_an_undeclared_name_is_an_error(
    loader: Loader, crank: HandCranked, problems: Problems, install: Install
) -> None:
    install(1)
    error = refused(loader, crank, problems, Reference("example:bax", source=library(library=NAME)))
    assert "the folder has no 'example:bax'" in error.what


def test_a_library_folder_of_a_missing_library_is_an_error(
    loader: Loader, crank: HandCranked, problems: Problems
) -> None:
    error = refused(loader, crank, problems, Reference("a", source=library(library="77")))
    assert f"library {0x77:032X}" in str(error)


@object_type
class Crate:
    """The object type that a container accepts."""

    box: Exports[Post]


def test_fits_judges_the_pinned_version(loader: Loader, crank: HandCranked, install: Install) -> None:
    old, new = install(1, **later(1)), install(2, **later(2))
    first, second = (
        replace(thing, requires=(Requirement(NAME, 1, one.sha256()),))
        for thing, one in zip(old_and_new(), (old, new), strict=True)
    )
    crossed = replace(second, requires=first.requires)
    assert "is not loaded here yet" in loader.fits(first, Crate).claim
    for thing in (second, first):
        built(loader, crank, thing)
        assert loader.fits(thing, Crate)
    assert "has no parameter 'extra'" in loader.fits(crossed, Crate).claim


def test_may_fit_answers_yes_until_the_code_is_loaded(
    loader: Loader, crank: HandCranked, install: Install
) -> None:
    bundle = install(1, **later(1))
    first = old_and_new()[0]
    by_name, by_hash = (
        replace(first, requires=(Requirement(NAME, 1, sha256),)) for sha256 in ("", bundle.sha256())
    )
    for thing in (by_name, by_hash):
        assert not loader.fits(thing, Crate)
        assert "once its library is installed" in loader.may_fit(thing, Crate).claim
        assert loader.may_fit(thing, Crate)
    assert not loader.may_fit(replace(first, requires=()), Crate), "nothing says where its code would be"
    built(loader, crank, by_hash)
    assert loader.may_fit(by_hash, Crate).claim == loader.fits(by_hash, Crate).claim
    broken = replace(by_hash, parameters=())
    assert loader.may_fit(broken, Crate) == loader.fits(broken, Crate)
    assert not loader.may_fit("<Object", Crate)


def test_a_wrong_partner_is_refused_before_anything_runs(
    loader: Loader, crank: HandCranked, problems: Problems, install: Install
) -> None:
    """The holder demands another box than the one that the recipe gives it."""
    install(1, box=LATER.format(version=1, more="") + HOLDER)
    given = box(Requirement(NAME, 1))
    whole = Reference(
        "99992222333344445555666677778888",
        (Parameter("box", given),),
        requires=(Requirement(NAME, 1),),
        partners=(Partner("box", "ab" * 32),),
    )
    error = refused(loader, crank, problems, whole)
    assert "connects its endpoint 'box' only to sha256 abab" in str(error)
    right = Partner("box", digest(given, lambda *_: None))
    built(loader, crank, replace(whole, partners=(right,))).close()
