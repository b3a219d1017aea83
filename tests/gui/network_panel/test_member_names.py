"""The person at a member is known by what they show beside any object that is open here."""

from __future__ import annotations

from typing import Any

from liven.app.network_panel.member_names import person_at
from liven.app.palette.new_objects import note
from liven.liveobjects.channel.objects.presence import PresenceChannel


def test_one_who_writes_in_a_note_is_known_by_name_and_nobody_else_is(desk: Any) -> None:
    desk.open(note("Shopping"))
    node = desk.house.session.node

    def channel() -> Any:
        running = (proxy.instance for proxy in node.running.values())
        return next((one for one in running if isinstance(one, PresenceChannel) and one._seen), None)

    desk.wait(channel)
    [me] = channel()._seen
    assert person_at(node, me) == desk.house.person.known_as
    assert person_at(node, me + 1) == ""


def test_what_names_nobody_is_nobodys_name(desk: Any) -> None:
    desk.open(note("Shopping"))
    node = desk.house.session.node

    def channels() -> list[Any]:
        return [one.instance for one in node.running.values() if isinstance(one.instance, PresenceChannel)]

    desk.wait(channels)
    [channel] = channels()
    for number, shown in enumerate([None, 7, {"name": 7}, {"name": ""}, {"name": "x" * 500}], 900):
        channel._seen[number] = shown, 0.0
    assert [person_at(node, number) for number in range(900, 905)] == ["", "", "", "", "x" * 60]
