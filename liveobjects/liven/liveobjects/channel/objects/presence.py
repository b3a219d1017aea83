"""The presence channel: what each member shows of itself now, without order or history.

A member's value disappears when the member hides it, leaves, or has not renewed it for a while. The channel
renews it while its client is connected, for all channels of a process at the same time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, Generic, Protocol
from weakref import WeakSet

from liven.liveobjects.channel.api.endpoints import ItemIn, ValueClass
from liven.liveobjects.channel.line.transport import LineEvent
from liven.liveobjects.channel.session.typed_line import TypedLine, class_in
from liven.multicast.group import Evicted, View
from liven.runtime.capability.capability import Capability, joins_channel
from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, interface, object_type, provides, proxy
from liven.types.terms.value_types import OptionalOf

RENEWED_EVERY: Final = 10.0
EXPIRES_AFTER: Final = 35.0
"""Seconds until an unrenewed value disappears: three missed renewals and some delay."""


@interface
class Presence(Protocol[ItemIn]):
    """The events that a client sends to a presence channel."""

    def show(self, value: ItemIn) -> None:
        """Show this value to all, replacing the previous one."""

    def hide(self) -> None:
        """Stop showing a value."""


@interface
class PresenceClient(Protocol[ItemIn]):
    """The events that a presence channel sends to its client."""

    def shown(self, member: str, value: ItemIn) -> None:
        """Receive what a member shows now. The member may be this one."""

    def gone(self, member: str) -> None:
        """Handle that a member shows nothing any more."""


@object_type(id="1C7C638EB9B76B3B549FCBC1C38D1559", alias="liven:presence")
class PresenceObject(Generic[ValueClass]):
    """The members who are here, and what each shows."""

    Presence: Annotated[Dual[Presence[ValueClass], PresenceClient[ValueClass]], provides("guarantee", "fifo")]


class _RenewalTimer:
    """One timer for all presence channels of a process."""

    def __init__(self) -> None:
        self._beating: WeakSet[PresenceChannel[Any]] = WeakSet()
        self._timer: Entry | None = None
        self._later: Callable[[float, Callable[[], object]], Entry] | None = None

    def add(self, channel: PresenceChannel[Any]) -> None:
        self._beating.add(channel)
        self._later = channel.context.call_later
        if self._timer is None or not self._timer.active:
            self._timer = self._later(RENEWED_EVERY, self._beat)

    def remove(self, channel: PresenceChannel[Any]) -> None:
        self._beating.discard(channel)

    def another(self, channel: PresenceChannel[Any]) -> PresenceChannel[Any] | None:
        """Return another client of the same presence channel in this process."""
        same = (one for one in self._beating if one.name == channel.name and one is not channel)
        return next(same, None)

    def _beat(self) -> None:
        self._timer = None
        for channel in sorted(self._beating, key=lambda one: one.name):
            channel.renew()
            self.add(channel)


@proxy(id="E986DBC39CAF7ECE4ABC4E8A2CD0F65E", alias="liven:presence-channel")
class PresenceChannel(Generic[ValueClass]):
    """The presence of the group called `name`."""

    Presence: Annotated[Dual[Presence[ValueClass], PresenceClient[ValueClass]], provides("guarantee", "fifo")]

    def __init__(self, context: Context, name: str) -> None:
        self.context = context
        self.name = name
        self._value = OptionalOf(class_in(context.external("Presence").type, "show", "value"))
        self._renewal_timer = context.shared(_RenewalTimer)
        self._speech: TypedLine | None = None
        self._mine: list[Any] = []
        self._seen: dict[int, tuple[Any, float]] = {}
        self._present: frozenset[int] = frozenset()

    @staticmethod
    def capabilities(name: str) -> tuple[Capability, ...]:
        """State what a recipe with this parameter reaches."""
        return joins_channel(name)

    def Presence_connected(self) -> None:
        """Join the group."""
        self._speech = TypedLine(
            self.context, self.name, self._value, self._heard, self._told, kind="presence"
        )
        self._learn(self._renewal_timer.another(self))
        self._renewal_timer.add(self)

    def Presence_disconnected(self) -> None:
        """Leave the group. The others notice by the view."""
        self._renewal_timer.remove(self)
        self._seen.clear()
        self._mine = []
        if self._speech is not None:
            self._speech.close()
            self._speech = None

    def show(self, value: ValueClass) -> None:
        """Show a value to all."""
        self._mine = [value]
        if self._speech is not None:
            self._speech.say(value)

    def hide(self) -> None:
        """Stop showing a value."""
        if self._mine and self._speech is not None:
            self._speech.say(None)
        self._mine = []

    def renew(self) -> None:
        """Renew the shown value, and drop those that others have not renewed. The timer calls this."""
        now = self.context.now()
        for member in [one for one, (_, at) in self._seen.items() if now - at > EXPIRES_AFTER]:
            self._drop(member)
        self._repeat()

    def shown_by(self, member: int) -> Any:
        """Return what a member shows, as received: a record as a dictionary; None if nothing."""
        return self._seen.get(member, (None, 0.0))[0]

    def _learn(self, other: PresenceChannel[Any] | None) -> None:
        """Copy what another client in this process knows, because nobody repeats it for a newcomer here."""
        if other is not None:
            self._present = other._present
            for member, (value, _) in tuple(other._seen.items()):
                self._heard(member, value)

    def _repeat(self) -> None:
        if self._speech is not None:
            for value in self._mine:
                self._speech.say(value)

    def _heard(self, member: int, value: Any) -> None:
        if not self.context.connected("Presence"):
            return
        if value is None:
            self._drop(member)
            return
        known = self._seen.get(member)
        self._seen[member] = (value, self.context.now())
        if known is None or known[0] != value:
            self.Presence.peer.shown(str(member), value)

    def _told(self, event: LineEvent) -> None:
        if isinstance(event, View):
            present = frozenset(one.node for one in event.members)
            for member in self._present - present:
                self._drop(member)
            if present - self._present:
                self._repeat()
            self._present = present
        elif isinstance(event, Evicted):
            for member in list(self._seen):
                self._drop(member)
            self._present = frozenset()

    def _drop(self, member: int) -> None:
        if self._seen.pop(member, None) is not None and self.context.connected("Presence"):
            self.Presence.peer.gone(str(member))
