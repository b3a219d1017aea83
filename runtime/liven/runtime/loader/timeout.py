"""How long a dereference may take. While a person is asked something, no time runs out."""

from __future__ import annotations

from collections.abc import Callable

from liven.runtime.dispatcher.dispatcher import Dispatcher, Entry
from liven.runtime.objects.pending_questions import PendingQuestions


class LoadTimeout:
    """`late` is called once, `seconds` after this was made or after the last answer; not after `end`."""

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
        """It is done; nothing refers to anything any more."""
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
