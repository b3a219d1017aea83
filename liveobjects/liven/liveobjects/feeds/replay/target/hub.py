"""The hub of a sandbox: the channels that its objects have open, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Protocol

from liven.liveobjects.feeds.replay.moments import Keeps
from liven.liveobjects.feeds.replay.rows import Event

READ_ONLY = "this is a recording; changes are possible in the live object only"
"""The reason why nothing can be changed in a sandbox."""


class ReplayedClient(Protocol):
    """One object's end of a replayed channel."""

    name: str
    keeps: Keeps
    has_begun: bool
    """True once it has the state at the place of the replay."""
    ignores_states: bool
    """True if later checkpoints do not count, because they hold what the replay leaves out."""

    def begin(self, *, has_state: bool) -> None:
        """Begin without any record: with nothing, or with the seed of the recipe. If it `has_state`, wait for
        that instead, which is the first event."""

    def receive(self, events: Sequence[Event]) -> None:
        """Pass on events. A checkpoint among them is a state to begin with."""

    def digest(self) -> bytes:
        """Return a digest of the object's state; empty if it has none."""


class ReplayHub:
    """The open channels of one sandbox."""

    def __init__(self, opened: Callable[[], object]) -> None:
        self._clients: dict[str, list[ReplayedClient]] = {}
        self._opened = opened

    def __iter__(self) -> Iterator[ReplayedClient]:
        return (client for name in sorted(self._clients) for client in tuple(self._clients[name]))

    def add(self, client: ReplayedClient) -> None:
        """Add an object's end, which has no state yet."""
        self._clients.setdefault(client.name, []).append(client)
        self._opened()

    def remove(self, client: ReplayedClient) -> None:
        """Remove an object's end."""
        client.has_begun = False
        left = [one for one in self._clients.get(client.name, ()) if one is not client]
        if left:
            self._clients[client.name] = left
        else:
            self._clients.pop(client.name, None)

    def deliver(self, events: Sequence[Event]) -> None:
        """Pass events on to the objects that have begun."""
        begun = {
            name: [client for client in self._clients.get(name, ()) if client.has_begun]
            for name in {event.record.channel for event in events}
        }
        pass_on(events, begun)

    def digests(self) -> dict[str, bytes]:
        """Return the digest of the state on each channel that has one."""
        found: dict[str, bytes] = {}
        for client in self:
            if client.name not in found and (digest := client.digest()):
                found[client.name] = digest
        return found


def pass_on(events: Sequence[Event], clients: Mapping[str, Sequence[ReplayedClient]]) -> None:
    """Pass events on to the clients of their channels, those of one channel in a row at a time."""
    for channel, run in groupby(events, key=lambda event: event.record.channel):
        taken = list(run)
        for client in clients.get(channel, ()):
            client.receive(taken)
