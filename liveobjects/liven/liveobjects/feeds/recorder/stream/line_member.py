"""The recorder's place in a group: it hears the messages of every member, with the life and the number of
their author.

A life is one stay of a process in the group: its identity, and the view in which it came back if it was here
before. The members number their messages; what is missing between two of them was missed here.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from liven.liveobjects.channel.line.transport import (
    Batch,
    LineBusyError,
    LineClosedError,
    LineEvent,
    Receiver,
    Transport,
)
from liven.liveobjects.channel.line.type_handshake import KeeperHandshake, WrongClassesError
from liven.multicast.group import Delivery, Dropped, Evicted, Lost, Member, View

_REJOIN_AFTER: Final = 1.0
_EARLY_MOST: Final = 1000
"""Messages that may wait for the view that names their author."""
_LIVES_MOST: Final = 65_536


class _Handshake(KeeperHandshake):
    """A handshake that shows the numbers of all messages, greetings among them."""

    def __init__(
        self,
        seen: Callable[[Delivery], object],
        transport: Transport,
        name: str,
        greeting: bytes,
        receiver: Receiver,
        refused: Callable[[WrongClassesError], object],
        learned: Callable[[bytes], object],
    ) -> None:
        self._seen = seen
        super().__init__(transport, name, greeting, receiver, refused, learned)

    def _batch(self, batch: Batch) -> None:
        super()._batch(Batch((), batch.events))
        for message in batch.messages:
            self._seen(message)
            super()._batch(Batch((message,), ()))


class LineMember:
    """One group. `heard` gets the life of each author with the number and the bytes of a message, and
    `missed` the first and the last number that this member did not get."""

    def __init__(
        self,
        transport: Transport,
        name: str,
        later: Callable[[float, Callable[[], object]], object],
        heard: Callable[[str, Delivery], object],
        missed: Callable[[str, int, int], object],
    ) -> None:
        self.on_view: Callable[[View], object] = lambda _: None
        """Called with each view, once its members are known."""
        self._transport = transport
        self._name = name
        self._later = later
        self._heard = heard
        self._missed = missed
        self._handshake: _Handshake | None = None
        self._present: dict[int, str] = {}
        """The life of each member of the present view."""
        self._lives: dict[int, str] = {}
        """The life of each node that was ever seen: its messages may come after it has left."""
        self._stays: dict[str, None] = {}
        """The processes that were seen before."""
        self._numbers: dict[str, int] = {}
        """The last number of each life."""
        self._early: list[Delivery] = []

    @property
    def me(self) -> int:
        """This member's node; 0 while it is not in a view."""
        return 0 if self._handshake is None else self._handshake.line.me

    def join(
        self,
        greeting: bytes,
        refused: Callable[[WrongClassesError], object],
        learned: Callable[[bytes], object],
    ) -> None:
        """Join the group with these classes; without any, learn those of the members."""
        self._handshake = _Handshake(
            self._note, self._transport, self._name, greeting, self._batch, refused, learned
        )

    def resume(self, life: str, number: int) -> None:
        """Continue after a number that an earlier process recorded."""
        self._numbers[life] = number

    def say(self, payload: bytes) -> None:
        """Send a message to all, as far as there is room for it."""
        if self._handshake is not None:
            with suppress(LineBusyError, LineClosedError):
                self._handshake.line.send(payload)

    def leave(self) -> None:
        """Leave the group."""
        handshake, self._handshake = self._handshake, None
        if handshake is not None:
            handshake.line.leave()

    def _batch(self, batch: Batch) -> None:
        for event in batch.events:
            self._event(event)
        for message in batch.messages:
            life = self._lives.get(message.sender)
            if life is not None:
                self._heard(life, message)
            elif len(self._early) < _EARLY_MOST:
                self._early.append(message)

    def _note(self, message: Delivery) -> None:
        """Note the number of a message before it is heard, and tell what is missing before it."""
        life = self._lives.get(message.sender)
        if life is None:
            return
        known = self._numbers.get(life)
        if known is not None and message.number > known + 1:
            self._missed(life, known + 1, message.number - 1)
        self._numbers[life] = max(message.number, known or 0)

    def _event(self, event: LineEvent) -> None:
        match event:
            case View():
                self._view(event)
            case Lost(sender=sender, first=first, last=last):
                self._lose(sender, first, last)
            case Dropped(sender=sender, number=number, count=count):
                self._lose(sender, number, number + count - 1)
            case Evicted():
                self._present.clear()
                self._later(_REJOIN_AFTER, self._rejoin)

    def _lose(self, sender: int, first: int, last: int) -> None:
        life = self._lives.get(sender)
        if life is not None and last > self._numbers.get(life, 0):
            self._numbers[life] = last
            self._missed(life, first, last)

    def _view(self, view: View) -> None:
        was_away = not self._present  # who was here before has stayed, as far as this member knows
        for member in view.members:
            if member.node not in self._present and not (was_away and member.node in self._lives):
                self._lives[member.node] = self._life(member, view.number)
        self._present = {member.node: self._lives[member.node] for member in view.members}
        while len(self._lives) > _LIVES_MOST:
            gone = next(node for node in self._lives if node not in self._present)
            self._numbers.pop(self._lives.pop(gone), None)
        early, self._early = self._early, []
        for message in early:
            self._note(message)
        self._batch(Batch(early, ()))
        self.on_view(view)

    def _life(self, member: Member, view: int) -> str:
        """Return the life of a member that has come: a process that was here before numbers anew."""
        process = f"{member.identity:032x}-{member.incarnation}"
        came_back = process in self._stays
        self._stays[process] = None
        if len(self._stays) > _LIVES_MOST:
            del self._stays[next(iter(self._stays))]
        return f"{process}-{view}" if came_back else process

    def _rejoin(self) -> None:
        if self._handshake is not None:
            with suppress(LineClosedError):
                self._handshake.rejoin()
