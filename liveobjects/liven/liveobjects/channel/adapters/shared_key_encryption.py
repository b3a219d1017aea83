"""Encryption with a key in the reference: everyone who has the reference can read.

Access cannot be revoked, because a key once known stays known. Use `reader_encryption.py` where readers must
be removed one day.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, Generic

from liven.liveobjects.channel.adapters.base import Adapter, UnfitError
from liven.liveobjects.channel.adapters.sealed_values import KEY_BYTES, Sealed, Sealer, derived
from liven.liveobjects.channel.api.endpoints import (
    BEGINS_FIRST,
    BEGUN_FIRST,
    TOTAL,
    ChannelClient,
    ChannelService,
    CheckpointClass,
    CheckpointedClient,
    MessageClass,
)
from liven.liveobjects.channel.objects.local import checkpoint_class
from liven.liveobjects.channel.process.user_keys import UserKeys
from liven.liveobjects.channel.session.typed_line import class_in
from liven.runtime.objects.context import Context
from liven.types.codec import Codec, CodecError
from liven.types.declare import Dual, provides, proxy, requires

MESSAGE: Final = b"message"
STATE: Final = b"state"
_FIFO: Final = "exactly-once, fifo"
_SEALED: Final = "encrypted, authenticated"


class BadKeyError(ValueError):
    """A text that is not a key."""


def key_of(text: str) -> bytes:
    """Return the key written as hexadecimal digits."""
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise BadKeyError(
            f"a key is {2 * KEY_BYTES} hexadecimal digits; this text has {len(text)} characters"
        )
    return key


class _Encrypted(Adapter):
    """Messages and states sealed with one key."""

    def start(self, context: Context, key: str, label: str) -> None:
        """Initialize the adapter, for the subclass's constructor."""
        self.begin(context)
        self._key = derived(key_of(key), label)
        self._sealer = Sealer(context.service(UserKeys))
        self._messages = Codec(class_in(context.external("Channel").type, "send", "message"))

    def lower(self, message: Any) -> Any:
        return self._sealer.seal(self._messages.encode(message), self._key, 0, MESSAGE)

    def lift(self, message: Any) -> Any:
        data = self._sealer.open(message, self._key, MESSAGE)
        self._sealer.once(message)
        return decoded(self._messages, data)


@proxy(id="1A2D6868E7BDE0F650AF42E3C1074905", alias="liven:encrypt")
class Encrypt(_Encrypted, Generic[MessageClass]):
    """Encrypts messages on a channel with a key of the reference."""

    Channel: Annotated[
        Dual[ChannelService[MessageClass], ChannelClient[MessageClass]],
        provides("guarantee", f"{_FIFO}, {_SEALED}"),
    ]
    below: Annotated[Dual[ChannelClient[Sealed], ChannelService[Sealed]], requires("guarantee", _FIFO)]

    def __init__(self, context: Context, key: str, label: str = "") -> None:
        self.start(context, key, label)

    def Channel_connected(self) -> None:
        """Deliver queued messages to the client."""
        self.connected_above()

    def below_connected(self) -> None:
        """Send queued messages to the channel."""
        self.connected_below()


@proxy(id="2E878791C0BAE550AB20A27EC81EA408", alias="liven:encrypt-replicated")
class EncryptReplicated(_Encrypted, Generic[MessageClass, CheckpointClass]):
    """Encrypts messages and checkpoints on a checkpointed channel with a key of the reference."""

    Channel: Annotated[
        Dual[ChannelService[MessageClass], CheckpointedClient[MessageClass, CheckpointClass]],
        provides("guarantee", f"{TOTAL}, {_SEALED}"),
        provides("trace", BEGINS_FIRST),
    ]
    below: Annotated[
        Dual[CheckpointedClient[Sealed, Sealed], ChannelService[Sealed]],
        requires("guarantee", TOTAL),
        requires("trace", BEGUN_FIRST),
    ]

    def __init__(self, context: Context, key: str, label: str = "") -> None:
        self.start(context, key, label)
        self._states = Codec(checkpoint_class(context.external("Channel").type))

    def Channel_connected(self) -> None:
        """Deliver queued messages to the client."""
        self.connected_above()

    def below_connected(self) -> None:
        """Send queued messages to the channel."""
        self.connected_below()

    def initialize(self, checkpoint: Any) -> None:
        """Initialize the client."""
        if checkpoint is None:
            self._sealer.forget()
        super().initialize(checkpoint)

    def lowering(self) -> Callable[[Any], Any]:
        """Bind the counts of earlier messages, so that a client that begins with this checkpoint drops the
        same ones."""
        seen = self._sealer.remembered()
        return lambda state: self._sealer.seal(seen + self._states.encode(state), self._key, 0, STATE)

    def lift_state(self, state: Any) -> Any:
        """Decrypt a state."""
        return decoded(self._states, self._sealer.remember(self._sealer.open(state, self._key, STATE)))


def decoded(codec: Codec, data: bytes) -> Any:
    """Decode a value. Raises UnfitError for bytes that were sealed with our key but are not a value."""
    try:
        return codec.decode(data, "value")
    except CodecError as error:
        raise UnfitError(f"it has other value classes: {error}") from None
