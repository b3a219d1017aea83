"""The answer to the question about files and folders: a remembered one, or the user's."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QWidget

from liven.app.trust.path_store import PathStore
from liven.app.trust.question_board import QuestionBoard
from liven.app.trust.question_row import MOST_PATHS, Answer, Decision, path_row
from liven.runtime.capability import ConsentQuestion
from liven.runtime.objects.reply import Reply


class PathPolicy:
    """Answer from the remembered answers, or ask the person."""

    def __init__(self, allowed: PathStore, board: QuestionBoard) -> None:
        self._allowed = allowed
        self._board = board
        self.window_of: Callable[[str], QWidget | None] = lambda _: None
        """Returns the window of the object at a path."""

    def ask(self, question: ConsentQuestion) -> Reply[bool]:
        """Return the answer, which may take time."""
        reply: Reply[bool] = Reply()
        left = {part: None for part in _parts(question) if not self._allowed.allows(part)}
        withdrawals: list[Callable[[], None]] = []
        if not left:
            reply.resolve(True)
            return reply

        def answered(part: ConsentQuestion, decision: Decision) -> None:
            del left[part]
            allowed = self._is_allowed(part, decision)
            if not reply.settled and not (allowed and left):
                reply.resolve(allowed)
                withdraw()

        def withdraw() -> None:
            for one in withdrawals:
                one()

        withdrawals += [self._ask_part(part, answered) for part in tuple(left)]
        if reply.settled:
            withdraw()
        reply.on_cancel(withdraw)
        return reply

    def _ask_part(
        self, part: ConsentQuestion, answered: Callable[[ConsentQuestion, Decision], None]
    ) -> Callable[[], None]:
        window = self.window_of(part.reason)
        return self._board.ask(part, part.reason, path_row(part), window, partial(answered, part))

    def _is_allowed(self, part: ConsentQuestion, decision: Decision) -> bool:
        allowed = decision.answer is Answer.RUN
        if allowed and decision.permanent:
            with suppress(OSError):  # it is asked again next time
                self._allowed.remember(part)
        return allowed


def _parts(question: ConsentQuestion) -> list[ConsentQuestion]:
    """Split a question so that each part shows all of its paths: nobody agrees to "and 30 more"."""
    asked = question.capabilities
    return [
        replace(question, capabilities=asked[at : at + MOST_PATHS]) for at in range(0, len(asked), MOST_PATHS)
    ]
