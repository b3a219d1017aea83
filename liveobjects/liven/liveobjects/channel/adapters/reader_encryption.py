"""Encryption for a list of readers: removed readers cannot read later messages.

Changes of the list are in the order of the channel itself, so all replicas agree on the key at each message,
and all drop messages under an older key. At a change, an author knows which of its messages have no place
yet, and sends just those again, in their order, before anything new.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final, Generic, Protocol

from liven.liveobjects.channel.adapters.base import WAITING_MOST, Adapter, UnfitError
from liven.liveobjects.channel.adapters.reader_list import (
    Reader,
    ReaderError,
    Ring,
    RingChange,
    apply,
    key_for,
    next_change,
    with_reader,
)
from liven.liveobjects.channel.adapters.sealed_values import Sealed, Sealer
from liven.liveobjects.channel.adapters.shared_key_encryption import MESSAGE, STATE, decoded
from liven.liveobjects.channel.api.endpoints import (
    BEGINS_FIRST,
    BEGUN_FIRST,
    TOTAL,
    ChannelService,
    CheckpointClass,
    CheckpointedClient,
    MessageClass,
)
from liven.liveobjects.channel.objects.local import checkpoint_class
from liven.liveobjects.channel.process.user_keys import UserKeys
from liven.liveobjects.channel.session.typed_line import class_in
from liven.runtime.objects.context import Context
from liven.types.codec import Codec
from liven.types.declare import Dual, UInt64, interface, provides, proxy, requires, value

_OWNER_BYTES: Final = 32
_NO_READER: Final = "you are not among the readers; ask an owner to admit you, and open it again"


@value
@dataclass(frozen=True)
class Guarded:
    """A message for the readers, or a change of the list."""

    sealed: Sealed | None
    change: RingChange | None


@value
@dataclass(frozen=True)
class GuardedState:
    """The list and, encrypted for its readers, the client's state with the messages before it."""

    ring: Ring
    sealed: Sealed


@dataclass(frozen=True, slots=True)
class _OutgoingMessage:
    """A message of the client without a place in the order, and its seal if it has one."""

    message: Any
    count: int = 0
    view: int = 0
    key: bytes | None = None


@interface
class Readers(Protocol):
    """The events that an owner sends."""

    def admit(self, reader: Reader) -> None:
        """Add a reader, who can read the present state and later messages."""

    def expel(self, sign: bytes) -> None:
        """Remove the reader with this key."""


@interface
class ReadersClient(Protocol):
    """The events about the list."""

    def readers(self, view: UInt64, readers: list[Reader]) -> None:
        """Receive the present readers."""


