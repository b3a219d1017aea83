"""The registry's entries on disk: found in every spelling, written in one step, refused with a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.process.builtin_objects import learn_stock
from liven.runtime.reference.model import Object, Parameter, Plain, Reference
from liven.runtime.reference.well_known_keys import WELL_KNOWN
from liven.runtime.reference.xml import write
from liven.runtime.registry.defaults import stock_defaults
from liven.runtime.registry.store import EntryError, RegistryStore

COMMUNICATION = "011E83FA6A9F426993BB8EF26FF7D7B8"
FOLDER = Reference("liven:memory-folder", (Parameter("name", Plain("string", "ours")),))


@pytest.fixture(scope="module")
def known() -> TypeKnowledge:
    return learn_stock(TypeKnowledge.stock())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "registry"


@pytest.fixture
def registry(root: Path, known: TypeKnowledge) -> RegistryStore:
    return RegistryStore(root, known.checker, stock_defaults())


def lay(root: Path, key: str, thing: Object | bytes, name: str = "any name") -> Path:
    path = root / key / f"{name}.liveobject"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(thing if isinstance(thing, bytes) else write(thing))
    return path


def test_every_well_known_key_has_a_default(registry: RegistryStore) -> None:
    entries = registry.entries()
    assert set(entries) == {one.id for one in WELL_KNOWN}
    assert entries[COMMUNICATION].usable
    assert not any(entry.refused for entry in entries.values())


def test_the_defaults_are_of_the_classes_that_their_keys_stand_for(
    known: TypeKnowledge, tmp_path: Path
) -> None:
    bare = RegistryStore(tmp_path, known.checker)
    for key, thing in stock_defaults().items():
        bare.put(key, thing)
    assert not any(entry.refused for entry in bare.entries().values())


@pytest.mark.parametrize(
    "folder", [COMMUNICATION, COMMUNICATION[1:].lower(), f"{{{COMMUNICATION}}}", "communication"]
)
@pytest.mark.parametrize("key", [COMMUNICATION, f"0:{COMMUNICATION}`0", "communication"])
def test_a_file_is_found_under_every_spelling_of_its_key(
    registry: RegistryStore, root: Path, folder: str, key: str
) -> None:
    path = lay(root, folder, FOLDER)
    entry = registry.find(key)
    assert entry is not None
    assert (entry.object, entry.path) == (FOLDER, path)
    assert len(registry.entries()) == len(WELL_KNOWN)


def test_a_short_name_is_a_key_like_any_other(registry: RegistryStore, root: Path) -> None:
    lay(root, "MyPlatform", Reference("liven:text", (Parameter("channel"),)))
    entry = registry.find("MyPlatform")
    assert entry is not None
    assert entry.usable
    assert registry.find("myplatform") is None


def test_a_null_entry_switches_a_default_off(registry: RegistryStore, root: Path) -> None:
    lay(root, COMMUNICATION, Reference())
    entry = registry.find(COMMUNICATION)
    assert entry is not None
    assert not entry.usable
    assert not entry.refused


REFUSED: list[tuple[Object | bytes, str]] = [
    (b"<Root", "not well-formed"),
    (b"", "not well-formed"),
    (b"<Root/>", "holds no object"),
    (Reference("123456789"), f"no object {0x123456789:032X} is known here"),
    (Reference("liven:text"), "is not given its parameter 'channel'"),
    (Reference("liven:text", (Parameter("channel"),)), "must be a liven:folder<text, liven:object>"),
]


@pytest.mark.parametrize(("thing", "words"), REFUSED, ids=[words[:20] for _, words in REFUSED])
def test_an_invalid_entry_is_refused_with_the_file_and_the_reason(
    registry: RegistryStore, root: Path, thing: Object | bytes, words: str
) -> None:
    path = lay(root, COMMUNICATION, thing)
    entry = registry.find(COMMUNICATION)
    assert entry is not None
    assert str(path) in entry.refused
    assert words in entry.refused
    assert not entry.usable, "nor does the default stand in for it"
    assert len(registry.entries()) == len(WELL_KNOWN)


@pytest.mark.parametrize("count", [0, 2])
def test_an_entry_is_one_file(registry: RegistryStore, root: Path, count: int) -> None:
    (root / "MyPlatform").mkdir(parents=True)
    (root / "MyPlatform" / "note.txt").touch()
    for number in range(count):
        lay(root, "MyPlatform", FOLDER, f"file {number}")
    entry = registry.find("MyPlatform")
    assert entry is not None
    assert f"holds {count} files" in entry.refused


def test_a_file_that_cannot_be_read_is_refused_and_the_others_stay(
    registry: RegistryStore, root: Path
) -> None:
    (root / "MyPlatform" / "a.liveobject").mkdir(parents=True)
    lay(root, "Other", FOLDER)
    entry = registry.find("MyPlatform")
    assert entry is not None
    assert "Is a directory" in entry.refused
    other = registry.find("Other")
    assert other is not None
    assert other.usable


def test_an_edited_file_is_seen_at_the_next_check(registry: RegistryStore, root: Path) -> None:
    path = lay(root, "MyPlatform", FOLDER)
    first = registry.find("MyPlatform")
    assert registry.find("MyPlatform") is first, "and is not read again while it stays the same"
    path.write_bytes(write(Reference("liven:memory-folder")) + b"\n")
    second = registry.find("MyPlatform")
    assert second is not None
    assert second.object == Reference("liven:memory-folder")
    path.unlink()
    path.parent.rmdir()
    assert registry.find("MyPlatform") is None


def test_an_entry_is_put_in_the_place_of_another(registry: RegistryStore, root: Path) -> None:
    lay(root, COMMUNICATION.lower(), Reference(), "old one")
    entry = registry.put("communication", FOLDER)
    assert entry.object == FOLDER
    assert entry.path == root / COMMUNICATION.lower() / "communication.liveobject"
    assert [path.name for path in (root / COMMUNICATION.lower()).iterdir()] == ["communication.liveobject"]
    registry.put("MyPlatform", FOLDER)
    assert (root / "MyPlatform" / "entry.liveobject").is_file()


def test_an_invalid_entry_is_not_written_and_nothing_changes(registry: RegistryStore, root: Path) -> None:
    before = registry.put("communication", FOLDER)
    for thing, words in REFUSED[3:]:
        assert isinstance(thing, Reference)
        with pytest.raises(EntryError, match="cannot take this") as caught:
            registry.put("communication", thing)
        assert words in str(caught.value)
    assert registry.find("communication") == before


@pytest.mark.parametrize("key", ["", "..", ".hidden", "a/b", "a\\b", "a\0b", "x" * 300, "a\nb"])
def test_a_key_that_would_lead_elsewhere_is_refused(registry: RegistryStore, root: Path, key: str) -> None:
    with pytest.raises(EntryError, match="cannot be a key"):
        registry.put(key, FOLDER)
    assert not root.exists()


def test_removing_an_entry_restores_the_default(registry: RegistryStore, root: Path) -> None:
    registry.put("communication", FOLDER)
    registry.remove(COMMUNICATION)
    entry = registry.find("communication")
    assert entry is not None
    assert entry.path is None
    assert list(root.iterdir()) == []
    with pytest.raises(EntryError, match="is a default; put a null reference there"):
        registry.remove("communication")
    with pytest.raises(EntryError, match="does not exist"):
        registry.remove("MyPlatform")


def test_a_registry_that_is_not_there_has_its_defaults_only(registry: RegistryStore, root: Path) -> None:
    assert len(registry.entries()) == len(WELL_KNOWN)
    root.write_text("a file where a folder should be")
    assert len(registry.entries()) == len(WELL_KNOWN)
