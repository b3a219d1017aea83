"""The popover of problems: the newest ones, each with what can be done about it. The panel has them all."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from liven.app.window.problems.panel import ListedProblem, diagnosis
from liven.liveobjects.look.view.buttons import Emphasis, ToolButton, WordButton
from liven.liveobjects.look.view.labels import brief, plain_label
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.popover import Popover
from liven.liveobjects.look.view.signs import Sign

if TYPE_CHECKING:
    from liven.app.window.object_window import ObjectWindow

_WIDTH: Final = 420
_MOST: Final = 3
"""Problems that are shown; the panel lists the others."""
_LONGEST, _LONGEST_DETAIL = 240, 4000
_DETAIL_HEIGHT: Final = 110


class ProblemsPopover(Popover):
    """The popover of the sign of problems. It follows the list while it is open."""

    def __init__(self, window: ObjectWindow, below: QWidget, anchor: QWidget) -> None:
        super().__init__(below, "Problems", anchor, width=_WIDTH)
        self._window, self._problems = window, window.problems
        self._contents: QWidget | None = None
        self._opened: set[object] = set()
        """The problems whose details are shown."""
        self._problems.counted.connect(self._refresh)
        self._refresh()

    @classmethod
    def toggle(cls, window: ObjectWindow, below: QWidget, anchor: QWidget) -> None:
        """Open the popover, or close it if it is open."""
        shown = [one for one in below.findChildren(cls) if one.isVisible()]
        for one in shown:
            one.close_popover()
        if not shown:
            cls(window, below, anchor).show_beside()

    def _refresh(self, _: int = 0) -> None:
        """Show the problems anew; without any, close."""
        listed = self._problems.newest()
        if not listed:
            self.close_popover(back=False)
            return
        focused = QApplication.focusWidget()
        held = self._contents is not None and focused is not None and self._contents.isAncestorOf(focused)
        gone, contents = self._contents, QWidget()
        column = QVBoxLayout(contents)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addLayout(self._heading(len(listed)))
        for one in listed[:_MOST]:
            column.addWidget(_rule())
            column.addLayout(self._problem(one))
        if len(listed) > _MOST:
            rest = WordButton(f"{len(listed) - _MOST} more in the panel", emphasis=Emphasis.QUIET)
            rest.clicked.connect(self._show_panel)
            column.addWidget(rest, 0, Qt.AlignmentFlag.AlignLeft)
        self._contents = contents
        if gone is not None:
            gone.hide()
            self.column.removeWidget(gone)
            gone.deleteLater()
        self.column.addWidget(contents)
        contents.show()
        if self.isVisible():
            self.place()
        if held:
            self.focusNextPrevChild(True)

    def _heading(self, count: int) -> QHBoxLayout:
        title = plain_label(f"{count} problem{'' if count == 1 else 's'}")
        title.setFont(font("title"))
        row = QHBoxLayout()
        row.addWidget(title, 1)
        for name, sign, do in (
            ("Show the problems panel", Sign.OPEN, self._show_panel),
            ("Copy all details", Sign.COPY, self._copy),
            ("Close", Sign.CLOSE, self.close_popover),
        ):
            button = ToolButton(name, sign, size=28, glyph=16)
            button.clicked.connect(lambda _=False, do=do: do())
            row.addWidget(button)
        return row

    def _problem(self, listed: ListedProblem) -> QVBoxLayout:
        problem = listed.problem
        where, when = plain_label(brief(problem.place or "This program", _LONGEST)), plain_label(listed.when)
        where.setFont(font("strong"))
        where.setWordWrap(True)
        when.setFont(font("caption"))
        advice = f" {_sentence(problem.advice)}" if problem.advice else ""
        what = plain_label(brief(_sentence(problem.what), _LONGEST) + advice)
        what.setWordWrap(True)
        head = QHBoxLayout()
        head.addWidget(where, 1)
        head.addWidget(when, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(what)
        opened = problem in self._opened
        if opened:
            column.addWidget(_details(diagnosis(problem)))
        buttons = QHBoxLayout()
        buttons.setSpacing(4)
        for remedy in self._problems.remedies_of(problem)[:2]:
            button = WordButton(remedy.name[:1].upper() + remedy.name[1:])
            button.clicked.connect(lambda _=False, do=remedy.do: do())
            buttons.addWidget(button)
        details = WordButton("Hide details" if opened else "Details", emphasis=Emphasis.QUIET)
        details.clicked.connect(partial(self._toggle_details, problem))
        buttons.addWidget(details)
        buttons.addStretch(1)
        column.addLayout(buttons)
        return column

    def _toggle_details(self, problem: object, _: bool = False) -> None:
        self._opened ^= {problem}
        self._refresh()

    def _show_panel(self) -> None:
        self.close_popover(back=False)
        self._window.panels.show("problems")

    def _copy(self) -> None:
        self._problems.copy()
        self._window.show_message("Details of the problems copied.")


def _sentence(advice: str) -> str:
    """Return advice as a sentence of its own."""
    said = advice[:1].upper() + advice[1:]
    return said if said.endswith((".", "!", "?")) else f"{said}."


def _rule() -> QFrame:
    made = QFrame()
    made.setObjectName("rule")
    made.setFrameShape(QFrame.Shape.HLine)
    made.setFixedHeight(1)
    return made


def _details(text: str) -> QPlainTextEdit:
    made = QPlainTextEdit(brief(text, _LONGEST_DETAIL), readOnly=True)
    made.setAccessibleName("Details of the problem")
    made.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    made.setTabChangesFocus(True)
    made.setFixedHeight(_DETAIL_HEIGHT)
    return made
