"""A recipe whose library is missing: asked for, fetched, verified, built, and each way to fail."""

from __future__ import annotations

import hashlib
import io
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Protocol

import pytest

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.dispatcher import HandCranked
from liven.runtime.dispatcher.workers import MOST_THREADS
from liven.runtime.errors import DereferenceError
from liven.runtime.library.acquisition import Acquirer
from liven.runtime.library.bundle import Bundle
from liven.runtime.library.bundle_import import Modules
from liven.runtime.library.class_index import ClassIndex
from liven.runtime.library.class_provider import LibraryClasses
from liven.runtime.library.library_folder import learn_library
from liven.runtime.library.loaded import LoadedLibraries
from liven.runtime.library.store import Installed, Store
from liven.runtime.library.trial.declarations import declared_by
from liven.runtime.library.trust import Permission, Question
from liven.runtime.loader import Loader
from liven.runtime.objects.node import Node
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.value_bridge import ValueBridges
from liven.runtime.problems import Kind, Problems
from liven.runtime.reference.model import (
    Component,
    Composite,
    Object,
    Parameter,
    ParameterUse,
    Plain,
    Reference,
    Requirement,
)
from liven.runtime.reference.xml.metadata import write_metadata
from liven.types.declare import Exports, interface, object_type


@interface
class Post(Protocol):
    """The interface of the bundles' box, declared by another author."""

    def say(self, words: str) -> None: ...


Make = Callable[..., Bundle]
Install = Callable[..., Installed]
NAME = "ABCDEF0123456789ABCDEF0123456789"
BOX = "11112222333344445555666677778888"
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


class Person:
    """A person who answers yes or no, and remembers the questions."""

    def __init__(self) -> None:
        self.answer = Permission.KEPT
        self.asked: list[Question] = []

    def __call__(self, question: Question) -> Reply[Permission]:
        self.asked.append(question)
        reply: Reply[Permission] = Reply()
        reply.resolve(self.answer)
        return reply


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""


@pytest.fixture
def person() -> Person:
    return Person()


@pytest.fixture
def known() -> TypeKnowledge:
    return TypeKnowledge.stock()


@pytest.fixture
def index(store: Store, tmp_path: Path) -> ClassIndex:
    """An index that imports in this process, for speed; the child has tests of its own."""
    return ClassIndex(store, tmp_path / "cache", lambda installed: declared_by(installed.path))


@pytest.fixture
def node(crank: HandCranked, problems: Problems, known: TypeKnowledge) -> Node:
    return Node(crank, problems, known.matcher, ValueBridges())


