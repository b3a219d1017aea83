"""The dialog that asks before new code runs."""

from __future__ import annotations

import enum
import re
import textwrap

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from liven.app.trust.recipe_summary import RecipeSummary, host_of
from liven.liveobjects.view.labels import plain_label, plain_tip
from liven.runtime.library.trust import Question

_LONGEST_NAME = 120
_LONG_WORD = re.compile(r"\S{60}(?=\S)")
_RIGHTS = (
    "It would run in this program and could do anything that you can do. Unless you trust it permanently, "
    "you are asked again after the next start of Liven."
)
_NOT_KEPT = (
    "It cannot be trusted permanently: the recipe has no hash, so the code may change. Its author "
    "can add the hash, or you can install it: liven library add PATH."
)
_MOST = 8
"""Most channels or hosts that are listed; the others are counted."""


UNREAD_MS = 700
"""Milliseconds in which nobody can have read the question: a click is meant for something else."""


class Answer(enum.Enum):
    """The user's choice."""

    RUN = "run"
    PICTURE = "picture"
    NO = "no"


class TrustQuestion(QDialog):
    """The dialog. `answered` is emitted exactly once; closing the dialog means no."""

    answered = Signal(object, bool)
    """An Answer, and a flag that says if it is permanent."""

    def __init__(self, parent: QWidget | None, question: Question, reach: RecipeSummary | None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Run new code?")
        self.setModal(parent is not None)
        self._answer = Answer.NO
        self._remember = QCheckBox("Trust exactly this &content permanently")
        self._remember.setEnabled(bool(question.sha256))
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.addWidget(_wrapped(_headline(question)))
        layout.addLayout(_facts(question, reach))
        layout.addWidget(_wrapped(_RIGHTS))
        layout.addWidget(self._remember)
        if not question.sha256:
            self._remember.setToolTip(plain_tip(_NOT_KEPT))
            self._remember.setAccessibleDescription(_NOT_KEPT)
            layout.addWidget(_wrapped(_NOT_KEPT))
        layout.addLayout(self._buttons())
        self.setMinimumWidth(520)
        self._read = QTimer(self, singleShot=True, interval=UNREAD_MS)
        self._read.timeout.connect(lambda: self._run.setEnabled(True))
        self.finished.connect(lambda _: self.answered.emit(self._answer, self._remember.isChecked()))

    def showEvent(self, event: QShowEvent) -> None:
        """Disable *Run it* for a moment, so a stray click or key runs nothing."""
        super().showEvent(event)
        self._run.setEnabled(False)
        self._read.start()

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addStretch(1)
        no = self._button("&Do not run", Answer.NO)
        picture = self._button("Show a &picture only", Answer.PICTURE)
        self._run = self._button("&Run it", Answer.RUN)
        self._run.setEnabled(False)
        for button in (self._run, picture, no):
            row.addWidget(button)
        no.setDefault(True)  # a habitual Enter must not run anything
        no.setFocus()
        return row

    def _button(self, words: str, answer: Answer) -> QPushButton:
        made = QPushButton(words)
        made.setAutoDefault(False)
        made.clicked.connect(lambda: self._choose(answer))
        return made

    def _choose(self, answer: Answer) -> None:
        self._answer = answer
        self.accept()


def _headline(question: Question) -> str:
    thing = _told(question.reason.replace("/", " › "), _LONGEST_NAME)
    return f"“{thing}” needs code that is not installed."


def _facts(question: Question, reach: RecipeSummary | None) -> QFormLayout:
    rows = [
        ("Code", f"library {question.library}, version {question.version} or later"),
        ("From", _told(host_of(question.url)) or "an unknown source"),
        ("Address", _told(question.url)),
        (
            "Content",
            "exactly the one with sha256 " + " ".join(textwrap.wrap(question.sha256, 16))
            if question.sha256
            else "anything that is there when it is downloaded: the recipe has no hash",
        ),
        (
            "Made by",
            f"claims to be signed by {_told(question.signer)}; signatures are not verified yet"
            if question.signer
            else "not stated",
        ),
    ]
    if reach is None:
        words = "unknown: it is inside an object that others may have changed"
        rows.append(("Reaches", words))
    else:
        rows.append(("Channels", _listed(reach.channels, "none in its recipe")))
        rows.append(("Hosts", _listed(reach.hosts, "none in its recipe")))
    form = QFormLayout()
    for name, words in rows:
        title = plain_label(f"{name}:")
        title.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        form.addRow(title, _wrapped(words))
    return form


def _listed(found: tuple[str, ...], none: str) -> str:
    more = len(found) - _MOST
    names = "\n".join(_told(name, _LONGEST_NAME) for name in found[:_MOST])
    return names + (f"\nand {more} more" if more > 0 else "") if found else none


def _told(words: str, longest: int = 400) -> str:
    """Return text from the recipe's author on one line of limited length, so that it can neither imitate our
    texts nor push the buttons off the screen."""
    plain = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in words)
    whole = plain if len(plain) <= longest else f"{plain[: longest // 2]} … {plain[-longest // 2 :]}"
    return _LONG_WORD.sub("\\g<0>\N{ZERO WIDTH SPACE}", whole)


def _wrapped(words: str) -> QLabel:
    """Return a label with text from the recipe's author: plain text, with long words broken."""
    made = _Whole()
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setText(words)
    made.setWordWrap(True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


class _Whole(QLabel):
    """A label at least as high as its text. Qt sizes a dialog for another width and would cut the text
    off."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Set the minimum height for the new width."""
        super().resizeEvent(event)
        self.setMinimumHeight(self.heightForWidth(self.width()))
