"""Histories that did not go on, kept aside until a person decides what becomes of them.

A branch is kept as a channel of its own, under a name of its own: whoever opens that channel has the state
that was. Beside it stands how much of whom the history had that went on, so that the operations that it lacks
can be named and given to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.history import MalformedError, wire
from liven.liveobjects.channel.replica.control_operations import for_objects
from liven.liveobjects.channel.replica.disk.persistence import unpacked_run, unpacked_state
from liven.liveobjects.channel.store import ChannelStore


@dataclass(frozen=True, slots=True)
class Branch:
    """A history that did not go on."""

    name: str
    """Of the channel under which it is kept."""
    missing: tuple[bytes, ...]
    """The operations of its objects that the history that went on had not, in their order."""
    folded: bool
    """Whether there is more, of which only the state tells."""


class Branches:
    """The branches of one channel, in the store of its process."""

    __slots__ = (
        "_opened",
        "_store",
    )

    def __init__(self, store: ChannelStore, opened: Callable[[str], ChannelStore]) -> None:
        self._store = store
        self._opened = opened

    @property
    def names(self) -> list[str]:
        """The branches, the oldest first."""
        return branch_names(self._store.kept().notes)

    def read(self, name: str) -> Branch:
        """A branch; MalformedError when what is kept of it cannot be read, KeyError when there is none."""
        if name not in self.names:
            raise KeyError(name)
        kept = self._opened(name).kept()
        if kept.checkpoint is None:
            raise MalformedError(kept.damage or "nothing is kept of it")
        marks = _marks(kept.notes.get("forked", b"\x80"))
        account, _ = unpacked_state(kept.checkpoint)
        number, chain = account.position.number, account.position.chain
        missing: list[bytes] = []
        for entry in kept.entries:
            run, _, _ = unpacked_run(entry, number, chain)
            number, chain = run.last, run.chains[-1]
            known = marks.get(run.author, 0)
            missing += for_objects(run.payloads[max(0, known + 1 - run.first) :])
        folded = any(last > marks.get(author, 0) for author, last in account.marks.items())
        return Branch(name, tuple(missing), folded or "apart" in kept.notes)

    def forget(self, name: str) -> None:
        """Keeps a branch no longer."""
        names = [each for each in self.names if each != name]
        self._store.note(branches=msgpack.packb(names) if names else b"")
        self._opened(name).forget()

    def when_durable(self, action: Callable[[], object]) -> None:
        """Calls back when all that the channel has now is on the disk."""
        self._store.when_durable(action)


def branch_names(notes: dict[str, bytes]) -> list[str]:
    """The names that a channel's notes tell; MalformedError."""
    if "branches" not in notes:
        return []
    names = wire.items(msgpack.unpackb(notes["branches"]), "the names of branches")
    return [name for name in names if isinstance(name, str)]


def _marks(data: bytes) -> dict[bytes, int]:
    read = msgpack.unpackb(data, strict_map_key=False)
    if not isinstance(read, dict):
        raise MalformedError("where a branch begins is not kept")
    return {wire.identity(who, "an author"): wire.number(last, "a mark") for who, last in read.items()}
