"""The channel system: what the channels of one process share, such as its lines, its store and its name.

The composition root creates one among the node's services, and objects get it from their context.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from liven.liveobjects.channel.line.shared_line import SharedLines
from liven.liveobjects.channel.line.transport import Transport
from liven.liveobjects.channel.line.type_handshake import ValueClasses, WrongClassesError
from liven.liveobjects.channel.process.archive import Archive
from liven.liveobjects.channel.process.rate_limits import ObjectRates
from liven.liveobjects.channel.process.recordings import Recordings
from liven.liveobjects.channel.store import Store
from liven.runtime.dispatcher.dispatcher import Dispatcher
from liven.runtime.problems import Kind, Problem, Report
from liven.types.codec import Codec
from liven.types.terms.hashing import structural_hash
from liven.types.terms.value_types import ValueType

R = TypeVar("R")
_CODECS_MOST: Final = 1000


def _nameless(_: int) -> str:
    return ""


def _no_name() -> str:
    return ""


def _agrees() -> bool:
    return False


@dataclass(slots=True)
class ChannelSystem:
    """The shared services of the channels of one process."""

    transport: Transport
    dispatcher: Dispatcher
    report: Report
    network: str = "home"
    """The name of the network: the first part of every group's name."""
    store: Store | None = None
    """The store of ordered operations; None in a process that stores nothing."""
    lacks_store: bool = False
    """True if the store could not be opened: this process is a reader in its channels, without a vote."""
    rates: ObjectRates | None = None
    """The rate limits of the objects; None in a process without limits."""
    lines: SharedLines = field(init=False)
    """The transport as shared by the objects of this process."""
    opened: dict[str, int] = field(default_factory=dict)
    """The open channels by name, each with the number of objects that use it."""
    leaving: set[str] = field(default_factory=set)
    """The channels that are leaving their groups now."""
    _all_value_classes: dict[str, ValueClasses] = field(default_factory=dict)
    _waiting: dict[str, list[Callable[[], object]]] = field(default_factory=dict)
    _rooms: dict[str, object] = field(default_factory=dict)
    _codecs: dict[bytes, Codec] = field(default_factory=dict)
    _readers: dict[str, tuple[int, ...]] = field(default_factory=dict)
    _alike: dict[ValueClasses, ValueClasses] = field(default_factory=dict)
    archives: dict[str, Archive] = field(default_factory=dict)
    """The archives that get the confirmed order of channels, by the channel's name. Each holds its channel
    open, and the members are told of it."""
    histories: dict[str, tuple[Archive, ...]] = field(default_factory=dict)
    """The archives that only follow: they get the order while objects here have the channel open. Members
    hear nothing of them, since they keep what this program sees anyway."""
    yielding: dict[str, Callable[[], object]] = field(default_factory=dict)
    """Called for a channel that is open here without value classes, when an object with some opens it."""
    on_change: list[Callable[[str, bool], object]] = field(default_factory=list)
    """Called when the first object opens a channel (True) or the last one closes it (False)."""

    viewer: Callable[[str, str], object] | None = None
    """Shows a branch: called with the names of the channel and the branch. None where nothing is shown."""

    recordings: Recordings = field(default_factory=Recordings)
    """The recordings of the channels that are open here."""
    own_name: Callable[[], str] = _no_name
    """Returns the name of the person at this program, for those who record what is done here."""
    objects_to_recording: Callable[[], bool] = _agrees
    """True if the person at this program does not want to be recorded."""
    name_of: Callable[[int], str] = _nameless
    """Returns the name of the person at a member of the network; empty if it is not known."""

    def __post_init__(self) -> None:
        self.transport = self.lines = SharedLines(self.transport, self.dispatcher.call_soon)

    def archives_of(self, name: str) -> tuple[Archive, ...]:
        """Return all archives that get the order of a channel."""
        recorder = self.archives.get(name)
        return (*(() if recorder is None else (recorder,)), *self.histories.get(name, ()))

    def shared(self, kind: type[R], name: str, make: Callable[[], R]) -> R:
        """Return the session of this channel that the process's objects share, creating it for the first."""
        found = self._rooms.get(name)
        if found is None:
            found = self._rooms[name] = make()
        assert isinstance(found, kind), "the value classes distinguish the kinds of channel"
        return found

    def codec(self, kind: ValueType) -> Codec:
        """Return the codec of a value class. A thousand channels of one class share one."""
        key = structural_hash(kind)
        known = self._codecs.get(key)
        if known is None:
            if len(self._codecs) >= _CODECS_MOST:
                self._codecs.clear()
            known = self._codecs[key] = Codec(kind)
        return known

    def value_classes(self, value_classes: ValueClasses) -> ValueClasses:
        """Return an equal existing value. A thousand channels with the same classes share one."""
        if len(self._alike) >= _CODECS_MOST:
            self._alike.clear()
        return self._alike.setdefault(value_classes, value_classes)

    def session(self, name: str) -> object:
        """Return the session of this channel; None if nobody here has one."""
        return self._rooms.get(name)

    def entered_too(self, name: str) -> None:
        """Record that somebody without value classes of its own uses an open channel."""
        self.opened[name] += 1

    def readers_changed(self, name: str, nodes: tuple[int, ...]) -> None:
        """Record the other members of a channel whose disks take no data, and report those who are new."""
        known = self.readers
        self._readers[name] = nodes
        if not nodes:
            del self._readers[name]
        more = tuple(sorted(self.readers - known))
        if more:
            what = f"the disk of {self._people(more)} takes no data"
            advice = "changes are confirmed without that disk, until it has room again"
            self.report(Problem(Kind.PEER, ("network",), what, advice))

    @property
    def readers(self) -> frozenset[int]:
        """The other members whose disks take no data."""
        return frozenset(node for nodes in self._readers.values() for node in nodes)

    def unanswered(self, name: str, nodes: tuple[int, ...]) -> Problem:
        """Return the problem that members of a channel do not answer."""
        what = f"the program of {self._people(nodes)} does not answer, so the others go on without it"
        advice = "it joins again by itself when it answers, and its changes are kept"
        return Problem(Kind.PEER, ("channels", name), what, advice)

    def of_other_version(self, name: str, node: int) -> Problem:
        """Return the problem that a member of a channel runs another version of Liven."""
        what = f"the program of {self.person(node)} runs another version of Liven: neither reads the other"
        advice = (
            "install the same version on both computers; until then neither sees what the other changes,"
            " and if both confirm changes, you decide between two histories when they meet"
        )
        return Problem(Kind.PEER, ("channels", name), what, advice)

    def person(self, node: int) -> str:
        """Return the name of the person at a member of the network, or else its number."""
        return self.name_of(node) or f"member {node}"

    def _people(self, nodes: tuple[int, ...]) -> str:
        people = [self.person(node) for node in nodes]
        return people[0] if len(people) == 1 else f"{', '.join(people[:-1])} and {people[-1]}"

    def when_free(self, name: str, action: Callable[[], object]) -> None:
        """Call `action` when an earlier session of the channel has left its group; at once if none is
        leaving."""
        if name in self.leaving:
            self._waiting.setdefault(name, []).append(action)
        else:
            action()

    def has_left(self, name: str) -> None:
        """Record that a leaving channel has left."""
        if name in self.leaving:
            self.leaving.discard(name)
            for action in self._waiting.pop(name, []):
                self.dispatcher.call_soon(action)

    def drop_session(self, name: str) -> None:
        """Drop the session that no object uses any more."""
        self._readers.pop(name, None)
        self._rooms.pop(name, None)
        self.recordings.forget(name)

    def entered(self, name: str, value_classes: ValueClasses) -> None:
        """Record that an object opens a channel. Raises WrongClassesError if others here use it with other
        classes or as another kind of channel."""
        if name in self.yielding and self._all_value_classes[name].hash != value_classes.hash:
            self.yielding.pop(name)()
        known = self._all_value_classes.setdefault(name, value_classes)
        if known.hash != value_classes.hash:
            raise WrongClassesError(name, value_classes.differs_from(known.form()))
        self.opened[name] = self.opened.get(name, 0) + 1
        if self.opened[name] == 1:
            self._tell(name, opened=True)

    def left(self, name: str) -> None:
        """Record that an object closed a channel."""
        if self.opened.get(name, 0) > 1:
            self.opened[name] -= 1
        elif self.opened.pop(name, 0):
            self._all_value_classes.pop(name, None)
            self._tell(name, opened=False)

    def is_in_use(self, name: str) -> bool:
        """True if an object has the channel open or it is still leaving."""
        return name in self.opened or name in self.leaving

    def _tell(self, name: str, *, opened: bool) -> None:
        for listener in tuple(self.on_change):
            listener(name, opened)
