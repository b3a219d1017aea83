"""The vote as a shared object: the smallest example of an object with undo."""

from __future__ import annotations

import uuid
from functools import partial

from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.presence.participant import NOBODY, local_participant
from liven.liveobjects.shared_object import SharedObject, Wire, gesture_of, operation_of
from liven.liveobjects.vote.model import (
    LONGEST_COLOUR,
    LONGEST_NAME,
    NAMELESS,
    Ask,
    Cast,
    Change,
    Introduce,
    Offer,
    Poll,
    VoteModel,
    Voter,
    Withdraw,
)
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
    changes: list[Ask | Offer | Withdraw | Cast | Introduce]


@value(id="31C404294C3FC229DEAB9A87C487E1AD", alias="liven:vote-state")
class VoteState:
    """The whole state of a vote."""

    question: str
    answers: list[Offer]
    voices: dict[str, str]
    whose: dict[str, Voter] | None = None
    """The names of voters; None in older checkpoints. New fields are optional, and their names come last in
    the alphabet."""


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
        person = self.context.person
        vote = Cast(person, "" if answer == self.mine else answer)
        who = local_participant(self.context)
        me = Voter(who.name[:LONGEST_NAME], who.colour[:LONGEST_COLOUR])
        known = self.editor.state.people.get(person, NAMELESS) == me
        told = () if known or not vote.answer or who is NOBODY else (Introduce(person, me.name, me.colour),)
        self.editor.edit("Vote", *told, vote)

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
    people = {key: state.people[key] for key in sorted(state.people)}
    return VoteState(state.question, list(state.answers), dict(state.voices), people or None)


def _unpack(checkpoint: VoteState) -> Poll:
    return Poll(
        checkpoint.question,
        tuple(checkpoint.answers),
        PersistentMap(checkpoint.voices),
        PersistentMap(checkpoint.whose or {}),
    )


WIRE: Wire[Poll, Change, VoteOperation, VoteState] = Wire(
    partial(operation_of, VoteOperation), gesture_of, _pack, _unpack, (Ask, Offer, Withdraw, Cast, Introduce)
)
