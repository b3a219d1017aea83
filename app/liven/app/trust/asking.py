"""Who answers the trust question in a program with windows: what was remembered, else the person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtWidgets import QWidget

from liven.app.trust.dialog import Answer, TrustQuestion
from liven.app.trust.reach import Reach, needs, reach
from liven.app.trust.trusted import Trusted
from liven.runtime.library.trust import Question
from liven.runtime.reference.model import Object
from liven.runtime.reply import Reply


class Asked(Protocol):
    """The window of whatever needs the code."""

    recipe: Object | None
    picture_only: bool
    """Set when the person wants to see a picture and to run nothing."""

    def tell(self, message: str) -> None: ...


class Asking:
    """Asks each question once, however many things wait for its answer."""

    def __init__(self, trusted: Trusted) -> None:
        self._trusted = trusted
        self._open: dict[Question, tuple[TrustQuestion, list[Reply[bool]]]] = {}
        self.window_of: Callable[[Question], QWidget | None] = lambda _: None
        """The window in which the thing that needs the code is opened."""

    def ask(self, question: Question) -> Reply[bool]:
        """The answer; it may take the person's time."""
        reply: Reply[bool] = Reply()
        if self._trusted.allows(question):
            reply.resolve(True)
            return reply
        if question not in self._open:
            self._open[question] = self._shown(question), []
        dialog, waiting = self._open[question]
        waiting.append(reply)
        reply.on_cancel(lambda: self._not_needed(question, reply))
        dialog.open()
        return reply

    def _shown(self, question: Question) -> TrustQuestion:
        window = self.window_of(question)
        dialog = TrustQuestion(window, question, _reach_of(window, question))
        dialog.answered.connect(lambda answer, remember: self._answered(question, window, answer, remember))
        return dialog

    def _answered(self, question: Question, window: QWidget | None, answer: Answer, remember: bool) -> None:
        dialog, waiting = self._open.pop(question, (None, []))
        if dialog is not None:
            dialog.deleteLater()
        if answer is Answer.PICTURE and needs(getattr(window, "recipe", None), question):
            window.picture_only = True
        if answer is Answer.RUN and remember:
            self._remember(question, window)
        for reply in waiting:
            reply.resolve(answer is Answer.RUN)

    def _remember(self, question: Question, window: QWidget | None) -> None:
        try:
            self._trusted.remember(question)
        except (OSError, ValueError) as error:
            tell = getattr(window, "tell", None)
            if tell is not None:
                tell(f"It runs, but the answer could not be kept: {error}")

    def _not_needed(self, question: Question, reply: Reply[bool]) -> None:
        """Whoever asked waits no longer; the question goes with the last."""
        dialog, waiting = self._open.get(question, (None, []))
        if reply in waiting:
            waiting.remove(reply)
        if dialog is not None and not waiting:
            dialog.reject()


def _reach_of(window: QWidget | None, question: Question) -> Reach | None:
    """Of the recipe that asks; None where that is not the window's own, but of something that lies in it."""
    recipe = getattr(window, "recipe", None)
    return reach(recipe) if needs(recipe, question) else None
