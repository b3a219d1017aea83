from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from liven.liveobjects.channel.objects.presence import PresenceChannel
from liven.liveobjects.channel.testing import Processes
from liven.liveobjects.presence.participant import Participant
from liven.liveobjects.roster.object import Present, RosterObject
from liven.types.declare import TermBuilder


@pytest.fixture
def house() -> Iterator[Processes]:
    with Processes() as made:
        yield made


def roster(house: Processes, name: str) -> Any:
    person = house.process(name)
    person.node.services[Participant] = lambda: Participant(f"key of {name.lower()}", name, "#112233")
    made = person.build(RosterObject)
    term = TermBuilder(house.known.formalisms).of(Present)
    channel = person.build(PresenceChannel, term, name="home/f/people")
    person.connect(channel, "Presence", made, "presence")
    house.advance(1)
    return made


def names(one: Any) -> list[str]:
    return [person.name for person in one.instance.people]


def test_a_roster_lists_people_until_they_close_it(house: Processes) -> None:
    bob, ann = roster(house, "Bob"), roster(house, "ann")
    assert names(ann) == names(bob) == ["ann", "Bob"]
    told: list[int] = []
    ann.instance.watchers.append(lambda: told.append(len(ann.instance.people)))
    bob.close()
    house.advance(2)
    assert names(ann) == ["ann"]
    assert told == [1]


def test_a_person_shows_what_they_are_doing(house: Processes) -> None:
    ann, bob = roster(house, "Ann"), roster(house, "Bob")
    bob.instance.do("reading " * 50)
    house.advance(1)
    [said] = [person.doing for person in ann.instance.people if person.name == "Bob"]
    assert said == ("reading " * 50)[:60]


def test_a_person_with_two_windows_is_listed_once(house: Processes) -> None:
    ann, again = roster(house, "Ann"), roster(house, "Ann")
    assert names(ann) == names(again) == ["Ann"]


def test_without_a_presence_channel_the_roster_is_empty(house: Processes) -> None:
    ann = roster(house, "Ann")
    house.processes[0]._built[1].close()
    house.advance(1)
    assert names(ann) == []
    ann.instance.do("nothing")
