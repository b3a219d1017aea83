"""The name of the person behind a network member, known from their presence beside an open object."""

from __future__ import annotations

from collections.abc import Mapping

from liven.liveobjects.channel.objects.presence import PresenceChannel
from liven.liveobjects.presence.participant import LONGEST_NAME
from liven.runtime.foreign_text import shown_line
from liven.runtime.objects.node import Node


def person_at(node: Node, member: int) -> str:
    """Return the name that a member shows on any presence channel of this program; empty if it shows none."""
    for proxy in tuple(node.running.values()):
        if isinstance(proxy.instance, PresenceChannel):
            shown = proxy.instance.shown_by(member)
            name = shown.get("name") if isinstance(shown, Mapping) else getattr(shown, "name", None)
            if isinstance(name, str) and name:
                return shown_line(name[:LONGEST_NAME])
    return ""
