"""The checkpoint synchronizer, under its original id: a checkpointed channel over an ordered one.

The original program gets checkpoints from a second channel, which nothing in its library provides. Here they
are in the same order as the messages (`checkpoint_sync.py`), because a checkpoint needs its place among
them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Generic

from liven.liveobjects.channel.adapters.base import Adapter
from liven.liveobjects.channel.adapters.checkpoint_sync import CheckpointSync, TooMuchError
from liven.liveobjects.channel.adapters.total_order import Letter
from liven.liveobjects.channel.api.endpoints import (
    BEGINS_FIRST,
    TOTAL,
    ChannelClient,
    ChannelService,
    CheckpointClass,
    CheckpointedClient,
    MessageClass,
)
from liven.liveobjects.channel.objects.local import checkpoint_class
from liven.liveobjects.channel.session.typed_line import class_in
from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.objects.context import Context
from liven.runtime.objects.reply import Reply
from liven.types.codec import Codec, CodecError
from liven.types.declare import Dual, provides, proxy, requires


@proxy(id="824656C7A74A450EAE1E1552C64FAC39", alias="liven:checkpoint-synchronizer")
class CheckpointSynchronizer(Adapter, Generic[MessageClass, CheckpointClass]):
    """Lets a client that needs an initial state use an ordered channel, which carries letters."""

    Channel: Annotated[
        Dual[ChannelService[MessageClass], CheckpointedClient[MessageClass, CheckpointClass]],
        provides("guarantee", TOTAL),
        provides("trace", BEGINS_FIRST),
    ]
    underlying_communication_channel: Annotated[
        Dual[ChannelClient[Letter], ChannelService[Letter]], requires("guarantee", TOTAL)
    ]

    below_name = "underlying_communication_channel"

    def __init__(self, context: Context) -> None:
        self.begin(context)
        kind = context.external("Channel").type
        self._codec = Codec(class_in(kind, "send", "message"))
        self._states = Codec(checkpoint_class(kind))
        self._machine: CheckpointSync | None = None
        self._alarm: Entry | None = None
        self._due = 0.0

    def Channel_connected(self) -> None:
        """Deliver queued messages to the client."""
        self.connected_above()

    def underlying_communication_channel_connected(self) -> None:
        """Ask for the state, and then send queued messages."""
        machine = self._machine = CheckpointSync(self, self.context.now())
        waiting, self._down = list(self._down), type(self._down)()
        for payload in waiting:
            machine.send(payload)
        self._set_alarm()

    def underlying_communication_channel_disconnected(self) -> None:
        """Queue messages while there is no channel."""
        self._machine = None

    def send(self, message: Any) -> None:
        """Send a message of the client."""
        payload = self._codec.encode_compact(message)
        if self._machine is None:
            self.keep(payload)
            return
        try:
            self._machine.send(payload)
        except TooMuchError as error:
            self.complain(f"a message cannot be sent: {error}")

    def receive(self, message: Letter) -> None:
        """Process a letter of the channel."""
        if self._machine is not None:
            self._machine.heard(message.data, self.context.now())
            self._set_alarm()

    # Calls of the state machine

    def post(self, data: bytes) -> None:
        """Send a letter."""
        if self.context.connected(self.below_name):
            self.underlying_communication_channel.peer.send(Letter(data))

    def can_read(self, state: bytes) -> bool:
        """Return True for a valid state of the client's class."""
        try:
            self.lift_state(state)
        except CodecError:
            return False
        return True

    def start(self, state: bytes | None) -> None:
        """Initialize the client."""
        self.initialize(state)

    def lift_state(self, state: bytes) -> Any:
        """Decode a state of another member."""
        return self._states.decode_compact(state, "checkpoint")

    def apply(self, payload: bytes) -> None:
        """Deliver the next message to the client."""
        try:
            self._tell("receive", self._codec.decode_compact(payload, "message"))
        except CodecError as error:
            self.complain(f"a message was dropped: {error}")

    def take(self, got: Callable[[bytes | None], None]) -> None:
        """Ask the client for its state. A worker encodes it."""

        def encoded(reply: Reply[bytes]) -> None:
            got(None if reply.error else reply.value())

        def answered(reply: Reply[Any]) -> None:
            if reply.error is not None:
                got(None)
            else:
                self.context.work(self._states.encode_compact, reply.value()).then(encoded)

        if not self.context.connected(self.above_name) or self._up:
            got(None)
            return
        reply: Any = self.Channel.peer.checkpoint()
        reply.then(answered)

    def tell(self, what: str, advice: str) -> None:
        """Report a problem."""
        self.context.report(what, advice)

    def _set_alarm(self) -> None:
        wake = None if self._machine is None else self._machine.wake
        if wake is None or (self._alarm is not None and self._due <= wake):
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._due = wake
        self._alarm = self.context.call_later(max(0.0, wake - self.context.now()), self._tick)

    def _tick(self) -> None:
        self._alarm = None
        if self._machine is not None:
            self._machine.tick(self.context.now())
            self._set_alarm()
