"""The delivery queue of one object: operations, and questions to the object at their places between them.

A state from a log or another computer may come with a hundred thousand operations after it. In one turn of
the event loop they would freeze the windows and overflow the event queue. Each turn therefore delivers one
part, and a question, for example for the object's state, waits for its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from liven.liveobjects.channel.ordering.messages import BATCH_MOST

AT_ONCE: Final = BATCH_MOST
"""Operations delivered in one turn at most: as many as one message carries."""
PIECE: Final = 200
"""Operations per turn for larger batches."""


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A question to an object."""

    ask: Callable[[], object]
    """Asks the object, after everything before the question was delivered."""
    drop: Callable[[], object]
    """Tells the asker that there is no answer, because the object never received what comes before."""


Row: TypeAlias = bytes | Question


class DeliveryQueue:
    """The queue of one object."""

    __slots__ = ("_rows", "_void", "called")

    def __init__(self, payloads: Iterable[bytes] = ()) -> None:
        self._rows: list[Row] = list(payloads)
        self._void = 0
        self.called = False
        """True if a turn is scheduled to deliver more."""

    def __len__(self) -> int:
        return len(self._rows)

    def put(self, payloads: Iterable[bytes]) -> None:
        """Append operations."""
        self._rows += payloads

    def ask(self, question: Question) -> None:
        """Append a question."""
        self._rows.append(question)

    @property
    def asks(self) -> bool:
        """True if a question is next; it must be asked before further deliveries."""
        return bool(self._rows) and isinstance(self._rows[0], Question)

    def take(self, most: int) -> list[bytes]:
        """Remove and return the next operations, at most `most`, up to a question."""
        taken: list[bytes] = []
        for row in self._rows[:most]:
            if isinstance(row, Question):
                break
            taken.append(row)
        del self._rows[: len(taken)]
        return taken

    def take_question(self) -> Question | None:
        """Remove and return the question that is next."""
        row = self._rows[0] if self._rows else None
        if not isinstance(row, Question):
            return None
        del self._rows[0]
        return row

    def mark(self) -> None:
        """Mark everything in the queue as included in a requested state."""
        self._void = len(self._rows)

    def unmark(self) -> None:
        """Remove the mark, because that state does not come."""
        self._void = 0

    def drop_marked(self) -> None:
        """Drop what was marked, because that state has come."""
        self._drop(self._void)

    def drop_all(self) -> None:
        """Empty the queue."""
        self._drop(len(self._rows))

    def _drop(self, count: int) -> None:
        gone = self._rows[:count]
        del self._rows[:count]
        self._void = 0
        for row in gone:
            if isinstance(row, Question):
                row.drop()
