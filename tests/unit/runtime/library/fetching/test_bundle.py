"""Bundles from folders, archives and single modules, and invalid ones."""

from __future__ import annotations

import hashlib
import io
import os
import stat
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from liven.runtime.library.errors import BundleError, NamelessError
from liven.runtime.library.fetching import bundle as bundles
from liven.runtime.library.fetching.bundle import Bundle, from_archive, read_bundle
from liven.runtime.reference.xml.metadata import Metadata

METADATA = '<Library id="{ABCDEF}`3" name="Notes"><Include filename="notes.py"/></Library>'


def archive(files: dict[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        for name, text in files.items():
            made.writestr(name, text)
    return stream.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "notes"
    (place / "data" / "parts").mkdir(parents=True)
    (place / "metadata.xml").write_text(METADATA)
    (place / "data" / "notes.py").write_text("x = 1\n")
    (place / "data" / "parts" / "one.txt").write_text("one")
    return place


def test_a_folder_in_the_store_s_layout_is_a_bundle(folder: Path) -> None:
    found = read_bundle(folder)
    assert (found.metadata.namespace, found.metadata.version, found.metadata.name) == (0xABCDEF, 3, "Notes")
    assert found.files == {"notes.py": b"x = 1\n", "parts/one.txt": b"one"}
    assert found.library == f"{0xABCDEF:032X}`3"


def test_caches_of_python_and_of_desktops_are_left_out(folder: Path) -> None:
    before = read_bundle(folder).sha256
    (folder / "data" / "__pycache__").mkdir()
    (folder / "data" / "__pycache__" / "notes.pyc").write_bytes(b"x")
    (folder / "data" / ".DS_Store").write_bytes(b"x")
    assert read_bundle(folder).sha256 == before


@pytest.mark.parametrize("prefix", ["", "notes-3/", "a/b/"])
def test_an_archive_holds_the_folder_or_what_is_in_it(folder: Path, tmp_path: Path, prefix: str) -> None:
    path = tmp_path / "notes.zip"
    path.write_bytes(
        archive(
            {
                f"{prefix}metadata.xml": METADATA,
                f"{prefix}data/notes.py": "x = 1\n",
                f"{prefix}data/parts/one.txt": "one",
            }
        )
    )
    assert read_bundle(path).sha256 == read_bundle(folder).sha256


def test_a_module_that_names_its_library_is_a_bundle(tmp_path: Path) -> None:
    path = tmp_path / "two_words.py"
    path.write_text('"""A module."""\nLIBRARY: str = "{abcdef}`7"\nraise SystemExit(1)\n')
    found = read_bundle(path)
    assert (found.metadata.namespace, found.metadata.version) == (0xABCDEF, 7)
    assert (found.metadata.includes, found.metadata.name) == (("two_words.py",), "two words")


def test_the_library_of_a_module_may_be_given_from_outside(tmp_path: Path) -> None:
    path = tmp_path / "notes.py"
    path.write_text('LIBRARY = "AB`1"\n')
    assert read_bundle(path, "CD`2").library == f"{0xCD:032X}`2"


@pytest.mark.parametrize(
    "text", ["x = 1\n", 'LIBRARY = "notes"\n', 'LIBRARY = f"{x}"\n', 'LIBRARY = "1:2`3"\n', "LIBRARY = 0\n"]
)
def test_a_module_that_does_not_say_which_library_it_is_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes.py"
    path.write_text(text)
    with pytest.raises(NamelessError, match=r"notes\.py (says it is|does not say which) library") as caught:
        read_bundle(path)
    mended = str(caught.value.mended_by("AB`1", ", as the reference has it"))
    assert mended.endswith('; write LIBRARY = "AB`1" at the top of it, as the reference has it')


def test_the_hash_covers_all_that_counts_and_never_changes() -> None:
    """References pin the hash: a change here would unpin every library."""
    found = from_archive("x", archive({"metadata.xml": METADATA, "data/notes.py": "x = 1\n"}))
    assert found.sha256 == "21d7d1a57eacf48b810102c65f5e1543ec7d255988af3d4007713e769387b75d"
    assert replace(found, metadata=replace(found.metadata, name="Other", sha256="ab")).sha256 == found.sha256
    assert replace(found, metadata=replace(found.metadata, version=4)).sha256 != found.sha256
    assert replace(found, files={"notes.py": b"x = 2\n"}).sha256 != found.sha256
    assert replace(found, files={"note.py": b"x = 1\n"}).sha256 != found.sha256


def test_no_file_name_can_give_other_content_the_same_hash() -> None:
    first, second = (hashlib.sha256(data).hexdigest() for data in (b"one", b"two"))
    metadata = Metadata(1, 1, ("m.py",))
    for one, other in (
        ({"a": b"one", "b": b"two"}, {f"a {first}\nb": b"two"}),
        ({"a": b"one", "b": b"two"}, {f'a","{first}"],["b': b"two"}),
    ):
        assert Bundle(metadata, one).sha256 != Bundle(metadata, other).sha256
    named = f"foo {second}"
    files = {named: b"one", "include foo": b"two"}
    included = replace(metadata, includes=("m.py", named))
    assert Bundle(metadata, files).sha256 != Bundle(included, {named: b"one"}).sha256


@pytest.mark.parametrize("name", ["a\nb.py", "a\rb", "a\x1bb", "\u202eyp.a", "\udcff", "a\x85b", "a\x7f"])
def test_a_deceptive_file_name_is_refused(folder: Path, name: str) -> None:
    (folder / "data" / name).write_bytes(b"")
    with pytest.raises(BundleError, match="is not a valid name for a file of a bundle"):
        read_bundle(folder)


def damaged(change: Callable[[dict[str, str]], object]) -> bytes:
    files = {"metadata.xml": METADATA, "data/notes.py": "x = 1\n"}
    change(files)
    return archive(files)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda files: files.pop("metadata.xml"), "holds no metadata.xml"),
        (
            lambda files: files.update({"a/b/c/metadata.xml": files.pop("metadata.xml")}),
            "holds no metadata.xml",
        ),
        (lambda files: files.update({"metadata.xml": "<Library"}), "metadata.xml: "),
        (lambda files: files.update({"metadata.xml": '<Library id="notes"/>'}), "NAMESPACE`VERSION"),
        (lambda files: files.update({"metadata.xml": '<Library id="AB`1"/>'}), "includes nothing"),
        (lambda files: files.pop("data/notes.py"), "includes 'notes.py', which is not in its data/"),
        (lambda files: files.update({"data/../x.py": "1"}), "'../x.py' is not a valid name"),
        (lambda files: files.update({"data//x.py": "1"}), "'/x.py' is not a valid name"),
        (lambda files: files.update({"data/c:x.py": "1"}), "'c:x.py' is not a valid name"),
        (lambda files: files.update({"data/a\\b.py": "1"}), "is not a valid name"),
    ],
)
def test_an_invalid_bundle_is_refused_with_the_reason(
    change: Callable[[dict[str, str]], object], words: str
) -> None:
    with pytest.raises(BundleError) as caught:
        from_archive("x.zip", damaged(change))
    assert words in str(caught.value)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("again", ["data/notes.py", "data/NOTES.py", "metadata.xml"])
