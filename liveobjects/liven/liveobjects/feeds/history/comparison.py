"""Two moments of an object and of everything inside it, compared."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from liven.liveobjects.feeds.history.difference import Act, Difference, signed
from liven.liveobjects.feeds.history.kind import Kind
from liven.liveobjects.feeds.history.kinds import kind_of
from liven.liveobjects.feeds.history.reconstruction import Reconstruction
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import read_object

MOST_OBJECTS: Final = 2000
ChannelOf = Callable[[Object], str]
"""Returns the name under which an object's channel is recorded; empty if it has none."""


@dataclass(frozen=True, slots=True)
class PastObject:
    """One object at a moment."""

    path: tuple[str, ...]
    """The names of the objects around it, and its own; empty for the outermost one."""
    thing: Object
    """Its recipe."""
    channel: str
    kind: Kind
    state: Any
    checkpoint: Any
    """The state in neutral form, from which a copy can begin."""
    complete: bool
    """False if the recording lacks messages before this moment."""
    recorded: bool = True
    """False if nothing of it was recorded by then: its state is that of a new object."""
    keys: tuple[str, ...] = ()
    """The keys under which the objects around hold each other and it."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One object at two moments."""

    then: PastObject
    differences: tuple[Difference, ...]


def objects_at(
    recording: Reconstruction, thing: Object, channel_of: ChannelOf, at: int, *, unrecorded: bool = False
) -> Iterator[PastObject]:
    """Yield an object and everything inside it, as all were after the records before the sequence `at`.
    An object whose recording begins later with a state had that state before. Others of which nothing was
    recorded by then are left out, or, with `unrecorded`, yielded as new ones."""
    waiting: deque[tuple[tuple[str, ...], tuple[str, ...], Object]] = deque([((), (), thing)])
    seen: set[str] = set()
    while waiting and len(seen) < MOST_OBJECTS:
        path, keys, one = waiting.popleft()
        kind, channel = kind_of(one), channel_of(one)
        if kind is None or not channel or channel in seen:
            continue
        seen.add(channel)
        past = recording.channel(channel, kind, at) or recording.opening(channel, kind)
        if past is None:
            if unrecorded:
                yield replace(_new(path, one, channel, kind), keys=keys)
            continue
        state = past.follower.state()
        complete = past.known and not past.gap
        checkpoint = past.follower.checkpoint()
        yield PastObject(path, one, channel, kind, state, checkpoint, complete, keys=keys)
        for key, (name, recipe) in kind.recipes(state).items():
            inner = _read(recipe)
            if inner is not None:
                waiting.append(((*path, name), (*keys, key), inner))


def compared(
    recording: Reconstruction,
    thing: Object,
    channel_of: ChannelOf,
    moments: tuple[int, int],
    names: Mapping[str, str],
    present: Callable[[str], Any | None] = lambda _: None,
) -> tuple[Compared, ...]:
    """Return what differs between two sequences, for an object and everything inside it at the first.

    Of an object of which nothing was recorded at the first one, everything is added.
    `present` returns the state that an object has now, by channel; where it is None, the recorded one counts.
    `names` are those of the authors."""
    earlier, later = moments
    found = []
    for then in list(objects_at(recording, thing, channel_of, earlier, unrecorded=True)):
        past = recording.channel(then.channel, then.kind, earlier)
        if past is not None:
            past.follower.mark()
        after = recording.channel(then.channel, then.kind, later, every_step=True)
        if after is None:
            continue  # it was never recorded
        recorded = after.follower.state()
        authors = after.follower.authors(then.state, recorded)
        now = present(then.channel)
        differences = then.kind.differences(then.state, recorded if now is None else now)
        if not then.recorded:
            differences = tuple(replace(one, act=Act.ADDED, detail="") for one in differences)
        if differences:
            found.append(Compared(then, signed(differences, authors, names)))
    return tuple(found)


def stood(
    recording: Reconstruction, thing: Object, channel_of: ChannelOf, at: int, *, empty: bool = False
) -> tuple[Compared, ...]:
    """Return everything that stood there at a sequence, as if it had been added; with `empty`, also the
    objects that were empty. At the begin of a recording, it is what was there before."""
    found = []
    for one in objects_at(recording, thing, channel_of, at):
        new = _new(one.path, one.thing, one.channel, one.kind)
        differences = one.kind.differences(new.state, one.state)
        if differences or empty:
            found.append(Compared(new, differences))
    return tuple(found)


def known_from(recording: Reconstruction, thing: Object, channel_of: ChannelOf) -> int | None:
    """Return the first sequence at which the state of an object is known; None if it never is."""
    channel = channel_of(thing) if kind_of(thing) is not None else ""
    return recording.begin(channel) if channel else None


def _new(path: tuple[str, ...], thing: Object, channel: str, kind: Kind) -> PastObject:
    """Return an object of which nothing is recorded yet."""
    follower = kind.follower()
    follower.begin(None)
    return PastObject(path, thing, channel, kind, follower.state(), None, complete=True, recorded=False)


def _read(recipe: str) -> Object | None:
    try:
        return read_object(recipe)
    except ReadError:
        return None
