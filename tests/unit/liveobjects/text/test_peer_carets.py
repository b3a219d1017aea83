from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.testing import Processes
from liven.liveobjects.presence.object_presence import EVERY
from liven.liveobjects.presence.participant import NOBODY, Participant
from liven.liveobjects.text import caret
from liven.liveobjects.text.model import typed
from liven.liveobjects.text.object import TextObject
from liven.types.catalogue import register
from liven.types.declare import scan
from liven.types.terms.value_types import TEXT


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Processes]:
    with Processes() as made:
        register(made.known.catalogue, scan(caret), made.known.matcher)
        yield made


def note(house: Processes, name: str) -> Any:
    person = house.process(name)
    if name:
        person.node.services[Participant] = lambda: Participant(name, name.title(), "#112233")
    made = person.build(TextObject)
    channel = person.build(SharedChannel, TEXT, TEXT, name="home/f/note")
    person.connect(channel, "Channel", made, "channel")
    house.advance(2)
    return made


def write(one: Any, at: int = 0, anchor: int | None = None) -> None:
    one.instance.show_caret(lambda: (at, at if anchor is None else anchor))


def where(one: Any) -> list[tuple[str, int, int]]:
    found = one.instance.note.shown
    return sorted((each.name, found.find(each.at), found.find(each.anchor)) for each in one.instance.carets)


def test_carets_of_others_show_and_move_with_the_text(house: Processes) -> None:
    ann, bob = note(house, "ann"), note(house, "bob")
    ann.instance.note.edit("typing", typed(0, "hello world"))
    write(ann, 11, 6)
    write(bob)
    house.advance(1)
    assert where(bob) == [("Ann", 11, 6)]
    assert where(ann) == [("Bob", 0, 0)]
    assert bob.instance.carets[0].colour == "#112233"
    bob.instance.note.edit("typing", typed(0, ">> "))
    house.advance(1)
    assert where(bob) == [("Ann", 14, 9)]
    late = note(house, "late")
    write(late)
    house.advance(1)
    assert ("Ann", 14, 9) in where(late)


def test_a_caret_disappears_when_its_person_stops_or_leaves(house: Processes) -> None:
    ann, bob, cat = (note(house, name) for name in ("ann", "bob", "cat"))
    told: list[int] = []
    cat.instance.watchers.append(lambda: told.append(len(cat.instance.carets)))
    for one in (ann, bob, cat):
        write(one)
    house.advance(1)
    assert where(cat) == [("Ann", 0, 0), ("Bob", 0, 0)]
    ann.instance.hide_caret()
    house.advance(3)
    assert where(cat) == [("Bob", 0, 0)]
    assert where(ann) == []
    bob.close()
    house.advance(3)
    assert where(cat) == []
    assert told[-1] == 0
    write(ann)
    house.advance(1)
    assert where(cat) == [("Ann", 0, 0)]


def test_a_note_without_an_editor_joins_no_presence(house: Processes) -> None:
    ann, bob = note(house, "ann"), note(house, "bob")
    house.advance(1)
    assert all("presence" not in name for one in house.processes for name in one.system.opened)
    write(ann)
    house.advance(1)
    opened = [sorted(one.system.opened) for one in house.processes]
    assert opened == [["home/f/note", "home/f/note/presence"], ["home/f/note"]]
    assert where(bob) == []


def test_a_caret_shown_before_the_channel_is_ready_appears_later(house: Processes) -> None:
    person = house.process("ann")
    made: Any = person.build(TextObject)
    write(made)
    bob = note(house, "bob")
    write(bob)
    channel = person.build(SharedChannel, TEXT, TEXT, name="home/f/note")
    person.connect(channel, "Channel", made, "channel")
    house.advance(2)
    assert where(bob) == [(NOBODY.name, 0, 0)]


def test_a_fast_caret_is_sent_at_intervals(house: Processes) -> None:
    ann, bob = note(house, "ann"), note(house, "bob")
    told: list[int] = []
    ann.instance.note.edit("typing", typed(0, "x" * 100))
    write(bob)
    house.advance(1)
    bob.instance.watchers.append(lambda: told.append(1))
    for at in range(100):
        ann.instance.show_caret(lambda at=at: (at, at))
        house.advance(EVERY / 10)
    house.advance(1)
    assert 5 <= len(told) <= 12
    assert where(bob) == [("Ann", 99, 99)]
