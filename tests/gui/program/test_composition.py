"""Several programs of one user."""

from __future__ import annotations

from typing import Any

from liven.app.identity.person import person
from liven.app.program.composition import Composition
from liven.app.qt_dispatcher import QtDispatcher
from liven.liveobjects.channel.composition import Channels
from liven.liveobjects.presence.participant import Participant
from liven.multicast.socket_engine import EngineConfig, default_place


def test_a_second_program_of_the_same_user_has_another_name_and_colour(desk: Any) -> None:
    first = desk.program.session.node.services[Participant]()
    dispatcher = QtDispatcher(desk.problems.report)
    channels = Channels(EngineConfig(place=default_place(desk.folders.runtime)), desk.folders)
    same = person(desk.folders.config)
    beside = Composition(dispatcher, desk.problems, desk.folders, same, desk.asking.ask, channels)
    second = beside.session.node.services[Participant]()
    beside.close()
    dispatcher.close()
    assert second.key == first.key
    assert second.name == f"{first.name} 2"
    assert second.colour != first.colour
