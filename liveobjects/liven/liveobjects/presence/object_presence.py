"""The presence of one object: it shows the others where this person is and receives where they are.

An object with presence declares an endpoint `presence` and passes it here. If the recipe leaves this endpoint
open, it is connected to the presence channel that belongs to the object's own channel. A channel without one,
such as an encrypting channel, shows nobody. The object's state never depends on presence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

from liven.liveobjects.channel.api.names import Companion
from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.errors import ObjectRuntimeError
from liven.runtime.objects.context import Context
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.reference.model import OtherClass, Parameter, Plain, Reference

V = TypeVar("V")
ENDPOINT: Final = "presence"
EVERY: Final = 1 / 30
"""Seconds between two messages, so that others see a drag as a movement."""
MOST: Final = 200
"""The most members shown at one time."""


class ObjectPresence(Generic[V]):
    """One object's presence. `changed` is called when somebody else shows something new or leaves."""

    def __init__(
        self, context: Context, endpoint: Any, value_class: str, changed: Callable[[], object]
    ) -> None:
        self.others: dict[str, V] = {}
        """The values that other members show, by member."""
        self._context = context
        self._endpoint = endpoint
        self._class = value_class
        self._changed = changed
        self._handle: ProxyHandle | None = None
        self._asked: Reply[ProxyHandle] | None = None
        self._mine: Callable[[], V | None] = lambda: None
        self._said: V | None = None
        self._timer: Entry | None = None

    def join(self, channel: str) -> None:
        """Join the others if the object's `channel` is connected; otherwise call this again once it is."""
        companion = self._context.shown(channel)
        if (
            self._context.connected(ENDPOINT)
            or self._asked is not None
            or not isinstance(companion, Companion)
        ):
            return
        given = Parameter("ValueClass", OtherClass("ValueClass", self._class))
        named = Parameter("name", Plain("string", companion.presence))
        self._asked = self._context.dereference(Reference("liven:presence-channel", (given, named)), ENDPOINT)
        self._asked.then(self._built)

    def leave(self) -> None:
        """Leave the others, because the person stops or the channel is gone."""
        asked, self._asked = self._asked, None
        handle, self._handle = self._handle, None
        if asked is not None:
            asked.cancel()
        if handle is not None:
            handle.close()
        self._forget_all()

    def hide(self) -> None:
        """Leave the others, and show nothing until the next `show`, even if the connection comes only now."""
        self._mine = lambda: None
        if self._timer is not None:
            self._timer.cancel()
        self.leave()

    def show(self, mine: Callable[[], V | None]) -> None:
        """Show the others the result of `mine`, which is called whenever it is sent. None hides it."""
        self._mine = mine
        if self._timer is None or not self._timer.active:
            self._timer = self._context.call_later(EVERY, self._say)

    def shown(self, member: str, value: V) -> None:
        """Store what a member shows. Called by the handler of the endpoint's event."""
        if member in self.others or len(self.others) < MOST:
            self.others[member] = value
            self._changed()

    def gone(self, member: str) -> None:
        """Forget a member that shows nothing any more."""
        if self.others.pop(member, None) is not None:
            self._changed()

    def connected(self) -> None:
        """Send what is shown: the endpoint is connected."""
        self._said = None
        self._say()

    def disconnected(self) -> None:
        """Forget the others: the endpoint is disconnected."""
        self._forget_all()

    def _built(self, done: Reply[ProxyHandle]) -> None:
        if done.error is not None or self._asked is None:
            return  # work goes on without presence; the problem is reported already
        self._handle = done.value()
        if not self._context.connected(ENDPOINT):
            try:
                self._context.connect(ENDPOINT, self._handle.endpoint("Presence"))
            except ObjectRuntimeError as error:
                self._context.report(f"presence does not work here: {error}")

    def _say(self) -> None:
        if not self._context.connected(ENDPOINT):
            return
        value, before = self._mine(), self._said
        self._said = value
        if value is None:
            if before is not None:
                self._endpoint.peer.hide()
        elif value != before:
            self._endpoint.peer.show(value)

    def _forget_all(self) -> None:
        if self.others:
            self.others.clear()
            self._changed()
