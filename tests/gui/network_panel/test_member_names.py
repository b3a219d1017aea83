"""The name of the person behind a network member comes from their presence beside an open object."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from liven.app.network_panel.member_names import person_at
from liven.app.palette.new_objects import note
from liven.liveobjects.channel.objects.presence import PresenceChannel
from liven.liveobjects.presence.participant import LONGEST_NAME


def test_a_member_that_shows_presence_in_a_note_has_a_name_and_others_have_none(desk: Any) -> None:
    desk.open(note("Shopping"))
    node = desk.program.session.node

    def channel() -> Any:
        running = (proxy.instance for proxy in node.running.values())
        return next((one for one in running if isinstance(one, PresenceChannel) and one._seen), None)

    desk.wait(channel)
    [me] = channel()._seen
    assert person_at(node, me) == desk.program.person.known_as
    assert person_at(node, me + 1) == ""


def test_a_name_is_a_text_of_limited_length_and_all_else_is_no_name(desk: Any) -> None:
    desk.open(note("Shopping"))
    node = desk.program.session.node

    def channels() -> list[Any]:
        return [one.instance for one in node.running.values() if isinstance(one.instance, PresenceChannel)]

    desk.wait(channels)
    [channel] = channels()
    nameless = [None, 7, {"name": 7}, {"name": ""}, SimpleNamespace(name=None)]
    named = [{"name": "Ann"}, SimpleNamespace(name="Bob"), {"name": "x" * 500}]
    for number, shown in enumerate([*nameless, *named], 900):
        channel._seen[number] = shown, 0.0
    assert [person_at(node, number) for number in range(900, 905)] == [""] * len(nameless)
    assert [person_at(node, number) for number in range(905, 908)] == ["Ann", "Bob", "x" * LONGEST_NAME]
