"""The welcome desktop: its notes, its recipe, and the file of each user."""

from __future__ import annotations

from base64 import b64decode
from pathlib import Path
from typing import Any

from liven.app.palette.new_objects import note
from liven.app.welcome_desktop.content import NOTES, first_desktop
from liven.app.welcome_desktop.initial_states import note_seed
from liven.app.welcome_desktop.location import home_desktop
from liven.liveobjects.desktop.wire import DesktopState
from liven.liveobjects.text.document import Document, Run
from liven.liveobjects.text.wire import unpacked
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.process.builtin_objects import learn_stock
from liven.runtime.reference.model import Object, Plain, Reference, name_of
from liven.runtime.reference.xml import read, write
from liven.runtime.user_folders import UserFolders
from liven.types.codec import Codec
from liven.types.declare import TermBuilder
from liven.types.terms.value_types import TEXT


def seed_of(thing: Object | None) -> bytes:
    assert isinstance(thing, Reference)
    [channel] = [one.value for one in thing.parameters if one.id == "channel"]
    assert isinstance(channel, Reference)
    [seed] = [one.value for one in channel.parameters if one.id == "seed"]
    assert isinstance(seed, Plain)
    return b64decode(seed.text)


def test_the_welcome_desktop_has_every_note_with_its_text() -> None:
    known = learn_stock(TypeKnowledge.stock())
    state: Any = Codec(TermBuilder(known.formalisms).value_of(DesktopState)).decode(
        seed_of(first_desktop("Welcome", "sample"))
    )
    assert [item["label"] for item in state["items"]] == [one.title for one in NOTES]
    for item, expected in zip(state["items"], NOTES, strict=True):
        page = Document(unpacked(Codec(TEXT).decode(seed_of(read(item["reference"].encode()).object))))
        assert str(page).splitlines() == [expected.title, *(text for text, _ in expected.lines)]
        assert page.runs()[1] == Run("\n", {"heading": 2})


def test_notes_do_not_overlap() -> None:
    for number, one in enumerate(NOTES):
        for other in NOTES[number + 1 :]:
            a, b = one.place, other.place
            assert (
                a.x + a.width <= b.x or b.x + b.width <= a.x or a.y + a.height <= b.y or b.y + b.height <= a.y
            )


def test_the_same_prefix_gives_the_same_recipe() -> None:
    assert write(first_desktop("Welcome", "x")) == write(first_desktop("Welcome", "x"))
    assert write(first_desktop("Welcome", "x")) != write(first_desktop("Welcome", "y"))


def test_the_sample_equals_the_welcome_desktop(root: Path) -> None:
    sample = root / "samples" / "desk" / "welcome.liveobject"
    assert sample.read_bytes() == write(first_desktop("Welcome", "sample welcome"))


def test_a_user_gets_their_own_desktop_and_keeps_it(tmp_path: Path) -> None:
    ann, bob = UserFolders.below(tmp_path / "ann"), UserFolders.below(tmp_path / "bob")
    mine = home_desktop(ann)
    before = mine.read_bytes()
    assert home_desktop(ann) == mine
    assert mine.read_bytes() == before
    assert home_desktop(bob).read_bytes() != before
    thing = read(before).object
    assert thing is not None
    assert name_of(thing) == "Welcome"


def test_a_recipe_without_a_seed_asks_the_registry_for_its_channel() -> None:
    assert b"seed" not in write(note("n"))
    assert b"seed" in write(note("n", "here", note_seed(("words", {}))))
