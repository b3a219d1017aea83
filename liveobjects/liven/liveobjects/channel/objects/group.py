"""The group channel: messages to everyone who has it open, each sender's in order."""

from __future__ import annotations

from typing import Annotated, Any, Generic

from liven.liveobjects.channel.api.endpoints import FIFO, ChannelClient, ChannelService, MessageClass
from liven.liveobjects.channel.session.typed_line import TypedLine, class_in
from liven.runtime.capability.capability import Capability, joins_channel
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, provides, proxy


@proxy(id="6D0C87273C74D7CDB7FCD65B17823F1B", alias="liven:group-channel")
class GroupChannel(Generic[MessageClass]):
    """The group called `name`. Members that were away have missed what was sent meanwhile."""

    Channel: Annotated[
        Dual[ChannelService[MessageClass], ChannelClient[MessageClass]], provides("guarantee", FIFO)
    ]

    def __init__(self, context: Context, name: str) -> None:
        self.context = context
        self.name = name
        self.speech: TypedLine | None = None
        self._value = class_in(context.external("Channel").type, "send", "message")

    @staticmethod
    def capabilities(name: str) -> tuple[Capability, ...]:
        """State what a recipe with this parameter reaches."""
        return joins_channel(name)

    def Channel_connected(self) -> None:
        """Join the group."""
        self.speech = TypedLine(self.context, self.name, self._value, self._heard)

    def Channel_disconnected(self) -> None:
        """Leave the group."""
        if self.speech is not None:
            self.speech.close()
            self.speech = None

    def send(self, message: MessageClass) -> None:
        """Send to all."""
        if self.speech is not None:
            self.speech.say(message)

    def _heard(self, _: int, message: Any) -> None:
        if self.context.connected("Channel"):
            self.Channel.peer.receive(message)
