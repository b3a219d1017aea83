"""Branches on disk: histories that lost, kept until a person decides about them.

A branch is stored as a channel of its own, under its own name, so opening that channel shows its state. The
marks of the winning history are stored with it, so that the operations missing there can be listed and
merged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.history import MalformedError, wire
from liven.liveobjects.channel.replica.control_operations import for_objects
from liven.liveobjects.channel.replica.disk.stored_history import missing_in, unpacked_run, unpacked_state
from liven.liveobjects.channel.store import ChannelStore


@dataclass(frozen=True, slots=True)
class Branch:
    """A history that lost."""

    name: str
    """The name of the channel that stores it."""
    missing: tuple[bytes, ...]
    """The object operations that the winning history lacks, in order."""
    folded: bool
    """True if there are more of them, contained only in the state."""


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
        """Return the names of the branches, the oldest first."""
        return branch_names(self._store.kept().notes)

    def read(self, name: str) -> Branch:
        """Read a branch. Raises MalformedError if it cannot be read and KeyError if there is none."""
        if name not in self.names:
            raise KeyError(name)
        kept = self._opened(name).kept()
        if kept.checkpoint is None:
            raise MalformedError(kept.damage or "no data of it is stored")
        marks = _marks(kept.notes.get("forked", b"\x80"))
        state_position, _ = unpacked_state(kept.checkpoint)
        number, chain = state_position.position.number, state_position.position.chain
        missing: list[bytes] = []
        for entry in kept.entries:
            run, _, _ = unpacked_run(entry, number, chain)
            number, chain = run.last, run.chains[-1]
            missing += for_objects(missing_in(run, marks))
        folded = any(last > marks.get(author, 0) for author, last in state_position.marks.items())
        return Branch(name, tuple(missing), folded or "apart" in kept.notes)

    def forget(self, name: str) -> None:
        """Delete a branch."""
        names = [each for each in self.names if each != name]
        self._store.note(branches=msgpack.packb(names) if names else b"")
        self._opened(name).forget()

    def when_durable(self, action: Callable[[], object]) -> None:
        """Call back when everything that the channel has now is on disk."""
        self._store.when_durable(action)


def branch_names(notes: dict[str, bytes]) -> list[str]:
    """Return the branch names in a channel's notes. Raises MalformedError."""
    if "branches" not in notes:
        return []
    names = wire.items(msgpack.unpackb(notes["branches"]), "the names of branches")
    return [name for name in names if isinstance(name, str)]


def _marks(data: bytes) -> dict[bytes, int]:
    read = msgpack.unpackb(data, strict_map_key=False)
    if not isinstance(read, dict):
        raise MalformedError("the beginning of the branch is missing")
    return {wire.identity(who, "an author"): wire.number(last, "a mark") for who, last in read.items()}
