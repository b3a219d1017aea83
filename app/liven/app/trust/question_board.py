"""The open questions of the program: one dialog for each window, with all that its objects wait for.

Each question has a key and is asked once, however many objects wait for the answer. After "no to all" in a
list, a window's further questions are answered no as well, until the person asks for an object again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TypeAlias

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from liven.app.trust.dialog import TrustQuestion
from liven.app.trust.question_row import NO, Answer, Decision, Row
from liven.app.trust.wait_for_placement import when_placed

MOST = 500
"""Most questions in one list; further ones are answered no."""
MOST_DECLINED = 10_000
"""Most declined questions that are remembered for a window."""

Answered: TypeAlias = Callable[[Decision], object]


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """An object that waits for an answer, and its window."""

    window: QWidget | None
    answered: Answered


@dataclass(slots=True, eq=False)
class _Open:
    """An open question."""

    row: Row
    home: QWidget | None
    """The window whose dialog asks it."""
    waiting: list[_Waiting] = field(default_factory=list)


class QuestionBoard:
    """Asks the questions of all policies."""

    def __init__(self) -> None:
        self._open: dict[Hashable, _Open] = {}
        self._dialogs: dict[QWidget | None, TrustQuestion] = {}
        self._changed: dict[QWidget | None, None] = {}
        """The windows whose questions are not shown as they are yet."""
        self._declined: dict[QWidget | None, set[Hashable]] = {}
        """By window, after "no to all": the questions that were answered no."""

    @property
    def open_questions(self) -> int:
        """The number of questions that wait for an answer."""
        return len(self._open)

    def ask(
        self, key: Hashable, place: Hashable, row: Row, window: QWidget | None, answered: Answered
    ) -> Callable[[], None]:
        """Ask a question above a window, and call `answered` with the answer.

        `place` is the object that needs it: after "no to all", the same place is asked about again, because
        the person has restarted it. Call the returned function if nobody needs the answer any more.
        """
        if self._is_declined(window, (key, place)):
            answered(NO)
            return lambda: None
        one = _Waiting(window, answered)
        asked = self._open.get(key)
        if asked is None:
            asked = self._open[key] = _Open(row, window)
            asked.waiting.append(one)
            self._refresh(window)
        else:
            asked.waiting.append(one)
        return lambda: self._not_needed(key, one)

    def restarted(self, window: QWidget | None) -> None:
        """Ask about everything in a window again, because the person loads it again."""
        self._declined.pop(window, None)

    def _is_declined(self, window: QWidget | None, asked: Hashable) -> bool:
        declined = self._declined.get(window)
        if declined is None:
            return len(self._keys(window)) >= MOST
        if asked in declined or len(declined) >= MOST_DECLINED:
            return False
        declined.add(asked)
        return True

    def _keys(self, window: QWidget | None) -> dict[Hashable, Row]:
        return {key: one.row for key, one in self._open.items() if one.home is window}

    def _refresh(self, window: QWidget | None) -> None:
        """Show the questions of a window soon: they often come all at once."""
        if not self._changed:
            QTimer.singleShot(0, self._refresh_changed)
        self._changed[window] = None

    def _refresh_changed(self) -> None:
        changed, self._changed = self._changed, {}
        for window in changed:
            self._show(window)

    def _show(self, window: QWidget | None) -> None:
        """Show the questions of a window in its dialog; close the dialog if there are none."""
        rows = self._keys(window)
        dialog = self._dialogs.get(window)
        if dialog is not None and rows:
            dialog.set_rows(rows)
        elif dialog is not None:
            del self._dialogs[window]
            dialog.answered.disconnect()
            dialog.reject()
            dialog.deleteLater()
        elif rows:
            made = self._dialogs[window] = TrustQuestion(window, rows)
            made.answered.connect(lambda decisions: self._answered(window, decisions))
            when_placed(window, made, lambda: self._placed(window, made))

    def _placed(self, window: QWidget | None, dialog: TrustQuestion) -> None:
        """Show the questions, unless nobody needs the answers any more."""
        if self._dialogs.get(window) is dialog:
            dialog.open()

    def _answered(self, window: QWidget | None, decisions: dict[Hashable, Decision]) -> None:
        dialog = self._dialogs.pop(window, None)
        if dialog is not None:
            dialog.deleteLater()
        if len(decisions) > 1 and all(one.answer is Answer.NO for one in decisions.values()):
            self._declined[window] = set()
            if window is not None:
                window.destroyed.connect(lambda: self._declined.pop(window, None))
        for key, decision in decisions.items():
            asked = self._open.pop(key, None)
            for one in () if asked is None else asked.waiting:
                one.answered(decision)

    def _not_needed(self, key: Hashable, one: _Waiting) -> None:
        """Remove an object that no longer waits; withdraw the question after the last one, and ask above
        another window if only objects there still wait."""
        asked = self._open.get(key)
        if asked is None or one not in asked.waiting:
            return
        asked.waiting.remove(one)
        home = asked.home
        if not asked.waiting:
            del self._open[key]
        elif all(each.window is not home for each in asked.waiting):
            asked.home = asked.waiting[0].window
            self._refresh(asked.home)
        else:
            return
        self._refresh(home)
