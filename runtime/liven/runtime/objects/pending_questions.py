"""Open questions to a person: while one is open, no time limit of loading runs out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from liven.runtime.objects.reply import Reply

Q = TypeVar("Q")
A = TypeVar("A")


class PendingQuestions:
    """The open questions of one node."""

    def __init__(self) -> None:
        self.open = 0
        """The number of unanswered questions."""
        self.settled = 0
        """The number of answered or cancelled questions."""

    def counting(self, ask: Callable[[Q], Reply[A]]) -> Callable[[Q], Reply[A]]:
        """Wrap `ask` so that each question counts as open until it is answered or cancelled."""

        def counted(question: Q) -> Reply[A]:
            reply = ask(question)
            if not reply.settled:
                self.open += 1
                reply.then(self._over)
            return reply

        return counted

    def _over(self, _: Reply[A]) -> None:
        self.open -= 1
        self.settled += 1
