"""A recipe whose library is missing: nothing is fetched without a yes, and only the right content stays."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from tests.unit.runtime.library.classes.library_recipes import (
    NAME,
    Make,
    Person,
    box,
    packed,
    refused,
)

from liven.runtime.dispatcher import HandCranked
from liven.runtime.library.classes.class_index import ClassIndex
from liven.runtime.library.trust import Permission
from liven.runtime.loader import Loader
from liven.runtime.problems import Kind, Problems
from liven.runtime.reference.model import (
    Component,
    Composite,
    Requirement,
)


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


def test_a_host_that_sends_on_to_another_is_asked_about_again(
    loader: Loader, crank: HandCranked, person: Person, make: Make, site: tuple[Path, str], problems: Problems
) -> None:
    """The answer is no; then nothing was fetched from there."""
    folder, address = site
    (folder / "box.zip").write_bytes(packed(make()))
    person.answers = [Permission.ONCE, Permission.NO]
    error = refused(loader, crank, problems, box(Requirement(NAME, 1, url=f"{address}/away/box.zip")))
    assert "nobody allowed fetching it from http://localhost:" in str(error)
    first, second = person.asked
    assert (first.url, first.sent_on_from) == (f"{address}/away/box.zip", "")
    assert second.url == address.replace("127.0.0.1", "localhost") + "/box.zip"
    assert second.sent_on_from == "127.0.0.1"


def test_all_libraries_of_a_recipe_are_asked_about_before_the_first_is_fetched(
    loader: Loader, crank: HandCranked, person: Person, problems: Problems
) -> None:
    """Many questions are one list then, which a person answers at once."""
    person.later = True
    needs = [Requirement(f"{number:032X}", 1, url=f"https://e{number}.test/x.py") for number in range(1, 6)]
    whole = Composite(components=tuple(Component(f"p{at}", box(one)) for at, one in enumerate(needs)))
    reply = loader.dereference(whole)
    crank.wait(lambda: len(person.asked) == 5)
    assert {one.url for one in person.asked} == {one.url for one in needs}
    person.replies[0].resolve(Permission.NO)
    crank.wait(lambda: reply.settled)
    assert all(one.settled for one in person.replies), "nobody waits for the other answers"
    (problem,) = problems
    assert problem.kind is Kind.DECLINED
