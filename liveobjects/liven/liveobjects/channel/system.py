"""What a process has for its channels: a way to others, a place to keep what was said, and a name.

The composition root makes one and puts it among the node's services; objects ask their context for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from liven.liveobjects.channel.store import Store
from liven.liveobjects.channel.transport import Transport


@dataclass(slots=True)
class ChannelSystem:
    """The channels' part of one process."""

    transport: Transport
    network: str = "home"
    """The name of the network; the first part of every group's name."""
    store: Store | None = None
    """Where channels keep what was ordered; None in a process that keeps nothing."""
    opened: dict[str, int] = field(default_factory=dict)
    """The channels that objects of this process have open, by name, each with how many do."""
    leaving: set[str] = field(default_factory=set)
    """The channels that say goodbye to their groups just now."""
    on_change: list[Callable[[str, bool], object]] = field(default_factory=list)
    """Who hears that the first object opened a channel (True), or the last closed it."""

    def entered(self, name: str) -> None:
        """An object has opened the channel of this name."""
        self.opened[name] = self.opened.get(name, 0) + 1
        if self.opened[name] == 1:
            self._tell(name, opened=True)

    def left(self, name: str) -> None:
        """An object has closed it."""
        if self.opened.get(name, 0) > 1:
            self.opened[name] -= 1
        elif self.opened.pop(name, 0):
            self._tell(name, opened=False)

    def _tell(self, name: str, *, opened: bool) -> None:
        for listener in tuple(self.on_change):
            listener(name, opened)
