"""Who answers the trust question in a program with windows: what was remembered, else the person."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from PySide6.QtWidgets import QWidget

from liven.app.trust.dialog import Answer, TrustQuestion
from liven.app.trust.recipe_summary import Reach, needs, reach
from liven.app.trust.trust_store import TrustStore
from liven.app.trust.wait_for_placement import once_placed
from liven.runtime.library.trust import Leave, Question
from liven.runtime.objects.reply import Reply
from liven.runtime.reference.model import Object


class Asked(Protocol):
    """The window of whatever needs the code."""

    recipe: Object | None
    picture_only: bool
    """Set when the person wants to see a picture and to run nothing."""
    declined: bool
    """Set when the person does not want it to run: that is no problem."""

    def show_message(self, message: str) -> None: ...


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """One who waits for an answer, what it asks, and the window in which the thing is opened."""

    reply: Reply[Leave]
    question: Question
    window: Any


class Asking:
    """Asks about each code once, however many things wait for the answer."""

    def __init__(self, trusted: TrustStore) -> None:
        self._trusted = trusted
        self._open: dict[Question, tuple[TrustQuestion, list[_Waiting]]] = {}
        """By what is asked about, whoever needs it."""
        self.window_of: Callable[[Question], QWidget | None] = lambda _: None
        """The window in which the thing that needs the code is opened."""

    def ask(self, question: Question) -> Reply[Leave]:
        """The answer; it may take the person's time."""
        reply: Reply[Leave] = Reply()
        if self._trusted.allows(question):
            reply.resolve(Leave.KEPT)
            return reply
        code, window = replace(question, reason=""), self.window_of(question)
        if code not in self._open:
            self._open[code] = self._shown(question, window), []
        dialog, waiting = self._open[code]
        one = _Waiting(reply, question, window)
        waiting.append(one)
        reply.on_cancel(lambda: self._not_needed(code, one))
        once_placed(window, dialog, lambda: self._seen(code, dialog))
        return reply

    def _seen(self, code: Question, dialog: TrustQuestion) -> None:
        """Unless nobody needs the answer any more."""
        if self._open.get(code, (None,))[0] is dialog:
            dialog.open()

    def _shown(self, question: Question, window: QWidget | None) -> TrustQuestion:
        dialog = TrustQuestion(window, question, _reach_of(window, question))
        dialog.answered.connect(lambda answer, remember: self._answered(question, window, answer, remember))
        return dialog

    def _answered(self, question: Question, window: QWidget | None, answer: Answer, remember: bool) -> None:
        dialog, waiting = self._open.pop(replace(question, reason=""), (None, []))
        if dialog is not None:
            dialog.deleteLater()
        leave = Leave.ONCE if answer is Answer.RUN else Leave.NO
        if leave and remember and self._remember(question, window):
            leave = Leave.KEPT
        for one in waiting:
            if answer is Answer.PICTURE and needs(getattr(one.window, "recipe", None), question):
                one.window.picture_only = True
            if answer is Answer.NO and needs(getattr(one.window, "recipe", None), question):
                one.window.declined = True
            one.reply.resolve(leave)

    def _remember(self, question: Question, window: QWidget | None) -> bool:
        try:
            self._trusted.remember(question)
        except (OSError, ValueError) as error:
            show_message = getattr(window, "show_message", None)
            if show_message is not None:
                show_message(f"It runs, but the answer could not be kept: {error}")
            return False
        return True

    def _not_needed(self, code: Question, one: _Waiting) -> None:
        """Whoever asked waits no longer; the question goes with the last."""
        dialog, waiting = self._open.get(code, (None, []))
        if one in waiting:
            waiting.remove(one)
        if dialog is not None and not waiting:
            dialog.reject()
        elif dialog is not None and all(each.window is not dialog.parent() for each in waiting):
            self._ask_elsewhere(code, dialog, waiting)

    def _ask_elsewhere(self, code: Question, dialog: TrustQuestion, waiting: list[_Waiting]) -> None:
        """A question ends with the window that it stands over; who else waits would wait for ever."""
        dialog.answered.disconnect()
        dialog.deleteLater()
        question, window = waiting[0].question, waiting[0].window
        another = self._shown(question, window)
        self._open[code] = (another, waiting)
        once_placed(window, another, lambda: self._seen(code, another))


def _reach_of(window: QWidget | None, question: Question) -> Reach | None:
    """Of the recipe that asks; None where that is not the window's own, but of something that lies in it."""
    recipe: Object | None = getattr(window, "recipe", None)
    return reach(recipe) if recipe is not None and needs(recipe, question) else None
