"""The store on disk: versions side by side, complete or absent, and damage that is reported."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Thread

import pytest

from liven.runtime.library.errors import CodeError, DamagedError, InstalledOtherwiseError, MissingLibraryError
from liven.runtime.library.fetching.bundle import Bundle
from liven.runtime.library.store import Damaged, Installed, Store
from liven.runtime.reference.model import Requirement
from liven.runtime.signing.own_key import make_key
from liven.runtime.signing.signature import Signed

Make = Callable[..., Bundle]
Install = Callable[..., Installed]
NAME = "ABCDEF0123456789ABCDEF0123456789"


def test_a_library_has_the_layout_of_the_original_program(store: Store, make: Make) -> None:
    installed, new = store.add(make(version=3))
    assert new
    assert installed.path == store.root / NAME / "3"
    assert (installed.path / "metadata.xml").is_file()
    assert (installed.path / "data" / "box.py").is_file()
    assert installed.verified() == make(version=3).sha256 == installed.metadata.sha256
    assert installed.library == f"{NAME}`3"


def test_the_same_again_is_nothing_new(store: Store, make: Make) -> None:
    first, _ = store.add(make())
    again, new = store.add(make())
    assert (again, new) == (first, False)


def test_files_that_are_added_to_a_library_later_are_for_the_user_alone(
    store: Store, make: Make, tmp_path: Path
) -> None:
    installed, _ = store.add(make(), fetched_from="https://example.org/box.py")
    signature = make_key(tmp_path / "ann", "Ann").sign(Signed.LIBRARY, make().sha256)
    store.add(replace(make(), signature=signature))
    added = [installed.path / name for name in ("installed-by-person", "signature.json")]
    assert [path.stat().st_mode & 0o777 for path in added] == [0o600, 0o600]
    added[0].unlink()
    store.mark_fetched({make().sha256: "https://example.org/box.py"})
    assert (installed.path / "fetched-from").stat().st_mode & 0o777 == 0o600


def test_other_content_under_the_same_version_is_refused_and_changes_nothing(
    store: Store, make: Make
) -> None:
    installed, _ = store.add(make())
    with pytest.raises(InstalledOtherwiseError, match="give the new content a new version"):
        store.add(make(box="x = 1"))
    assert installed.verified() == make().sha256


def test_versions_lie_side_by_side_the_highest_first(store: Store, install: Install) -> None:
    for version in (2, 10, 1):
        install(version)
    assert [one.version for one in store.versions(int(NAME, 16))] == [10, 2, 1]
    assert sorted(path.name for path in (store.root / NAME).iterdir()) == ["1", "10", "2"]


@pytest.mark.parametrize(("wanted", "found"), [(0, 5), (1, 5), (5, 5)])
def test_a_version_means_that_one_or_a_higher_one(
    store: Store, install: Install, wanted: int, found: int
) -> None:
    install(2)
    install(5)
    assert store.find(Requirement(NAME.lower(), wanted)).version == found


def test_a_hash_means_exactly_that_content(store: Store, install: Install) -> None:
    old = install(2)
    install(5)
    assert store.find(Requirement(NAME, 1, old.sha256())).version == 2


def test_the_error_for_a_missing_version_lists_the_installed_ones(store: Store, install: Install) -> None:
    install(2)
    with pytest.raises(
        MissingLibraryError, match=r"version 3 or higher is not installed \(installed: version 2\)"
    ):
        store.find(Requirement(NAME, 3))
    with pytest.raises(MissingLibraryError, match="the one of sha256 abababab"):
        store.find(Requirement(NAME, 1, "ab" * 32))
    with pytest.raises(MissingLibraryError, match="no version of it is installed"):
        store.find(Requirement("1234", 1))
    with pytest.raises(MissingLibraryError, match="library example:notes"):
        store.find(Requirement("example:notes"))


def test_a_removed_library_is_gone_and_the_others_stay(store: Store, install: Install) -> None:
    first, second = install(1), install(2)
    store.remove(first)
    assert [one.version for one in store.versions(int(NAME, 16))] == [2]
    store.remove(second)
    assert not (store.root / NAME).exists()
    assert list(store.all()) == []


def test_an_empty_store_is_not_an_error(tmp_path: Path) -> None:
    assert list(Store(tmp_path / "nothing").all()) == []


def rename(one: Installed) -> None:
    one.path.rename(one.path.with_name("7"))


def spoil(one: Installed) -> None:
    (one.path / "metadata.xml").write_text("<Library")


def lose(one: Installed) -> None:
    (one.path / "metadata.xml").unlink()


def empty(one: Installed) -> None:
    shutil.rmtree(one.path / "data")


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (rename, f"its metadata.xml says it is {NAME}`1"),
        (spoil, "metadata.xml: line 1"),
        (lose, "metadata.xml: "),
        (empty, "it has no folder data/"),
    ],
)
def test_a_damaged_library_is_listed_as_such_and_hides_no_other(
    store: Store, install: Install, harm: Callable[[Installed], None], words: str
) -> None:
    install(2)
    harm(install(1))
    damaged = [one for one in store.all() if isinstance(one, Damaged)]
    assert [words in one.reason for one in damaged] == [True]
    assert [one.version for one in store.versions(int(NAME, 16))] == [2]


def change(one: Installed) -> None:
    (one.data / "box.py").write_text("x = 1")


def add(one: Installed) -> None:
    (one.data / "more.pyc").write_text("x")


def drop(one: Installed) -> None:
    (one.data / "box.py").unlink()


def link(one: Installed) -> None:
    (one.data / "more.py").symlink_to("/etc/passwd")


@pytest.mark.parametrize("harm", [change, add, drop, link])
def test_files_that_are_not_those_installed_are_found_out(
    install: Install, harm: Callable[[Installed], None]
) -> None:
    installed = install(1)
    harm(installed)
    with pytest.raises(DamagedError, match="remove it with `liven library remove`"):
        installed.verified()


def test_a_library_of_the_original_has_no_hash_and_is_accepted(store: Store) -> None:
    place = store.root / "12" / "4"
    (place / "data").mkdir(parents=True)
    (place / "metadata.xml").write_text('<Library id="12`4"><Include filename="x.dll"/></Library>')
    (found,) = store.all()
    assert isinstance(found, Installed)
    assert found.verified() == found.sha256()


def test_a_crash_while_writing_leaves_nothing_behind(
    store: Store, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "rename", full)
    with pytest.raises(OSError, match="No space"):
        store.add(make())
    assert list(store.all()) == []
    assert list((store.root / ".incoming").iterdir()) == []


def test_a_disk_that_is_full_while_the_files_are_written_leaves_nothing_behind(
    store: Store, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        store.add(make())
    assert list((store.root / ".incoming").iterdir()) == []


def test_a_new_library_is_tried_before_it_is_installed(store: Store, make: Make) -> None:
    def refuse(installed: Installed) -> None:
        assert list(store.all()) == [], "nobody can find it yet"
        assert installed.verified() == make().sha256
        raise CodeError(installed.library, "it cannot be imported")

    with pytest.raises(CodeError, match="cannot be imported"):
        store.add(make(), refuse)
    assert store.places() == []
    assert list((store.root / ".incoming").iterdir()) == []


def test_leftovers_of_an_old_crash_are_deleted(store: Store, make: Make) -> None:
    left = store.root / ".incoming" / "left"
    left.mkdir(parents=True)
    fresh = store.root / ".incoming" / "fresh"
    fresh.mkdir()
    os.utime(left, (0, 0))
    store.add(make())
    assert not left.exists()
    assert fresh.exists(), "another process may be writing there"


def test_many_that_install_the_same_at_once_all_succeed_and_one_is_first(store: Store, make: Make) -> None:
    answers: list[bool] = []
    threads = [Thread(target=lambda: answers.append(store.add(make())[1])) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [False] * 7 + [True]
    assert list((store.root / ".incoming").iterdir()) == []


def test_a_library_allowed_once_is_deleted_with_the_process(tmp_path: Path, make: Make) -> None:
    store = Store(tmp_path / "libraries", tmp_path / "run")
    installed, new = store.add(make(), keep=False)
    assert new
    assert store.find(Requirement(NAME, 1)) == installed
    assert not (tmp_path / "libraries").exists()
    assert store.add(make(), keep=False) == (installed, False)
    store.close()
    assert list(store.all()) == []
    assert list((tmp_path / "run").iterdir()) == []


def test_an_installed_library_is_not_stored_again_for_once(tmp_path: Path, make: Make) -> None:
    store = Store(tmp_path / "libraries", tmp_path / "run")
    kept, _ = store.add(make())
    assert store.add(make(), keep=False) == (kept, False)
    assert not (tmp_path / "run").exists()


def test_a_library_allowed_once_can_be_kept_later(tmp_path: Path, make: Make) -> None:
    store = Store(tmp_path / "libraries", tmp_path / "run")
    store.add(make(), keep=False)
    kept, new = store.add(make())
    assert new
    store.close()
    assert list(store.all()) == [kept]


_FOR_ONCE = """
import pathlib, sys
from liven.runtime.library.temporary_folder import TemporaryFolder
folder = TemporaryFolder(pathlib.Path(sys.argv[1]), "libraries-")
print(folder.path, flush=True)
sys.stdin.read()
"""


def test_only_a_killed_process_loses_its_temporary_libraries(tmp_path: Path, make: Make) -> None:
    """Process ids do not matter: a living process may be on another machine."""
    below = tmp_path / "run"
    with Popen([sys.executable, "-c", _FOR_ONCE, str(below)], stdin=PIPE, stdout=PIPE, text=True) as other:
        assert other.stdout is not None
        left = Path(other.stdout.readline().strip())
        store = Store(tmp_path / "libraries", below)
        store.add(make(), keep=False)
        assert left.exists()
        other.kill()
    another = Store(tmp_path / "libraries", below)
    another.add(make(), keep=False)
    assert not left.exists()
    assert len(list(store.all())) == 1
    store.close()
    another.close()
    assert list(below.iterdir()) == []


def test_a_folder_without_a_lock_is_deleted_when_it_is_old(tmp_path: Path, make: Make) -> None:
    fresh, old = (tmp_path / "run" / f"libraries-{name}" for name in ("fresh", "old"))
    for folder in (fresh, old):
        folder.mkdir(parents=True)
    os.utime(old, (0, 0))
    store = Store(tmp_path / "libraries", tmp_path / "run")
    store.add(make(), keep=False)
    assert fresh.exists()
    assert not old.exists()
    store.close()


def test_other_content_than_what_was_allowed_for_once_is_refused_with_what_helps(
    tmp_path: Path, make: Make
) -> None:
    store = Store(tmp_path / "libraries", tmp_path / "run")
    store.add(make(), keep=False)
    with pytest.raises(InstalledOtherwiseError, match="end this program, and start it again"):
        store.add(make(box="x = 1"), keep=False)
    store.close()
