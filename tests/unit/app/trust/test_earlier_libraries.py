"""Libraries of earlier versions: one that a recipe brought runs confined, one of the person's own does
not."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.app.trust.earlier_libraries import mark_earlier_libraries
from liven.app.trust.trust_store import TrustStore
from liven.runtime.library.fetching.bundle import Bundle
from liven.runtime.library.placement import Placement
from liven.runtime.library.store import Installed, Store
from liven.runtime.library.trust import Question
from liven.runtime.reference.model import Reference
from liven.runtime.reference.xml.metadata import Metadata
from liven.runtime.user_folders import UserFolders

THING = Reference("C0FF1E00000000000000000000000002")


@pytest.fixture
def folders(tmp_path: Path) -> UserFolders:
    return UserFolders.below(tmp_path)


def bundle(version: int) -> Bundle:
    return Bundle(Metadata(0xC0FF1E, version, ("echo.py",), "echo"), {"echo.py": b"pass"})


def installed_earlier(folders: UserFolders, version: int) -> Installed:
    """Install a library as earlier versions did: nothing says where it is from."""
    found, _ = Store(folders.data / "libraries").add(bundle(version))
    (found.path / "installed-by-person").unlink(missing_ok=True)
    return found


def trust(folders: UserFolders, one: Installed) -> None:
    question = Question("C0FF1E", one.version, one.recorded(), "", "https://e.test/echo.zip", "echo")
    TrustStore.of(folders).remember(question)


def test_what_a_recipe_brought_is_confined_from_now_on(folders: UserFolders) -> None:
    brought, own = installed_earlier(folders, 1), installed_earlier(folders, 2)
    trust(folders, brought)
    mark_earlier_libraries(folders)
    assert Placement().confines(brought, THING)
    assert not Placement().confines(own, THING)
    assert (brought.path / "fetched-from").read_text() == "https://e.test/echo.zip"


def test_a_library_that_the_person_vouches_for_stays_their_own(folders: UserFolders) -> None:
    brought = installed_earlier(folders, 1)
    trust(folders, brought)
    mark_earlier_libraries(folders)
    Store(folders.data / "libraries").add(bundle(1))
    mark_earlier_libraries(folders)
    assert not Placement().confines(brought, THING)


def test_a_library_of_this_version_that_the_person_installed_stays_their_own(folders: UserFolders) -> None:
    own, _ = Store(folders.data / "libraries").add(bundle(1))
    trust(folders, own)
    mark_earlier_libraries(folders)
    assert not Placement().confines(own, THING)


def test_nothing_is_made_where_there_are_no_libraries(folders: UserFolders) -> None:
    mark_earlier_libraries(folders)
    assert not folders.data.exists()
