"""Requests for a state to the objects of one process: from other replicas, and from objects that connect
later.

An object may close before it answers. A request of another replica then fails, because it needs the state of
that moment. An object that connected later gets the state of another object here, or else the content of the
log.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar

from liven.liveobjects.channel.replica.state_transfer.slices import EncodedState

Got: TypeAlias = Callable[[EncodedState | None, str], object]
"""Gets the state, or None and the reason."""
GONE = "the object that was asked was closed"


class Asked(Protocol):
    """One of the objects."""

    @property
    def ready(self) -> bool:
        """True if it has a state and can return it."""

    @property
    def begins(self) -> bool:
        """True if it was told to begin and has not done so yet."""

    @property
    def ask(self) -> Callable[[Got], None]:
        """A function that asks it for its state."""

    @property
    def give(self) -> Got:
        """A function that gives it another object's state, or the reason why there is none."""

    @property
    def wait_for_state(self) -> Callable[[], None]:
        """A function that marks everything it received as included in the requested state."""


One = TypeVar("One", bound=Asked)


@dataclass(eq=False, slots=True)
class _Question(Generic[One]):
    """A request to one object that is not answered."""

    whom: One
    got: Got


class HasClients(Protocol[One]):
    """The session that the objects share."""

    @property
    def clients(self) -> Sequence[One]:
        """The connected objects."""

    @property
    def begin_alone(self) -> Callable[[One], object]:
        """A function that begins an object whose state no other one here has."""


class StateRequests(Generic[One]):
    """The open requests among the objects of one process."""

    __slots__ = ("_early", "_open", "_room")

    def __init__(self, room: HasClients[One]) -> None:
        self._room = room
        self._open: tuple[_Question[One], ...] = ()
        self._early: tuple[One, ...] = ()
        """Objects that connected while others were about to begin."""

    def ask(self, whom: One, got: Got) -> None:
        """Ask an object for its state. `got` is called exactly once, even if the object closes."""
        question = _Question(whom, got)
        self._open += (question,)
        whom.ask(lambda state, why: self._answered(question, state, why))

    def able(self) -> One | None:
        """Return an object that can be asked."""
        return next((one for one in self._room.clients if one.ready), None)

    def give(self, one: One, tried: tuple[One, ...] = ()) -> None:
        """Give a later object the state of another one that was not tried yet."""
        if one.ready or one not in self._room.clients:
            return
        others = [other for other in self._room.clients if other is not one and other not in tried]
        able = next((other for other in others if other.ready), None)
        if able is not None:
            one.wait_for_state()
            self.ask(able, lambda state, why: self._gave(one, (*tried, able), state, why))
        elif one.begins or any(other.begins for other in others):
            self._early += (one,)
        else:
            self._room.begin_alone(one)

    def serve_waiting(self) -> None:
        """Give waiting objects the state, if another one has it now."""
        early, self._early = self._early, ()
        for one in early:
            self.give(one)

    def gone(self, whom: One) -> None:
        """Handle that an object closed: fail its requests, and stop waiting for it."""
        for question in [each for each in self._open if each.whom is whom]:
            self._answered(question, None, GONE)
        self.serve_waiting()

    def _gave(self, one: One, tried: tuple[One, ...], state: EncodedState | None, why: str) -> None:
        if state is not None or why != GONE:
            one.give(state, why)
        if state is None:
            self.give(one, tried)

    def _answered(self, question: _Question[One], state: EncodedState | None, why: str) -> None:
        if question in self._open:
            self._open = tuple(each for each in self._open if each is not question)
            question.got(state, why)
