"""What waits to be handed to one object, in order: operations, and what is asked of it at their places.

A state may come with a hundred thousand operations behind it, from a log or from another computer. Handed on
in one turn of the loop they would stand the windows still and overrun the queue of events. So a piece of them
goes in each turn, and what is asked of the object meanwhile, such as its state, waits for its place among
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from liven.liveobjects.channel.ordering.messages import BATCH_MOST

AT_ONCE: Final = BATCH_MOST
"""Operations that are handed on in one turn: no more than one message carries."""
PIECE: Final = 200
"""Of more that come at once, so many in each turn."""


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """Something that is asked of an object."""

    ask: Callable[[], object]
    """Asks it, now that the object was handed all that comes before."""
    drop: Callable[[], object]
    """Tells whoever asked that there is no answer: what comes before was never handed on."""


Row: TypeAlias = bytes | Question


class DeliveryQueue:
    """What waits for one object."""

    __slots__ = ("_rows", "_void", "called")

    def __init__(self, payloads: Iterable[bytes] = ()) -> None:
        self._rows: list[Row] = list(payloads)
        self._void = 0
        self.called = False
        """Whether a turn is coming in which more of it is handed on."""

    def __len__(self) -> int:
        return len(self._rows)

    def put(self, payloads: Iterable[bytes]) -> None:
        """Adds operations."""
        self._rows += payloads

    def ask(self, question: Question) -> None:
        """Adds what is asked after all that waits now."""
        self._rows.append(question)

    @property
    def asks(self) -> bool:
        """Whether a question is the next; nothing is handed on before it was asked."""
        return bool(self._rows) and isinstance(self._rows[0], Question)

    def take(self, most: int) -> list[bytes]:
        """Takes out the next operations, at most so many, up to a question."""
        taken: list[bytes] = []
        for row in self._rows[:most]:
            if isinstance(row, Question):
                break
            taken.append(row)
        del self._rows[: len(taken)]
        return taken

    def take_question(self) -> Question | None:
        """Takes out the question that is the next."""
        row = self._rows[0] if self._rows else None
        if not isinstance(row, Question):
            return None
        del self._rows[0]
        return row

    def mark(self) -> None:
        """All that waits now is in a state that has been asked for."""
        self._void = len(self._rows)

    def unmark(self) -> None:
        """That state does not come: what was marked is handed on."""
        self._void = 0

    def drop_marked(self) -> None:
        """That state is here."""
        self._drop(self._void)

    def drop_all(self) -> None:
        """Nothing of it is handed on any more."""
        self._drop(len(self._rows))

    def _drop(self, count: int) -> None:
        gone = self._rows[:count]
        del self._rows[:count]
        self._void = 0
        for row in gone:
            if isinstance(row, Question):
                row.drop()
