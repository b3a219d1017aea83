"""The chat as a shared object."""

from __future__ import annotations

import time
import uuid
from functools import partial

from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.chat.model import Change, ChatModel, Line, Say, Talk, Unsay
from liven.liveobjects.presence.participant import local_participant
from liven.liveobjects.shared_object import SharedObject, Wire, gesture_of, operation_of
from liven.runtime.fold import PersistentMap
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, ExportedUI, UInt64, proxy, value


@value(id="F715BAF3325D2BB8C6C8E2775320D0A9", alias="liven:chat-operation")
class ChatOperation:
    """One gesture of one person."""

    origin: uuid.UUID
    number: UInt64
    author: str
    name: str
    changes: list[Say | Unsay]


@value(id="60792DD58BB1AEE3BAD53C7522EFDD25", alias="liven:chat-state")
class ChatState:
    """All lines of a chat, oldest first."""

    lines: list[Line]


@proxy(
    id="E989CD3F9504E363385EE2AD11F7BB99",
    alias="liven:chat-room",
    view="liven.liveobjects.chat.view:make",
)
class ChatObject(SharedObject[Talk, Change, ChatOperation, ChatState]):
    """A chat: everybody in it reads and writes the same lines."""

    UI: ExportedUI
    channel: Dual[CheckpointedClient[ChatOperation, ChatState], ChannelService[ChatOperation]]

    def __init__(self, context: Context) -> None:
        super().__init__(context, ChatModel, WIRE)

    def say(self, text: str) -> None:
        """Send a line to everybody. Raise RefusedError if it cannot be sent."""
        who = local_participant(self.context)
        when = int(time.time() * 1000)
        line = Line(uuid.uuid4().hex, who.key, who.name, who.colour, when, text)
        self.editor.edit("Say", Say(line))


def _pack(state: Talk) -> ChatState:
    return ChatState(list(state.said()))


def _unpack(checkpoint: ChatState) -> Talk:
    lines = {line.key: line for line in checkpoint.lines}
    return Talk(PersistentMap(lines), tuple(lines))


WIRE: Wire[Talk, Change, ChatOperation, ChatState] = Wire(
    partial(operation_of, ChatOperation), gesture_of, _pack, _unpack, (Say, Unsay, Line)
)
