"""Collecting the states of everything inside an object, and inside that.

Each object is opened invisibly until its channel delivers its state, wherever it is: in view, out of view or
in a folder. Only a few are open at the same time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, Protocol

from liven.liveobjects.channel.api.recipes import LONGEST_REFERENCE
from liven.liveobjects.copying.deep_copy import Thing, things_in, things_of
from liven.liveobjects.copying.recipe import LARGEST_FILE, CopyError, name_of_channel, own_channel
from liven.liveobjects.copying.states import State, has_begun, state_of
from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.objects.context import Context
from liven.runtime.objects.node import Node
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.problems import Path
from liven.runtime.reference.model import Composite, Object

AT_ONCE: Final = 8
"""Objects that are open at the same time."""
PATIENCE: Final = 20.0
"""Time limit in seconds for loading one object, and again for its state to arrive."""
MOST_THINGS: Final = 2000
_LOOK_EVERY: Final = 0.02
_AROUND: Final = 4096
"""An upper bound for the bytes of a recipe beside its state."""
_GROWS: Final = 4 / 3
"""Growth of a state when it is encoded in base64, once for each level of nesting."""


class Opener(Protocol):
    """A node, or an object on it, as far as it opens objects and waits for them."""

    def open(self, recipe: Object, name: str) -> Reply[ProxyHandle]:
        """Open an object; its problems refer to it as `name`."""

    def later(self, delay: float, call: Callable[[], object]) -> Entry: ...

    def now(self) -> float: ...


class NodeOpener:
    """Opens objects on a node for a window."""

    def __init__(self, node: Node, where: Path) -> None:
        self._node = node
        self._where = where

    def open(self, recipe: Object, name: str) -> Reply[ProxyHandle]:
        loader = self._node.loader
        if loader is None:
            raise CopyError("this program opens no objects")
        return loader.dereference(recipe, at=(*self._where, name), time_limit=PATIENCE)

    def later(self, delay: float, call: Callable[[], object]) -> Entry:
        return self._node.dispatcher.call_later(delay, call)

    def now(self) -> float:
        return self._node.dispatcher.now()


class ContextOpener:
    """Opens objects for another object, such as a desktop."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def open(self, recipe: Object, name: str) -> Reply[ProxyHandle]:
        return self._context.dereference(recipe, name, PATIENCE)

    def later(self, delay: float, call: Callable[[], object]) -> Entry:
        return self._context.call_later(delay, call)

    def now(self) -> float:
        return self._context.now()