@proxy(id="89BC5908C9724040399C132CB4E94D4E", alias="liven:guard", delegates=("Readers",))
class Guard(Adapter, Generic[MessageClass, CheckpointClass]):
    """Encrypts for a list of readers. The first owners are `owners`: keys as hexadecimal digits, with
    spaces."""

    Channel: Annotated[
        Dual[ChannelService[MessageClass], CheckpointedClient[MessageClass, CheckpointClass]],
        provides("guarantee", f"{TOTAL}, encrypted, authenticated"),
        provides("trace", BEGINS_FIRST),
    ]
    below: Annotated[
        Dual[CheckpointedClient[Guarded, GuardedState], ChannelService[Guarded]],
        requires("guarantee", TOTAL),
        requires("trace", BEGUN_FIRST),
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
        self._said: deque[_OutgoingMessage] = deque()
        context.serve("Readers", self)

    def Channel_connected(self) -> None:
        """Deliver queued messages to the client."""
        self.connected_above()

    def below_connected(self) -> None:
        """Send queued messages to the channel."""
        self.connected_below()

    def connected(self) -> None:
        """Report the present readers."""
        self._show()

    def send(self, message: Any) -> None:
        """Send a message of the client. It is kept until it has its place, and waits while there is no
        key."""
        if len(self._said) >= WAITING_MOST:
            self.complain(f"{WAITING_MOST} messages wait for a key or for their place; one was dropped")
        elif self._key is None:
            self._said.append(_OutgoingMessage(message))
        else:
            super().send(message)

    def admit(self, reader: Reader) -> None:
        """Add a reader to the list."""
        try:
            self._change(with_reader(self._ring, reader))
        except ReaderError as error:
            self.context.report(str(error), "the list is unchanged")

    def expel(self, sign: bytes) -> None:
        """Remove a reader from the list."""
        rest = tuple(one for one in self._ring.readers if one.sign != sign)
        if len(rest) == len(self._ring.readers):
            self.context.report("nobody on the list has that key", "the list is unchanged")
        elif sign in self._ring.owners:
            self.context.report("an owner cannot be removed from the list", "the list is unchanged")
        else:
            self._change(rest)

    def initialize(self, checkpoint: Any) -> None:
        """Begin with the list and the state. On a new channel, an owner starts the list."""
        if checkpoint is None:
            self._sealer.forget()
            self._turn(Ring())
            self._tell("initialize", None)
            if self._user.name in self._owners:
                self._change((Reader(self._name, self._user.name, self._user.address),))
            return
        self._turn(checkpoint.ring)
        if self._key is None:
            raise UnfitError(_NO_READER)
        data = self._sealer.remember(self._sealer.open(checkpoint.sealed, self._key, STATE))
        self._tell("initialize", decoded(self._states, data))
        self._placed()
        self._say_again()

    def receive(self, message: Any) -> None:
        """Process a change of the list, or a message under the present key. A message under an earlier key
        came too late, and its author has sent it again; or it is a replay."""
        if message.change is not None:
            self._changed(message.change)
        elif message.sealed is not None and message.sealed.view == self._ring.view:
            super().receive(message)

    def lower(self, message: Any) -> Any:
        """Encrypt a message of the client."""
        assert self._key is not None
        sealed = self._sealer.seal(self._messages.encode(message), self._key, self._ring.view, MESSAGE)
        self._said.append(_OutgoingMessage(message, sealed.count, sealed.view, self._key))
        return Guarded(sealed, None)

    def lift(self, message: Any) -> Any:
        """Decrypt a message for the client. Its sender must be on the list, and it must not be a
        repetition."""
        sealed = message.sealed
        if sealed.sender not in {one.sign for one in self._ring.readers}:
            raise UnfitError("its sender is not on the list")
        if self._key is None:
            self._sealer.verify(sealed, MESSAGE)
            # Without the list's first key this client cannot follow the others, so it ends.
            raise ReaderError(_NO_READER)
        data = self._sealer.open(sealed, self._key, MESSAGE)
        self._sealer.once(sealed)
        self._placed()
        return decoded(self._messages, data)

    def lowering(self) -> Callable[[Any], Any]:
        """Bind the present list and the messages so far, and return the function that encrypts the state."""
        ring, key, seen = self._ring, self._key, self._sealer.remembered()

        def lowered(state: Any) -> GuardedState:
            if key is None:
                raise UnfitError("there is no key yet")
            data = seen + self._states.encode(state)
            return GuardedState(ring, self._sealer.seal(data, key, ring.view, STATE))

        return lowered

    def _change(self, readers: tuple[Reader, ...]) -> None:
        owners = self._ring.owners or self._owners
        if self._user.name not in owners:
            self.context.report("only an owner can change the list of readers", "ask one of them")
            return
        self.below.peer.send(Guarded(None, next_change(self._user, self._ring, readers, owners)))

    def _changed(self, change: RingChange) -> None:
        ring = apply(self._ring, change, self._owners)
        if ring is self._ring:
            if change.ring.view == 1 <= self._ring.view:
                return  # an owner that begins with the log requests a list before it learns that there is one
            if change.author == self._user.name:
                self.context.report("somebody else changed the list of readers at the same time", "try again")
            else:
                self.complain("somebody without the right to do so tried to change the list of readers")
            return
        had = self._key is not None
        self._turn(ring)
        if had and self._key is None:
            raise UnfitError("you were removed from the list of readers")
        self._say_again()

    def _turn(self, ring: Ring) -> None:
        self._ring = ring
        self._key = key_for(self._user, ring)
        self._show()

    def _say_again(self) -> None:
        """Send messages without a place again if they are under an older key or none. Those under a later key
        are in transit; an earlier state is being replayed."""
        if self._key is None:
            return
        said, self._said = self._said, deque()
        late = [one for one in said if self._is_late(one)]
        self._said.extend(one for one in said if not self._is_late(one))
        for one in late:
            super().send(one.message)

    def _is_late(self, one: _OutgoingMessage) -> bool:
        now = self._ring.view
        return one.view < now or (one.view == now and one.key != self._key)

    def _placed(self) -> None:
        """Drop messages that have arrived from the list of those to send again."""
        while self._said and 0 < self._said[0].count <= self._sealer.mine:
            self._said.popleft()

    def _show(self) -> None:
        if self.context.connected("Readers"):
            self.Readers.peer.readers(self._ring.view, list(self._ring.readers))


def _owners(text: str) -> tuple[bytes, ...]:
    try:
        keys = tuple(bytes.fromhex(word) for word in text.split())
    except ValueError:
        keys = ()
    if not keys or any(len(key) != _OWNER_BYTES for key in keys):
        raise ReaderError("owners are one or more keys of 64 hexadecimal digits, separated by spaces")
    return keys
