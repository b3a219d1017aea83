"""States that the objects of one process, which are one replica, are asked for: by other replicas, and by
those of them that come later.

Whoever is asked may close before it has answered. What another replica asked is answered with no then, as the
state must be that of the moment; an object that came later is given the state of another one here, or of the
log where no other has it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar

from liven.liveobjects.channel.replica.state_transfer.slices import Wrapped

Got: TypeAlias = Callable[[Wrapped | None, str], object]
"""Gets the state, or none and why there is none."""
GONE = "the object that was asked was closed"


class Asked(Protocol):
    """One of the objects."""

    @property
    def ready(self) -> bool:
        """Whether it has begun, and can say its state."""

    @property
    def begins(self) -> bool:
        """Whether it was told to begin, and has not done so yet."""

    @property
    def ask(self) -> Callable[[Got], None]:
        """Has it say its state."""

    @property
    def give(self) -> Got:
        """Has it begin with the state of another; or told why that has none."""

    @property
    def wait_for_state(self) -> Callable[[], None]:
        """What came to it up to now is in the state that another is being asked for."""


One = TypeVar("One", bound=Asked)


@dataclass(eq=False, slots=True)
class _Question(Generic[One]):
    """What one object was asked and has not answered."""

    whom: One
    got: Got


class Room(Protocol[One]):
    """What the objects of a process share."""

    @property
    def clients(self) -> Sequence[One]:
        """The objects that are there."""

    @property
    def begin_alone(self) -> Callable[[One], object]:
        """Has an object begin of which no other here has the state."""


class Asking(Generic[One]):
    """Who asks whom, among the objects of one process."""

    __slots__ = ("_early", "_open", "_room")

    def __init__(self, room: Room[One]) -> None:
        self._room = room
        self._open: tuple[_Question[One], ...] = ()
        self._early: tuple[One, ...] = ()
        """Who came when others were about to begin."""

    def ask(self, whom: One, got: Got) -> None:
        """Asks an object for its state; `got` is called once, also if it closes."""
        question = _Question(whom, got)
        self._open += (question,)
        whom.ask(lambda state, why: self._answered(question, state, why))

    def able(self) -> One | None:
        """One that can be asked."""
        return next((one for one in self._room.clients if one.ready), None)

    def give(self, one: One, tried: tuple[One, ...] = ()) -> None:
        """An object comes to others that have begun: it gets the state of one that was not tried yet."""
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

    def look_again(self) -> None:
        """Who came while others were about to begin gets the state, if one of them has it now."""
        early, self._early = self._early, ()
        for one in early:
            self.give(one)

    def gone(self, whom: One) -> None:
        """An object closed: it answers nothing any more, and who waited for it to begin waits no longer."""
        for question in [each for each in self._open if each.whom is whom]:
            self._answered(question, None, GONE)
        self.look_again()

    def _gave(self, one: One, tried: tuple[One, ...], state: Wrapped | None, why: str) -> None:
        if state is not None or why != GONE:
            one.give(state, why)
        if state is None:
            self.give(one, tried)

    def _answered(self, question: _Question[One], state: Wrapped | None, why: str) -> None:
        if question in self._open:
            self._open = tuple(each for each in self._open if each is not question)
            question.got(state, why)
