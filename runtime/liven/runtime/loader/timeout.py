"""The time limit of a dereference, which pauses while a person is asked a question."""

from __future__ import annotations

from collections.abc import Callable

from liven.runtime.dispatcher.dispatcher import Dispatcher, Entry
from liven.runtime.objects.pending_questions import PendingQuestions


class LoadTimeout:
    """Calls `late` once, `seconds` after its start or after the last answer; never after `end`."""

    def __init__(
        self, dispatcher: Dispatcher, questions: PendingQuestions, seconds: float, late: Callable[[], object]
    ) -> None:
        self._dispatcher = dispatcher
        self._questions = questions
        self._seconds = seconds
        self._late: Callable[[], object] | None = late
        self._entry: Entry | None = None
        self._settled = 0
        self._begin()

    def end(self) -> None:
        """Stop the time limit and release its references."""
        entry, self._entry, self._late = self._entry, None, None
        if entry is not None:
            entry.cancel()

    def _begin(self) -> None:
        self._settled = self._questions.settled
        self._entry = self._dispatcher.call_later(self._seconds, self._over)

    def _over(self) -> None:
        if self._questions.open or self._questions.settled != self._settled:
            self._begin()
            return
        late = self._late
        self.end()
        if late is not None:
            late()
