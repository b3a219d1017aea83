"""The vote as a shared object: the smallest example of an object with undo."""

from __future__ import annotations

import uuid
from functools import partial

from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.shared_object import SharedObject, Wire, gesture_of, operation_of
from liven.liveobjects.vote.model import Ask, Cast, Change, Offer, Poll, VoteModel, Withdraw
from liven.runtime.fold import PersistentMap
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
    """The whole state of a vote."""

    question: str
    answers: list[Offer]
    voices: dict[str, str]


@proxy(
    id="FC740137C6E4D9FE8F2FADF7DBED573D",
    alias="liven:vote",
    view="liven.liveobjects.vote.view:make",
)
class VoteObject(SharedObject[Poll, Change, VoteOperation, VoteState]):
    """A question that all its participants answer."""

    UI: ExportedUI
    channel: Dual[CheckpointedClient[VoteOperation, VoteState], ChannelService[VoteOperation]]

    def __init__(self, context: Context) -> None:
        super().__init__(context, VoteModel, WIRE)

    @property
    def mine(self) -> str:
        """The answer that this person chose; empty for none."""
        return self.editor.state.voices.get(self.context.person, "")

    def choose(self, answer: str) -> None:
        """Cast this person's vote; remove it if it was for this answer already."""
        self.editor.edit("Vote", Cast(self.context.person, "" if answer == self.mine else answer))

    def ask(self, question: str) -> None:
        """Set the question."""
        self.editor.edit("Ask", Ask(question))

    def offer(self, text: str) -> None:
        """Add an answer."""
        self.editor.edit(f"Add {text}", Offer(uuid.uuid4().hex, text))

    def withdraw(self, answer: str) -> None:
        """Remove an answer."""
        self.editor.edit("Remove an answer", Withdraw(answer))


def _pack(state: Poll) -> VoteState:
    return VoteState(state.question, list(state.answers), dict(state.voices))


def _unpack(checkpoint: VoteState) -> Poll:
    return Poll(checkpoint.question, tuple(checkpoint.answers), PersistentMap(checkpoint.voices))


WIRE: Wire[Poll, Change, VoteOperation, VoteState] = Wire(
    partial(operation_of, VoteOperation), gesture_of, _pack, _unpack, (Ask, Offer, Withdraw, Cast)
)
