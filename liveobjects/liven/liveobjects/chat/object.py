"""The chat as an object."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Any

from liven.liveobjects.channel.api.backpressure import check_room
from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.chat.model import Change, ChatModel, Line, Say, Talk, Unsay
from liven.liveobjects.presence.person import who_is_here
from liven.runtime.fold import (
    Editor,
    Gesture,
    PersistentMap,
    Replayed,
    UndoList,
    kept_steps,
    proven,
    read_steps,
)
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
    """All that was said, the oldest first."""

    lines: list[Line]


@proxy(
    id="E989CD3F9504E363385EE2AD11F7BB99",
    alias="liven:chat-room",
    view="liven.liveobjects.chat.view:make",
)
class ChatObject:
    """A room in which all hear what each says."""

    UI: ExportedUI
    channel: Dual[CheckpointedClient[ChatOperation, ChatState], ChannelService[ChatOperation]]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.ready = False
        self.editor: Editor[Talk, Change] = Editor(ChatModel(), context.person, self._send)

    def say(self, text: str) -> None:
        """Says something to all; RefusedError says why it cannot be said."""
        who = who_is_here(self.context)
        when = int(time.time() * 1000)
        line = Line(uuid.uuid4().hex, who.key, who.name, who.colour, when, text)
        self.editor.edit("Say", Say(line))

    def channel_connected(self) -> None:
        self.context.show_beside("channel", proven(self.editor, _replayed))

    def initialize(self, checkpoint: ChatState | None) -> None:
        self.ready = True
        self.editor.start(None if checkpoint is None else _unpacked(checkpoint))

    def receive(self, message: ChatOperation) -> None:
        self.editor.receive(_gesture(message))

    def checkpoint(self) -> ChatState:
        return ChatState(list(self.editor.confirmed.said()))

    def channel_disconnected(self) -> None:
        self.ready = False

    def kept_undo(self) -> bytes:
        return kept_steps(self.editor.undo_list.steps)

    def take_undo(self, kept: bytes) -> None:
        self.editor.undo_list = UndoList(*read_steps(kept, (Say, Unsay, Line)))

    def when_undo_changes(self, call: Callable[[], object]) -> None:
        self.editor.undo_changed = call

    def _send(self, made: Gesture[Change]) -> None:
        check_room(self.context, "channel")
        changes = list(made.changes)
        self.channel.peer.send(ChatOperation(made.origin, made.number, made.author, made.name, changes))


def _unpacked(checkpoint: ChatState) -> Talk:
    lines = {line.key: line for line in checkpoint.lines}
    return Talk(PersistentMap(lines), tuple(lines))


def _gesture(message: ChatOperation) -> Gesture[Change]:
    changes = tuple(message.changes)
    return Gesture(message.origin, message.number, message.author, message.name, changes)


def _replayed() -> Replayed[Any, Any]:
    return Replayed(ChatModel(), _unpacked, _gesture)
