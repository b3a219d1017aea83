"""The channel as an object's replica sees it: the replication contract, in this room's words.

`initialize` comes once, then `receive` in one order for all members, one's own messages included;
`checkpoint` is answered at once with the state after exactly what was received.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

from liven.types.declare import interface

M = TypeVar("M", contravariant=True)
P = TypeVar("P")


@interface
class Channel(Protocol[M]):
    """What a member asks of a checkpointed channel."""

    def send(self, message: M) -> None:
        """Gives a message its place in the order; it comes back by `receive`."""


@interface
class Member(Protocol[M, P]):
    """What a checkpointed channel asks of a member."""

    def receive(self, message: M) -> None:
        """The next message in the order."""

    def initialize(self, checkpoint: P | None) -> None:
        """The state to begin from; None at the first member of all."""

    def checkpoint(self) -> P:
        """The state after what was received."""
