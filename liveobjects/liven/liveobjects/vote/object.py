"""The vote as an object: the counter's larger sister, and the smallest example of a model with undo."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from liven.liveobjects.channel.api.backpressure import check_room
from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.vote.model import Ask, Cast, Change, Offer, Poll, VoteModel, Withdraw
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


@value(id="8377A392D421FB96E457AD50FD0FCFB0", alias="liven:vote-operation")
class VoteOperation:
    """One gesture of one person."""

    origin: uuid.UUID
    number: UInt64
    author: str
    name: str
    changes: list[Ask | Offer | Withdraw | Cast]


@value(id="31C404294C3FC229DEAB9A87C487E1AD", alias="liven:vote-state")
class VoteState:
    """A whole vote."""

    question: str
    answers: list[Offer]
    voices: dict[str, str]


@proxy(
    id="FC740137C6E4D9FE8F2FADF7DBED573D",
    alias="liven:vote",
    view="liven.liveobjects.vote.view:make",
)
class VoteObject:
    """A question that all who have it open answer."""

    UI: ExportedUI
    channel: Dual[CheckpointedClient[VoteOperation, VoteState], ChannelService[VoteOperation]]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.ready = False
        self.editor: Editor[Poll, Change] = Editor(VoteModel(), context.person, self._send)

    @property
    def mine(self) -> str:
        """The answer that this person chose; empty for none."""
        return self.editor.state.voices.get(self.context.person, "")

    def choose(self, answer: str) -> None:
        """Gives this person's voice to an answer; chosen again, it is taken back."""
        self.editor.edit("Vote", Cast(self.context.person, "" if answer == self.mine else answer))

    def ask(self, question: str) -> None:
        """Sets the question."""
        self.editor.edit("Ask", Ask(question))

    def offer(self, text: str) -> None:
        """Adds an answer."""
        self.editor.edit(f"Add {text}", Offer(uuid.uuid4().hex, text))

    def withdraw(self, answer: str) -> None:
        """Takes an answer away."""
        self.editor.edit("Take an answer away", Withdraw(answer))

    def channel_connected(self) -> None:
        self.context.show_beside("channel", proven(self.editor, _replayed))

    def initialize(self, checkpoint: VoteState | None) -> None:
        self.ready = True
        self.editor.start(None if checkpoint is None else _unpacked(checkpoint))

    def receive(self, message: VoteOperation) -> None:
        self.editor.receive(_gesture(message))

    def checkpoint(self) -> VoteState:
        state = self.editor.confirmed
        return VoteState(state.question, list(state.answers), dict(state.voices))

    def channel_disconnected(self) -> None:
        self.ready = False

    def kept_undo(self) -> bytes:
        return kept_steps(self.editor.undo_list.steps)

    def take_undo(self, kept: bytes) -> None:
        self.editor.undo_list = UndoList(*read_steps(kept, (Ask, Offer, Withdraw, Cast)))

    def when_undo_changes(self, call: Callable[[], object]) -> None:
        self.editor.undo_changed = call

    def _send(self, made: Gesture[Change]) -> None:
        check_room(self.context, "channel")
        changes = list(made.changes)
        self.channel.peer.send(VoteOperation(made.origin, made.number, made.author, made.name, changes))


def _unpacked(checkpoint: VoteState) -> Poll:
    return Poll(checkpoint.question, tuple(checkpoint.answers), PersistentMap(checkpoint.voices))


def _gesture(message: VoteOperation) -> Gesture[Change]:
    changes = tuple(message.changes)
    return Gesture(message.origin, message.number, message.author, message.name, changes)


def _replayed() -> Replayed[Any, Any]:
    return Replayed(VoteModel(), _unpacked, _gesture)
