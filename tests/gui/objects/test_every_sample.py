"""Every sample, and every file of the original program with a view, opens to a live view."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from liven.runtime.errors import DereferenceError
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Reference
from liven.runtime.reference.xml import read

if TYPE_CHECKING:
    from tests.gui.objects.conftest import Room

ROOT = Path(__file__).parents[3]
SAMPLES = sorted([*(ROOT / "samples" / "objects").glob("*"), *(ROOT / "samples" / "desk").glob("*")])
CORPUS = os.environ.get("LIVEN_CORPUS", "")
KINDS = {
    "E3EA16F4ECC84B3B998E01F3B78E9AC9": "Text",
    "570482D150074A5381C8F5FD8C348503": "Desktop",
    "A23A3D5432FB40BAB87181FD0943299A": "Folder",
    "0C4E4E5F6DB24C04910D1CBE473CBE24": "FolderView",
    "88D82BF52EA1496696002257989DE3D3": "Image",
    "C3073050408D40529B63DD5BD932319D": "Window",
    "369286FE08334A4BAF34D57BBFFC1D0A": "Colour",
}
ABSENT = "there is no code here for object liven:centralized-channel"
"""Why those that do not open do not: they name the original's central server, and where it was."""


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_each_sample_is_shown(room: Room, path: Path) -> None:
    room.furnish()
    thing = read(path.read_bytes()).object
    made = room.person("ann").load(thing)
    room.house.advance(2)
    view = room.show(made)
    room.widget(view, 400, 300).grab()
    room.painted(view)
    view.actions()
    assert view.size_hint().isValid()
    assert room.told.words == []


@pytest.mark.slow
@pytest.mark.skipif(not CORPUS, reason="corpus: absent (LIVEN_CORPUS names no folder of original files)")
def test_every_original_file_with_a_view_shows_or_names_its_missing_channel(room: Room) -> None:
    room.furnish()
    shown: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for path in sorted(Path(CORPUS).rglob("*.liveobject")):
        thing = original(path)
        if thing is None:
            continue
        error = opened(room, thing)
        if error is None:
            shown[KINDS[str(thing.id)]] += 1
        else:
            assert ABSENT in str(error), f"{path}: {error}"
            refused[KINDS[str(thing.id)]] += 1
    assert shown["Folder"] >= 20 and not refused["Folder"]
    assert shown["Image"] == 3 and not refused["Image"]
    assert shown["FolderView"] >= 6 and shown["Desktop"] >= 4 and shown["Text"] >= 8
    assert sum(refused.values()) <= 2


def original(path: Path) -> Reference | None:
    """Return the object in a file of the original program if it has a view."""
    try:
        thing = read(path.read_bytes()).object
    except ReadError:
        return None
    ours = isinstance(thing, Reference) and thing.source is None and thing.id in KINDS
    return thing if ours and isinstance(thing, Reference) else None


def opened(room: Room, thing: Reference) -> DereferenceError | None:
    """Open an object in its own process, look at it and close it. Return the reason if that fails, or
    None."""
    person = room.person()
    try:
        made = person.load(thing)
    except DereferenceError as error:
        room.forgive()
        return error
    room.house.advance(2)
    look(room, room.show(made))
    made.close()
    room.house.advance(3)
    return None


def look(room: Room, view: Any) -> None:
    room.widget(view).grab()
    room.painted(view)
    room.unshow(view)
