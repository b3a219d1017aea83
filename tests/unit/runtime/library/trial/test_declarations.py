"""The declarations of a bundle's modules, and contradictions among them or with the built-in types."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from liven.runtime.library.errors import CodeError, DamagedError
from liven.runtime.library.fetching.bundle_import import PREFIX
from liven.runtime.library.store import Installed, Store
from liven.runtime.library.trial.declarations import declared_by

Install = Callable[..., Installed]
NAMES = "Exports, interface, object_type, proxy"
HEAD = f"from __future__ import annotations\nfrom liven.types.declare import {NAMES}\n"
POST = "@interface\nclass Post:\n    def say(self, words: {words}) -> None: ...\n"
BOX = (
    "@proxy(id={id!r})\nclass Box:\n    box: Exports[Post]\n    def say(self, words: {words}) -> None: ...\n"
)
ID = "11112222333344445555666677778888"


def code(words: str = "str", id_: str = ID) -> str:
    return HEAD + POST.format(words=words) + BOX.format(id=id_, words=words)


def test_every_kind_of_class_is_listed_with_its_module_and_lines(install: Install) -> None:
    text = code() + "@object_type(id='AA')\nclass Has:\n    box: Exports[Post]\n"
    post, box, has = declared_by(install(1, main=text).path)
    assert (post.kind, box.kind, has.kind) == ("interface", "component", "object")
    assert {one.module for one in (post, box, has)} == {"main.py"}
    assert has.id == f"{0xAA:032X}"
    assert has.lines == ("box: endpoint {in say({words: text})}",)


def test_nothing_of_it_stays_loaded(install: Install) -> None:
    declared_by(install(1, main=code()).path)
    assert [name for name in sys.modules if name.startswith(PREFIX)] == []


def test_a_module_that_declares_nothing_declares_nothing(install: Install) -> None:
    assert declared_by(install(1, main="x = 1").path) == ()


def test_only_what_is_included_is_scanned(install: Install) -> None:
    installed = install(1, main="from . import other", other=code())
    assert declared_by(installed.path) == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (code() + "@proxy(id='" + ID + "')\nclass Other:\n    pass\n", "also belongs to"),
        (code(id_="not an id"), "is not an id"),
        (HEAD + BOX.format(id=ID, words="str"), "`Post` is not a name here"),
        (
            HEAD + POST.format(words="object"),
            "DeclarationError: main.Post.say(words): object cannot be sent",
        ),
        (
            HEAD + "@object_type(id='D111EEF8754D4EB98ABD90B0260AEF93')\nclass Mine:\n    pass\n",
            "declared twice",
        ),
    ],
)
def test_a_wrong_declaration_is_an_error_for_the_author(install: Install, text: str, words: str) -> None:
    with pytest.raises(CodeError) as caught:
        declared_by(install(1, main=text).path)
    assert words in str(caught.value), caught.value


def test_a_folder_that_is_not_a_library_is_damaged(store: Store) -> None:
    with pytest.raises(DamagedError):
        declared_by(store.root / "AB" / "1")