class StateCollector:
    """The collected states by channel name. `done` settles when all states that can be had are here."""

    def __init__(
        self,
        opener: Opener,
        told: Callable[[int, int], object],
        is_apart: Callable[[State], bool] = lambda _: False,
    ) -> None:
        """Collect states; call `told` with the number of objects read and the total. States for which
        `is_apart` is true do not count as parts of one recipe."""
        self.states: dict[str, State] = {}
        self.apart: dict[str, State] = {}
        """The states that go apart, by channel name."""
        self._is_apart = is_apart
        self.lacking: list[str] = []
        """The names of the objects whose state could not be read."""
        self.done: Reply[StateCollector] = Reply()
        self._opener = opener
        self._told = told
        self._seen: set[str] = set()
        self._waiting: deque[tuple[str, Thing, int]] = deque()
        self._open: dict[str, _Opened] = {}
        self._bytes = 0

    def begin(self, thing: Object, state: State) -> None:
        """Start with an object whose own state is known."""
        own = own_channel(thing)
        if own is None:
            self._fail(CopyError("its channel cannot begin with a state"))
            return
        self.begin_all([thing], {name_of_channel(own): state})

    def begin_all(self, things: Sequence[Object], known: Mapping[str, State]) -> None:
        """Start with several objects. The states of some of them are `known`, by channel name."""
        for key, state in known.items():
            self._seen.add(key)
            if self._is_apart(state):
                self.apart[key] = state
                continue
            self.states[key] = state
            self._look_into(state, 1)
        for thing in things:
            for one in things_of(thing):
                self._wish(one, 1)
        self._open_next()

    def cancel(self) -> None:
        """Close all open objects and give up."""
        self._waiting.clear()
        for one in tuple(self._open.values()):
            one.close()
        self._open.clear()
        self.done.cancel()

    def _look_into(self, state: State, depth: int) -> None:
        for thing in things_in(state):
            self._wish(thing, depth)

    def _wish(self, thing: Thing, depth: int) -> None:
        if isinstance(thing.recipe, Composite):
            self._add_missing(thing.name)
            return
        own = own_channel(thing.recipe)
        key = "" if own is None else name_of_channel(own)
        if key and key not in self._seen:
            self._seen.add(key)
            self._waiting.append((key, thing, depth))

    def _add_missing(self, name: str) -> None:
        if name not in self.lacking:
            self.lacking.append(name)

    def _open_next(self) -> None:
        if len(self._seen) > MOST_THINGS:
            self._fail(CopyError(f"it contains more than {MOST_THINGS:,} objects; copy some of them"))
        while self._waiting and len(self._open) < AT_ONCE and not self.done.settled:
            key, thing, depth = self._waiting.popleft()
            one = self._open[key] = _Opened(self._opener, thing, partial(self._state_arrived, key, depth))
            one.open()
        if not self.done.settled:
            rest = len(self._waiting) + len(self._open)
            self._told(len(self._seen) - rest, len(self._seen))
            if not rest:
                self.done.resolve(self)

    def _state_arrived(self, key: str, depth: int, state: State | None) -> None:
        one = self._open.pop(key, None)
        if one is None or self.done.settled:
            return
        if state is not None and self._is_apart(state):
            self.apart[key] = state
            self._open_next()
            return
        try:
            size = LONGEST_REFERENCE if state is None else len(state.encoded())
        except CopyError:
            state, size = None, 0
        if state is None or size * _GROWS**depth + _AROUND > LONGEST_REFERENCE:
            self._add_missing(one.name)
        else:
            self._keep(key, state, size, depth)
        self._open_next()

    def _keep(self, key: str, state: State, size: int, depth: int) -> None:
        self.states[key] = state
        self._bytes += size
        if self._bytes > LARGEST_FILE:
            limit = f"the limit is {LARGEST_FILE / 1e6:.1f} MB"
            self._fail(CopyError(f"its contents, such as “{state.name}”, are too large; {limit}"))
        else:
            self._look_into(state, depth + 1)

    def _fail(self, error: CopyError) -> None:
        self.done.fail(error)
        self.cancel()


class _Opened:
    """An object that is open until its state arrives."""

    def __init__(self, opener: Opener, thing: Thing, had: Callable[[State | None], object]) -> None:
        self.name = thing.name
        self._opener = opener
        self._recipe = thing.recipe
        self._state_arrived = had
        self._asked: Reply[ProxyHandle] | None = None
        self._handle: ProxyHandle | None = None
        self._look: Entry | None = None
        self._limit = 0.0

    def open(self) -> None:
        """Open the object; errors become problems of the window."""
        self._asked = self._opener.open(self._recipe, self.name)
        self._asked.then(self._built)

    def close(self) -> None:
        """Close the object."""
        asked, self._asked = self._asked, None
        handle, self._handle = self._handle, None
        if asked is not None:
            asked.cancel()
        if self._look is not None:
            self._look.cancel()
        if handle is not None:
            handle.close()

    def _built(self, done: Reply[ProxyHandle]) -> None:
        if done.error is not None:
            self._later(lambda: self._say(None))  # objects that fail at once would otherwise recurse
            return
        self._handle = done.value()
        self._limit = self._opener.now() + PATIENCE
        self._wait()

    def _wait(self) -> None:
        self._later(self._ask)

    def _later(self, call: Callable[[], object]) -> None:
        self._look = self._opener.later(_LOOK_EVERY, call)

    def _ask(self) -> None:
        handle = self._handle
        if handle is None or handle.ended or self._opener.now() > self._limit:
            self._say(None)
        elif has_begun(handle):
            self._say(self._state(handle))
        else:
            self._wait()

    def _state(self, handle: ProxyHandle) -> State | None:
        try:
            return state_of(handle, self.name)
        except Exception:  # it has no state, or its author's code raised; the user sees its name
            return None

    def _say(self, state: State | None) -> None:
        self.close()
        self._state_arrived(state)