@pytest.fixture
def loader(node: Node, known: TypeKnowledge, index: ClassIndex, modules: Modules, person: Person) -> Loader:
    acquirer = Acquirer(index)
    learn_library(known, acquirer, person)
    return Loader(
        node, known, LibraryClasses(node, known, LoadedLibraries(known, index, modules), acquirer, person)
    )


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder that a local server offers, and its URL."""
    folder = tmp_path / "site"
    folder.mkdir()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield folder, f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def packed(bundle: Bundle) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("metadata.xml", write_metadata(bundle.metadata))
        for name, data in bundle.files.items():
            archive.writestr(f"data/{name}", data)
    return stream.getvalue()


def box(*needs: Requirement, id_: str = BOX) -> Reference:
    return Reference(id_, (Parameter("title", Plain("string", "ours")),), requires=needs)


def built(loader: Loader, crank: HandCranked, thing: Object) -> ProxyHandle:
    reply = loader.dereference(thing)
    crank.wait(lambda: reply.settled)
    return reply.value()


def refused(loader: Loader, crank: HandCranked, problems: Problems, thing: Object) -> DereferenceError:
    with pytest.raises(DereferenceError) as caught:
        built(loader, crank, thing)
    (problem,) = problems
    assert problem.where == caught.value.where
    return caught.value


def module_of(handle: ProxyHandle) -> str:
    return type(handle.proxy().instance).__module__


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


def test_a_library_that_is_not_allowed_is_not_fetched(
    loader: Loader, crank: HandCranked, problems: Problems, person: Person, index: ClassIndex
) -> None:
    person.answer = Permission.NO
    need = Requirement(NAME, 1, url="file:///nothing/box.zip")
    error = refused(loader, crank, problems, box(need))
    assert "nobody allowed fetching it from file:///nothing/box.zip" in error.what
    assert error.kind is Kind.DECLINED
    problems.clear()
    person.answer = Permission.KEPT
    error = refused(loader, crank, problems, box(need))
    assert error.kind is Kind.UNBUILT, "it was allowed, and is not there"
    assert list(index.store.all()) == []


def test_the_fault_names_the_part_that_needs_the_library(
    loader: Loader, crank: HandCranked, problems: Problems
) -> None:
    outer = Reference("liven:text", (Parameter("channel", box(Requirement("1234", 7))),))
    error = refused(loader, crank, problems, outer)
    assert error.where[1:] == ("Parameter[channel]", "Value")
    assert f"library {0x1234:032X}: version 7 or higher is not installed" in error.what


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("", NAME, 1, "ab" * 32), "and the reference pins abab"),
        (("", "77", 1, ""), f"gave the library {NAME}`1, not {0x77:032X} version 1"),
        (("", NAME, 2, ""), f"gave the library {NAME}`1, not {NAME} version 2"),
        (("x", NAME, 1, ""), "the server says 404"),
    ],
)
def test_another_library_than_the_required_one_is_not_installed(
    loader: Loader,
    crank: HandCranked,
    problems: Problems,
    index: ClassIndex,
    make: Make,
    site: tuple[Path, str],
    given: tuple[str, str, int, str],
    words: str,
) -> None:
    folder, address = site
    (folder / "box.zip").write_bytes(packed(make()))
    more, name, version, sha256 = given
    need = Requirement(name, version, sha256, url=f"{address}/box.zip{more}")
    error = refused(loader, crank, problems, box(need))
    assert words in error.what
    assert list(index.store.all()) == []


def test_pinning_the_hash_of_the_archive_is_explained(
    loader: Loader, crank: HandCranked, problems: Problems, make: Make, site: tuple[Path, str]
) -> None:
    folder, address = site
    data = packed(make())
    (folder / "box.zip").write_bytes(data)
    need = Requirement(NAME, 1, hashlib.sha256(data).hexdigest(), url=f"{address}/box.zip")
    error = refused(loader, crank, problems, box(need))
    assert f"gave library {NAME}`1 of sha256 {make().sha256}, as `liven library list` shows it" in error.what
    assert "which is that of the file, not of the library in it" in error.what


def test_the_error_for_a_fetched_module_without_a_name_shows_the_required_one(
    loader: Loader, crank: HandCranked, problems: Problems, site: tuple[Path, str]
) -> None:
    folder, address = site
    (folder / "box.py").write_text("x = 1\n")
    error = refused(loader, crank, problems, box(Requirement(NAME, 3, url=f"{address}/box.py")))
    assert f'write LIBRARY = "{NAME}`3" at the top of it, at {address}/box.py' in error.what
    assert "--id" not in error.what


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("raise ValueError('seven')", "importing it raised ValueError: seven"),
        ("import sys; sys.exit(1)", "ends the program"),
        ("import main", "imports its own module"),
    ],
)
def test_code_that_cannot_be_imported_is_one_problem_and_is_not_installed(
    loader: Loader,
    crank: HandCranked,
    problems: Problems,
    index: ClassIndex,
    make: Make,
    site: tuple[Path, str],
    text: str,
    words: str,
) -> None:
    folder, address = site
    bad = make(main=text)
    (folder / "bad.zip").write_bytes(packed(bad))
    error = refused(loader, crank, problems, box(Requirement(NAME, 1, url=f"{address}/bad.zip")))
    assert words in error.what
    assert list(index.store.all()) == []


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
