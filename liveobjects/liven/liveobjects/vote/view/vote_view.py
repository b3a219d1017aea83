"""The view of a vote: the question, and a bar for each answer. Click a bar to vote."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from liven.liveobjects.look.tokens import Look
from liven.liveobjects.presence.participant import local_participant
from liven.liveobjects.view.avatars import Face, initials, tone_of, tone_of_key
from liven.liveobjects.view.contract import Action, Searchable, Spoken, View, ViewHost
from liven.liveobjects.view.messages import redo_and_report, undo_and_report
from liven.liveobjects.view.state_listener import StateListener
from liven.liveobjects.view.zones import HasZones, Zone
from liven.liveobjects.vote.model import LONGEST, Poll
from liven.liveobjects.vote.object import VoteObject
from liven.liveobjects.vote.view.vote_face import ANOTHER, FOOT, GAP, HEAD, ROW, VoteFace
from liven.runtime.fold import RefusedError
from liven.runtime.foreign_text import shown_line

_WIDTH = 312.0
_EMPTY_HEIGHT = 140.0


class VotePanel(QWidget):
    """The widget of a vote: the question, a button for each answer, and a field for another answer."""

    def __init__(self, view: VoteView) -> None:
        super().__init__()
        self._view = view
        self.setAutoFillBackground(True)
        self.question = _line("The question", "What is the question?", partial(self._set_question))
        self.other = _line("Another answer", "Add an answer", self._add)
        self._answers = QVBoxLayout()
        self._buttons: dict[str, QWidget] = {}
        layout = QVBoxLayout(self)
        layout.addWidget(self.question)
        layout.addLayout(self._answers)
        layout.addWidget(self.other)
        layout.addStretch(1)
        self.show_change(view.model.editor.state)

    def show_change(self, state: Poll) -> None:
        """Update the question, the answers and the votes."""
        if not self.question.hasFocus():
            self.question.setText(state.question)
        focused = next((name for name, button in self._buttons.items() if button.hasFocus()), "")
        self._buttons.clear()
        while (item := self._answers.takeAt(0)) is not None:
            row = item.widget()
            if row is not None:
                row.hide()
                row.deleteLater()
        counted = state.counted()
        for answer in state.answers:
            self._answers.addWidget(self._row(answer.key, answer.text, counted[answer.key]))
        if focused in self._buttons:  # keep the keyboard focus when others vote
            self._buttons[focused].setFocus()

    def _row(self, key: str, text: str, count: int) -> QWidget:
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        choose = QPushButton(f"{text.replace('&', '&&')} — {count}")
        choose.setAccessibleName(f"{text}: {count}")
        choose.setCheckable(True)
        choose.setChecked(self._view.model.mine == key)
        choose.toggled.connect(lambda _: self._choose(key))  # a screen reader emits nothing else
        remove = QToolButton()
        remove.setText("×")
        remove.setAccessibleName(f"Remove {text}")
        remove.clicked.connect(lambda _=False: self._view.do(partial(self._view.model.withdraw, key)))
        self._buttons[f"choose {key}"], self._buttons[f"remove {key}"] = choose, remove
        layout.addWidget(choose, 1)
        layout.addWidget(remove)
        return row

    def _choose(self, key: str) -> None:
        if not self._view.do(partial(self._view.model.choose, key)):
            self.show_change(self._view.model.editor.state)  # the button has changed

    def _set_question(self) -> None:
        if self.question.text() != self._view.model.editor.state.question and not self._view.do(
            partial(self._view.model.ask, self.question.text())
        ):
            return
        self.other.setFocus()

    def _add(self) -> None:
        if self.other.text().strip() and self._view.do(partial(self._view.model.offer, self.other.text())):
            self.other.clear()


class VoteView(View, Searchable, Spoken, HasZones):
    """The view of a vote: it paints bars; its widget votes."""

    def __init__(self, model: VoteObject, host: ViewHost) -> None:
        super().__init__()
        self.model = model
        self.host = host
        self._panel: VotePanel | None = None
        self._listener: StateListener[Poll] = StateListener(
            lambda _, after: self.show_change(after), host.show_message
        )
        model.editor.listen(self._listener)

    def is_loading(self) -> bool:
        return not self.model.ready

    def paint(self, painter: QPainter, area: QRectF) -> None:
        self._face().paint(painter, area)

    def zones(self, area: QRectF) -> tuple[Zone, ...]:
        return self._face().zones(area)

    def press(self, key: str) -> None:
        """Vote for an answer, or take the vote back."""
        self.do(partial(self.model.choose, key))

    def write(self, key: str, text: str) -> bool:
        """Add an answer."""
        return key == ANOTHER and self.do(partial(self.model.offer, text))

    def _face(self) -> VoteFace:
        return VoteFace(
            self.model.editor.state,
            self.model.mine,
            shown_line(self.shown_name) or "Vote",
            self.is_loading(),
            self._person,
        )

    def _person(self, key: str, look: Look) -> Face:
        """Return the face of a person; of those who told no name, only the key is known."""
        who = local_participant(self.model.context)
        if key == self.model.context.person:
            return Face(initials(who.name), tone_of(look, who.colour))
        told = self.model.editor.state.people.get(key)
        if told is not None:
            return Face(initials(shown_line(told.name)), tone_of(look, told.colour))
        return Face("", tone_of_key(look, key))

    def make_widget(self) -> QWidget:
        self._panel = VotePanel(self)
        return self._panel

    def release_widget(self, widget: QWidget) -> None:
        del widget
        self._panel = None

    def actions(self) -> tuple[Action, ...]:
        return (
            Action("Undo", ("Ctrl+Z",), self._undo, "Edit"),
            Action("Redo", ("Ctrl+Shift+Z",), self._redo, "Edit"),
        )

    def title(self) -> str:
        return str(self.model.editor.state.question)[:60]

    def summary(self) -> str:
        """Return the question and the answers."""
        state = self.model.editor.state
        return "\n".join([state.question, *(answer.text for answer in state.answers)])

    def spoken(self) -> str:
        """Return the question, and each answer with its votes."""
        state, counted = self.model.editor.state, self.model.editor.state.counted()
        yours = {self.model.mine: ", your answer"}
        told = [f"{one.text}: {counted[one.key]}{yours.get(one.key, '')}." for one in state.answers]
        return " ".join([state.question or "No question yet.", *told])

    def is_empty(self) -> bool:
        return self.model.ready and not self.summary()

    def size_hint(self) -> QSizeF:
        answers = len(self.model.editor.state.answers)
        return QSizeF(_WIDTH, HEAD + answers * (ROW + GAP) + FOOT + GAP if answers else _EMPTY_HEIGHT)

    def close(self) -> None:
        self.model.editor.unlisten(self._listener)
        super().close()

    def do(self, deed: Callable[[], object]) -> bool:
        """Run a command and show why it was refused, if it was."""
        if not self.model.ready:
            self.host.show_message("The vote is still loading: its channel is not connected.")
            return False
        try:
            deed()
        except RefusedError as why:
            self.host.show_message(str(why))
            return False
        return True

    def show_change(self, state: Poll) -> None:
        """Update the widget and repaint."""
        if self._panel is not None:
            self._panel.show_change(state)
        self.changed.emit()

    def _undo(self) -> None:
        undo_and_report(self.model.editor.undo, self.host)

    def _redo(self) -> None:
        redo_and_report(self.model.editor.redo, self.host)


def _line(name: str, hint: str, done: Callable[[], object]) -> QLineEdit:
    made = QLineEdit()
    made.setMaxLength(LONGEST)
    made.setAccessibleName(name)
    made.setPlaceholderText(hint)
    made.returnPressed.connect(lambda: done())
    return made


def make(model: VoteObject, host: ViewHost) -> VoteView:
    """Make the view of a vote."""
    return VoteView(model, host)
