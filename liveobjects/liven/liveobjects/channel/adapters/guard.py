"""Encryption for a list of readers: who is taken from it cannot read what is said afterwards.

Changes of the list travel in the order of the channel itself. So at each message all replicas agree which key
is that of now; a message under an older one is left out by all, and its author says it again under the new.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Annotated, Any, Final, Generic, Protocol

from liven.liveobjects.channel.adapters.between import WAITING_MOST, Between, UnfitError
from liven.liveobjects.channel.adapters.encrypt import MESSAGE, STATE, decoded
from liven.liveobjects.channel.adapters.readers import (
    Reader,
    ReaderError,
    Ring,
    RingChange,
    apply,
    key_for,
    next_change,
    with_reader,
)
from liven.liveobjects.channel.adapters.sealed import Sealed, Sealer
from liven.liveobjects.channel.endpoints import (
    REPLICATED,
    TOTAL,
    ChannelService,
    CheckpointClass,
    CheckpointedClient,
    MessageClass,
)
from liven.liveobjects.channel.local import checkpoint_class
from liven.liveobjects.channel.speech import class_in
from liven.liveobjects.channel.user_keys import UserKeys
from liven.runtime.context import Context
from liven.types.codec import Codec
from liven.types.declare import Dual, UInt64, interface, provides, proxy, requires, value

_OWNER_BYTES: Final = 32


@value
@dataclass(frozen=True)
class Guarded:
    """A message for the readers, or a change of the list."""

    sealed: Sealed | None
    change: RingChange | None


@value
@dataclass(frozen=True)
class GuardedState:
    """The list, and the state of the client for its readers."""

    ring: Ring
    sealed: Sealed


@interface
class Readers(Protocol):
    """What an owner can do."""

    def admit(self, reader: Reader) -> None:
        """Lets somebody read what is said from now on, and the state of now."""

    def expel(self, sign: bytes) -> None:
        """Takes the reader with this key from the list."""


@interface
class ReadersClient(Protocol):
    """What the list tells."""

    def readers(self, view: UInt64, readers: list[Reader]) -> None:
        """Who may read now."""


@proxy(id="89BC5908C9724040399C132CB4E94D4E", alias="liven:guard", delegates=("Readers",))
class Guard(Between, Generic[MessageClass, CheckpointClass]):
    """Encrypts for the readers on a list that `owners` (keys in hexadecimal digits, with spaces) begin."""

    Channel: Annotated[
        Dual[ChannelService[MessageClass], CheckpointedClient[MessageClass, CheckpointClass]],
        provides("guarantee", f"{TOTAL}, encrypted, authenticated"),
        provides("trace", REPLICATED),
    ]
    below: Annotated[
        Dual[CheckpointedClient[Guarded, GuardedState], ChannelService[Guarded]],
        requires("guarantee", TOTAL),
        requires("trace", "at most one in.initialize; no in.receive before in.initialize"),
    ]
    Readers: Dual[Readers, ReadersClient]

    def __init__(self, context: Context, owners: str, name: str = "owner") -> None:
        self.begin(context)
        self._user = context.service(UserKeys)
        self._owners = _owners(owners)
        self._name = name
        kind = context.external("Channel").type
        self._messages = Codec(class_in(kind, "send", "message"))
        self._states = Codec(checkpoint_class(kind))
        self._sealer = Sealer(self._user)
        self._ring = Ring()
        self._key: bytes | None = None
        self._last: bytes | None = None
        self._unsaid: deque[Any] = deque()
        context.serve("Readers", self)

    def Channel_connected(self) -> None:
        """The client is here."""
        self.connected_above()

    def below_connected(self) -> None:
        """The channel is here."""
        self.connected_below()

    def connected(self) -> None:
        """Somebody wants to see or change the list."""
        self._show()

    def send(self, message: Any) -> None:
        """From the client; waits while there is no key."""
        if self._key is not None:
            super().send(message)
        elif len(self._unsaid) < WAITING_MOST:
            self._unsaid.append(message)
        else:
            self.complain("there is no key yet, and too many messages wait for one")

    def admit(self, reader: Reader) -> None:
        """Puts somebody on the list."""
        try:
            self._change(with_reader(self._ring, reader))
        except ReaderError as error:
            self.context.report(str(error), "the list is as it was")

    def expel(self, sign: bytes) -> None:
        """Takes somebody from it."""
        rest = tuple(one for one in self._ring.readers if one.sign != sign)
        if len(rest) == len(self._ring.readers):
            self.context.report("nobody on the list has that key", "the list is as it was")
        elif sign in self._ring.owners:
            self.context.report("an owner cannot be taken from the list", "the list is as it was")
        else:
            self._change(rest)

    def initialize(self, checkpoint: Any) -> None:
        """Begins with the list and the state; an owner of a new channel begins the list."""
        if checkpoint is None:
            self._tell("initialize", None)
            if self._user.name in self._owners:
                self._change((Reader(self._name, self._user.name, self._user.address),))
            return
        self._turn(checkpoint.ring)
        if self._key is None:
            raise UnfitError("you are not among the readers; ask an owner to admit you, and open it again")
        data = self._sealer.open(checkpoint.sealed, self._key, STATE)
        self._tell("initialize", decoded(self._states, data))

    def receive(self, message: Any) -> None:
        """A change of the list, or a message under the key of now."""
        if message.change is not None:
            self._changed(message.change)
        elif message.sealed is not None and message.sealed.view != self._ring.view:
            self._late(message.sealed)
        elif message.sealed is not None:
            super().receive(message)

    def lower(self, message: Any) -> Any:
        """A message of the client."""
        assert self._key is not None
        data = self._messages.encode(message)
        return Guarded(self._sealer.seal(data, self._key, self._ring.view, MESSAGE), None)

    def lift(self, message: Any) -> Any:
        """A message for the client: from somebody on the list, once."""
        sealed = message.sealed
        if self._key is None or sealed.sender not in {one.sign for one in self._ring.readers}:
            raise UnfitError("its sender is not on the list")
        data = self._sealer.open(sealed, self._key, MESSAGE)
        self._sealer.once(sealed)
        return decoded(self._messages, data)

    def lower_state(self, state: Any) -> Any:
        """The list, and the state for its readers."""
        if self._key is None:
            raise UnfitError("there is no key yet")
        sealed = self._sealer.seal(self._states.encode(state), self._key, self._ring.view, STATE)
        return GuardedState(self._ring, sealed)

    def _change(self, readers: tuple[Reader, ...]) -> None:
        owners = self._ring.owners or self._owners
        if self._user.name not in owners:
            self.context.report("only an owner changes the list of readers", "ask one of them")
            return
        self.below.peer.send(Guarded(None, next_change(self._user, self._ring, readers, owners)))

    def _changed(self, change: RingChange) -> None:
        ring = apply(self._ring, change, self._owners)
        if ring is self._ring:
            if change.author == self._user.name:
                self.context.report("the list of readers was changed by somebody else just then", "try again")
            else:
                self.complain("somebody who may not tried to change the list of readers")
            return
        had = self._key is not None
        self._turn(ring)
        if had and self._key is None:
            raise UnfitError("you were taken from the list of readers")

    def _turn(self, ring: Ring) -> None:
        self._last, self._ring = self._key, ring
        self._key = key_for(self._user, ring)
        self._show()
        if self._key is not None:
            unsaid, self._unsaid = self._unsaid, deque()
            for message in unsaid:
                super().send(message)

    def _late(self, sealed: Sealed) -> None:
        """Under the key of before: all leave it out, and its author says it again."""
        if self._sealer.is_mine(sealed) and self._last is not None and self._key is not None:
            super().send(decoded(self._messages, self._sealer.open(sealed, self._last, MESSAGE)))

    def _show(self) -> None:
        if self.context.connected("Readers"):
            self.Readers.peer.readers(self._ring.view, list(self._ring.readers))


def _owners(text: str) -> tuple[bytes, ...]:
    try:
        keys = tuple(bytes.fromhex(word) for word in text.split())
    except ValueError:
        keys = ()
    if not keys or any(len(key) != _OWNER_BYTES for key in keys):
        raise ReaderError("owners are keys of 64 hexadecimal digits, with spaces between them, at least one")
    return keys
