"""The answer to the trust question in a program with windows: a remembered one, or the user's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from PySide6.QtWidgets import QWidget

from liven.app.trust.dialog import Answer, TrustQuestion
from liven.app.trust.recipe_summary import RecipeSummary, needs, summarize
from liven.app.trust.trust_store import TrustStore
from liven.app.trust.wait_for_placement import when_placed
from liven.runtime.library.trust import Permission, Question
from liven.runtime.objects.reply import Reply
from liven.runtime.reference.model import Object


@runtime_checkable
class AskingWindow(Protocol):
    """The window above which to ask."""

    recipe: Object | None
    picture_only: bool
    """Set if the user chose the picture."""
    declined: bool
    """Set if the user declined; that is not a problem."""

    def show_message(self, message: str) -> None: ...


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """An object that waits for an answer, with its question and its window."""

    reply: Reply[Permission]
    question: Question
    window: QWidget | None


class TrustPolicy:
    """Ask about each code once, however many objects wait for the answer."""

    def __init__(self, trusted: TrustStore) -> None:
        self._trusted = trusted
        self._open: dict[Question, tuple[TrustQuestion, list[_Waiting]]] = {}
        """The open questions, each with the objects that wait for the answer."""
        self.window_of: Callable[[Question], QWidget | None] = lambda _: None
        """Returns the window of the object that needs the code."""

    def ask(self, question: Question) -> Reply[Permission]:
        """Return the answer, which may take time."""
        reply: Reply[Permission] = Reply()
        if self._trusted.allows(question):
            reply.resolve(Permission.KEPT)
            return reply
        code, window = replace(question, reason=""), self.window_of(question)
        if code not in self._open:
            self._open[code] = self._shown(question, window), []
        dialog, waiting = self._open[code]
        one = _Waiting(reply, question, window)
        waiting.append(one)
        reply.on_cancel(lambda: self._not_needed(code, one))
        when_placed(window, dialog, lambda: self._seen(code, dialog))
        return reply

    def _seen(self, code: Question, dialog: TrustQuestion) -> None:
        """Show the question, unless nobody needs the answer any more."""
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
        leave = Permission.ONCE if answer is Answer.RUN else Permission.NO
        if leave and remember and self._remember(question, window):
            leave = Permission.KEPT
        for one in waiting:
            asking = _asking(one.window)
            if asking is not None and needs(asking.recipe, question):
                asking.picture_only = asking.picture_only or answer is Answer.PICTURE
                asking.declined = asking.declined or answer is Answer.NO
            one.reply.resolve(leave)

    def _remember(self, question: Question, window: QWidget | None) -> bool:
        try:
            self._trusted.remember(question)
        except (OSError, ValueError) as error:
            asking = _asking(window)
            if asking is not None:
                asking.show_message(f"It runs, but your answer could not be saved: {error}")
            return False
        return True

    def _not_needed(self, code: Question, one: _Waiting) -> None:
        """Remove an object that no longer waits; close the question after the last one."""
        dialog, waiting = self._open.get(code, (None, []))
        if one in waiting:
            waiting.remove(one)
        if dialog is not None and not waiting:
            dialog.reject()
        elif dialog is not None and all(each.window is not dialog.parent() for each in waiting):
            self._ask_elsewhere(code, dialog, waiting)

    def _ask_elsewhere(self, code: Question, dialog: TrustQuestion, waiting: list[_Waiting]) -> None:
        """Ask above another window when the first is closed and more objects wait."""
        dialog.answered.disconnect()
        dialog.deleteLater()
        question, window = waiting[0].question, waiting[0].window
        another = self._shown(question, window)
        self._open[code] = (another, waiting)
        when_placed(window, another, lambda: self._seen(code, another))


def _asking(window: object) -> AskingWindow | None:
    return window if isinstance(window, AskingWindow) else None


def _reach_of(window: QWidget | None, question: Question) -> RecipeSummary | None:
    """Return the summary of a window's recipe; None if the question comes from something inside the
    object."""
    asking = _asking(window)
    if asking is None or asking.recipe is None or not needs(asking.recipe, question):
        return None
    return summarize(asking.recipe)
