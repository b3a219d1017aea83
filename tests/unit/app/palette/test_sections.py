"""The sections of the palette: files, samples and the registry, and their order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from liven.app.palette.new_objects import KINDS, Kind
from liven.app.palette.sections import (
    LARGEST,
    MOST_FILES,
    NEW,
    ExistingObject,
    PaletteSections,
    Section,
    find_samples,
    is_new,
    kinds_in,
    registered,
    samples_in,
)
from liven.runtime.reference.model import NAME, Attribute, Object, Reference
from liven.runtime.reference.well_known_keys import canonical_key
from liven.runtime.reference.xml import write
from liven.runtime.registry.store import Entry
from liven.runtime.testing.immediate_workers import ImmediateWorkers

SAMPLES = Path(__file__).parents[4] / "samples"


def called(name: str) -> Object:
    return Reference("liven:text", attributes=(Attribute(NAME, name),))


def test_objects_of_a_folder_are_offered_by_their_names_and_files_that_hold_none_are_left_out(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.liveobject").write_bytes(write(called("Rota")))
    (tmp_path / "b.liveobject").write_bytes(write(Reference("liven:text")))
    (tmp_path / "c.liveobject").write_bytes(b"nonsense")
    (tmp_path / "d.liveobject").write_bytes(b" " * (LARGEST + 1))
    (tmp_path / "e.liveobject").mkdir()
    (tmp_path / "f.txt").write_bytes(write(called("Text")))
    assert kinds_in(tmp_path) == [
        Kind("Rota", f"from {tmp_path.name}", ExistingObject(called("Rota"))),
        Kind("b", f"from {tmp_path.name}", ExistingObject(Reference("liven:text"))),
    ]


def test_a_missing_folder_has_no_objects(tmp_path: Path) -> None:
    assert kinds_in(tmp_path / "none") == []
    assert samples_in(tmp_path / "none") == []
    assert samples_in(None) == []


def test_no_more_files_are_read_than_are_listed(tmp_path: Path) -> None:
    own, desk, objects = tmp_path / "own", tmp_path / "desk", tmp_path / "objects"
    for folder, count in ((own, MOST_FILES + 5), (desk, 3), (objects, 3)):
        folder.mkdir()
        for number in range(count):
            (folder / f"{number:04}.liveobject").write_bytes(write(called(f"{number}")))
    assert len(kinds_in(own)) == MOST_FILES
    assert [one.words for one in samples_in(tmp_path, 4)] == [
        *["a sample, from samples/desk"] * 3,
        "a sample, from samples/objects",
    ]


def test_samples_are_found_only_in_the_checkout(tmp_path: Path) -> None:
    assert find_samples(SAMPLES.parent / "app" / "liven" / "app" / "desk" / "house.py") == SAMPLES
    (tmp_path / "samples").mkdir()
    assert find_samples(tmp_path / "liven" / "app") is None


def test_every_sample_is_offered() -> None:
    assert len(samples_in(SAMPLES)) == len(list(SAMPLES.rglob("*.liveobject")))


def test_usable_registry_entries_are_offered() -> None:
    uplink = canonical_key("uplink")
    entries = [
        Entry("rota", called("Rota")),
        Entry("bare", Reference("liven:text")),
        Entry("off", Reference()),
        Entry("bad", None, "it is broken"),
        Entry(uplink, called("Way out")),
    ]
    found = {one.name: one for one in registered(entries)}
    assert set(found) == {"Rota", "bare", "uplink"}
    assert found["Rota"].make("anything") == called("Rota")
    assert found["uplink"].words == "registry: the way to networks beyond this one"
    assert len(registered([Entry(f"{one}", called("x")) for one in range(MOST_FILES + 1)])) == MOST_FILES


def test_the_entries_of_new_objects_are_new_and_others_are_not() -> None:
    made = [kind for section in NEW for kind in section.kinds]
    assert all(is_new(kind) for kind in made)
    assert {kind.name for kind in KINDS} <= {kind.name for kind in made}
    assert not is_new(Kind("Note", "a note of mine", ExistingObject(called("Note"))))


def test_an_unreadable_registry_leaves_the_other_sections(tmp_path: Path) -> None:
    class Broken:
        def look(self) -> tuple[str, ...]:
            raise PermissionError(13, "Permission denied")

        def judged(self, found: tuple[str, ...]) -> dict[str, Entry]:
            return {one: Entry(one, called(one)) for one in found}

    (tmp_path / "a.liveobject").write_bytes(write(called("Rota")))
    book: Any = Broken()
    got: list[tuple[Section, ...]] = []
    posted: list[Callable[[], object]] = []
    PaletteSections(tmp_path, None, book, ImmediateWorkers(), posted.append).ask(got.append)
    assert not got  # on the thread of the objects, and not before
    posted[0]()
    assert [(one.title, len(one.kinds)) for one in got[0]] == [
        ("Your objects", 1),
        ("Samples", 0),
        ("Registry", 0),
    ]