def test_two_files_of_one_name_are_refused(again: str) -> None:
    stream = io.BytesIO(damaged(len))
    with zipfile.ZipFile(stream, "a") as made:
        made.writestr(again, "another")
    with pytest.raises(BundleError, match=f"x.zip holds '{again}' twice"):
        from_archive("x.zip", stream.getvalue())


def test_an_archive_that_would_unpack_to_too_much_is_refused_before_it_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bundles, "MOST_BYTES", 1000)
    big = damaged(lambda files: files.update({"data/big": "0" * 2000}))
    with pytest.raises(BundleError, match=r"holds 3 files of 2\.1 kB; the limit is"):
        from_archive("x.zip", big)
    monkeypatch.setattr(bundles, "MOST_FILES", 1)
    with pytest.raises(BundleError, match="holds 2 files"):
        from_archive("x.zip", damaged(len))


def test_an_archive_with_wrong_sizes_or_a_missing_end_is_refused() -> None:
    sound = damaged(len)
    for data in (sound[:-30], sound.replace(b"x = 1", b"x = 2"), b"PK" + b"\0" * 100, b""):
        with pytest.raises(BundleError, match="damaged or locked archive"):
            from_archive("x.zip", data)


def test_links_are_refused(folder: Path) -> None:
    (folder / "data" / "passwd").symlink_to("/etc/passwd")
    with pytest.raises(BundleError, match="is a link"):
        read_bundle(folder)
    stream = io.BytesIO(damaged(len))
    with zipfile.ZipFile(stream, "a") as made:
        link = zipfile.ZipInfo("data/link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        made.writestr(link, "/etc/passwd")
    with pytest.raises(BundleError, match="is a link"):
        from_archive("x.zip", stream.getvalue())


def test_a_missing_path_or_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="does not exist"):
        read_bundle(tmp_path / "nothing")
    (tmp_path / "note.txt").write_text("x")
    with pytest.raises(BundleError, match="is not a bundle"):
        read_bundle(tmp_path / "note.txt")
    (tmp_path / "two words.py").write_text('LIBRARY = "AB`1"')
    with pytest.raises(BundleError, match="is not a valid module name"):
        read_bundle(tmp_path / "two words.py")
    (tmp_path / "broken.py").write_text("def")
    with pytest.raises(BundleError, match="is not valid Python"):
        read_bundle(tmp_path / "broken.py")


def test_an_unreadable_file_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: Path, most: int) -> bytes:
        raise PermissionError(13, "Permission denied", f"{path} {most}")

    monkeypatch.setattr("liven.runtime.library.fetching.bundle.read_regular", denied)
    with pytest.raises(BundleError, match="cannot be read: Permission denied"):
        read_bundle(folder)


@pytest.mark.parametrize("name", ["pipe", "pipe.py", "pipe.zip"])
def test_a_pipe_is_refused_and_never_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(BundleError, match="it is a pipe or a device"):
        read_bundle(tmp_path / name)


def test_a_bundle_is_a_value() -> None:
    first = from_archive("x", damaged(len))
    assert first == from_archive("y", damaged(len))
    assert isinstance(first, Bundle)
