"""The roster: everybody with it open, by name. Nothing is stored: a person who leaves or falls silent
disappears."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Final

from liven.liveobjects.channel.objects.presence import Presence, PresenceClient
from liven.liveobjects.presence.participant import LONGEST_NAME, local_participant
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, ExportedUI, proxy, value

PRESENT: Final = "C41C013EAE1520823BF573199B1E137E"
MOST: Final = 1_000


@value(id=PRESENT, alias="liven:present")
class Present:
    """One person in the list."""

    window: uuid.UUID
    key: str
    name: str
    colour: str
    doing: str


@proxy(
    id="93DC423A3248E609B3A24CD2FDDCD110",
    alias="liven:roster",
    view="liven.liveobjects.roster.view:make",
)
class RosterObject:
    """The people who have this roster open."""

    UI: ExportedUI
    presence: Dual[PresenceClient[Present], Presence[Present]]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.doing = ""
        self.watchers: list[Callable[[], object]] = []
        self._window = uuid.uuid4()
        self._here: dict[str, Present] = {}

    @property
    def people(self) -> tuple[Present, ...]:
        """Return the people by name, each person once."""
        found = {one.key or str(one.window): one for _, one in sorted(self._here.items())}
        return tuple(sorted(found.values(), key=lambda one: (one.name.casefold(), one.key)))

    def do(self, what: str) -> None:
        """Show the others what this person is doing."""
        self.doing = what[:LONGEST_NAME]
        self._show()

    def presence_connected(self) -> None:
        """Show this person to the others."""
        self._show()

    def presence_disconnected(self) -> None:
        """Empty the list: nobody can be seen."""
        self._here.clear()
        self._tell()

    def shown(self, member: str, value: Present) -> None:
        if member in self._here or len(self._here) < MOST:
            self._here[member] = value
            self._tell()

    def gone(self, member: str) -> None:
        if self._here.pop(member, None) is not None:
            self._tell()

    def _show(self) -> None:
        if self.context.connected("presence"):
            who = local_participant(self.context)
            self.presence.peer.show(Present(self._window, who.key, who.name, who.colour, self.doing))

    def _tell(self) -> None:
        for watcher in tuple(self.watchers):
            watcher()
