"""The dialog that asks before new code runs and before files are reached: one question, or a list of them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPalette, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from liven.app.trust.question_row import Answer, Decision, Row
from liven.app.trust.scrim import Scrim
from liven.liveobjects.look.tokens import CARD_RADIUS, DIALOG_RADIUS
from liven.liveobjects.look.view.labels import plain_label, plain_tip
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_box
from liven.liveobjects.look.view.signs import Sign, paint_sign

UNREAD_MS = 700
"""Milliseconds in which nobody can have read the question: a click is meant for something else."""
_KEY = Qt.ItemDataRole.UserRole
_WIDTH = 520
_PAD = 28
_FACTS_MOST = 0.4
"""The part of the screen's height that facts may take before they scroll."""
_CHOOSE = "Tick those that you want to run; the others do not run."


class TrustQuestion(QDialog):
    """The dialog. `answered` is emitted exactly once, with a Decision for each key; closing the dialog means
    no to all."""

    answered = Signal(object)

    def __init__(self, parent: QWidget | None, rows: Mapping[Hashable, Row]) -> None:
        super().__init__(parent)
        if parent is not None:
            self.setWindowFlags(Qt.WindowType.Widget)  # a part of its window, over a scrim
            self.setProperty("inside", True)  # the style sheet leaves its ground, with round corners, to it
        self._rows: dict[Hashable, Row] = {}
        self._run, self._no = QPushButton(), QPushButton()
        self._answer = Answer.NO
        self._ticked: set[Hashable] = set()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(_PAD, _PAD, _PAD, 18)
        self._page = QWidget()
        self.setMinimumWidth(_WIDTH)
        self._read = QTimer(self, singleShot=True, interval=UNREAD_MS)
        self._read.timeout.connect(self._enable)
        self.finished.connect(lambda _: self.answered.emit(self._decisions()))
        self.set_rows(rows)

    def open(self) -> None:
        """Ask in the middle of the window, or as a window of its own if there is none."""
        window = self.parentWidget()
        if window is None:
            super().open()
            return
        window.activateWindow()
        Scrim(window, self)
        self.show()
        self.raise_()
        self._no.setFocus(Qt.FocusReason.PopupFocusReason)

    def event(self, event: QEvent) -> bool:
        """Keep the shortcuts of the window below from acting. Letters with Alt are for the buttons here."""
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and not self.isWindow()
            and not event.modifiers() & Qt.KeyboardModifier.AltModifier
        ):
            event.accept()
            return True
        return super().event(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Keep the focus in the question."""
        stops = [one for one in self.findChildren(QWidget) if _takes_tab(one, self)]
        if self.isWindow() or not stops:
            return super().focusNextPrevChild(forward)
        focused = self.focusWidget()
        at = stops.index(focused) + (1 if forward else -1) if focused in stops else 0
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        stops[at % len(stops)].setFocus(reason)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take every key: none is for the window below."""
        super().keyPressEvent(event)
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground; the scrim has painted the shadow."""
        del event
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        radius = 0.0 if self.isWindow() else DIALOG_RADIUS
        paint_box(painter, QRectF(self.rect()), radius, look.popover, look.popover_edge, look.edge_width)
        painter.end()

    def set_rows(self, rows: Mapping[Hashable, Row]) -> None:
        """Ask these questions. New ones have to be read before anything can be run, and so has the last one
        of a list: its button runs it without a tick."""
        unread = not rows.keys() <= self._rows.keys() or len(rows) == 1 < len(self._rows)
        self._rows = dict(rows)
        self._ticked &= self._rows.keys()
        self._keep, self._keep_signer = QCheckBox(), QCheckBox()
        page = self._list() if len(self._rows) > 1 else self._single(*self._rows.values())
        self._layout.replaceWidget(self._page, page) if self._layout.count() else self._layout.addWidget(page)
        self._page.setParent(None)  # its widgets must not be found any more
        self._page.deleteLater()
        self._page = page
        self._no.setDefault(True)  # a habitual Enter must not run anything; the dialog has to hold the button
        self._no.setFocus()
        if unread:
            self._run.setEnabled(False)
            self._read.start()
        else:
            self._enable()

    def showEvent(self, event: QShowEvent) -> None:
        """Disable *Run it* for a moment, so a stray click or key runs nothing."""
        super().showEvent(event)
        self._run.setEnabled(False)
        self._read.start()

    def _single(self, row: Row) -> QWidget:
        self.setWindowTitle(row.title)
        page, layout = _page()
        layout.addWidget(_heading(row.title))
        layout.addWidget(_wrapped(row.headline))
        layout.addWidget(_facts(row))
        layout.addWidget(_warning(row))
        self._add_ticks(layout, (row,))
        buttons = [self._runs(row.yes)]
        buttons += [self._button("Show a &picture only", Answer.PICTURE)] if row.may_show_picture else []
        layout.addLayout(self._buttons(buttons, row.no))
        return page

    def _list(self) -> QWidget:
        self.setWindowTitle(f"{len(self._rows)} questions")
        page, layout = _page()
        layout.addWidget(_heading(f"{len(self._rows)} questions"))
        layout.addWidget(_wrapped(f"{len(self._rows)} objects need your permission. {_CHOOSE}"))
        every = QCheckBox("Tick &all")
        listed = self._tree()
        every.toggled.connect(lambda on: _tick_all(listed, on))
        layout.addWidget(every)
        layout.addWidget(listed)
        about = QVBoxLayout()
        layout.addLayout(about)
        listed.currentItemChanged.connect(lambda item, _: self._show_facts(about, item))
        first = listed.topLevelItem(0)
        if first is not None:
            listed.setCurrentItem(first)
        self._add_ticks(layout, tuple(self._rows.values()))
        layout.addLayout(self._buttons([self._runs("&Run the ticked")], "&Do not run any"))
        return page

    def _tree(self) -> QTreeWidget:
        made = QTreeWidget()
        made.setAccessibleName("Questions")
        made.setRootIsDecorated(False)
        made.setHeaderLabels(["Object", "It needs"])
        made.setMinimumHeight(180)
        for key, row in self._rows.items():
            item = QTreeWidgetItem(made, [row.name, row.needs])
            item.setData(0, _KEY, key)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(0, _check(key in self._ticked))
        made.setColumnWidth(0, _WIDTH // 3)
        made.itemChanged.connect(lambda item, _: self._tick(item))
        return made

    def _tick(self, item: QTreeWidgetItem) -> None:
        key = item.data(0, _KEY)
        if item.checkState(0) is Qt.CheckState.Checked:
            self._ticked.add(key)
        else:
            self._ticked.discard(key)
        self._enable()

    def _show_facts(self, about: QVBoxLayout, item: QTreeWidgetItem | None) -> None:
        row = None if item is None else self._rows.get(item.data(0, _KEY))
        while (old := about.takeAt(0)) is not None:
            widget = old.widget()
            if widget is not None:
                widget.deleteLater()
        if row is not None:
            page, layout = _page()
            layout.setContentsMargins(0, 0, 0, 0)
            layout.addWidget(_facts(row))
            layout.addWidget(_warning(row))
            about.addWidget(page)

    def _add_ticks(self, layout: QVBoxLayout, rows: tuple[Row, ...]) -> None:
        """Add the ticks for permanent answers; in a list each is for the ticked questions."""
        several = len(rows) > 1
        keeps = [row.keep for row in rows if row.keep]
        self._keep.setText("Do not ask about the ticked ones again" if several else "".join(keeps))
        self._keep.setEnabled(bool(keeps))
        if not keeps:
            self._keep.setText("Trust exactly this &content permanently")
            self._keep.setToolTip(plain_tip(rows[0].no_keep))
            self._keep.setAccessibleDescription(rows[0].no_keep)
        layout.addWidget(self._keep)
        if not keeps:
            layout.addWidget(_wrapped(rows[0].no_keep))
        signers = [row.keep_signer for row in rows if row.keep_signer]
        if signers:
            many = "Do not ask about code that the si&gners of the ticked ones have signed"
            self._keep_signer.setText(many if several else signers[0])
            layout.addWidget(self._keep_signer)

    def _runs(self, words: str) -> QPushButton:
        self._run = self._button(words, Answer.RUN)
        self._run.setEnabled(False)
        return self._run

    def _buttons(self, others: list[QPushButton], no_words: str) -> QHBoxLayout:
        """Return the row of buttons: *Run it* stands apart from the safe answer."""
        row = QHBoxLayout()
        row.setContentsMargins(0, 6, 0, 0)
        self._no = self._button(no_words, Answer.NO)
        self._no.setProperty("safe", True)
        run, *rest = others
        row.addWidget(run)
        row.addStretch(1)
        for button in (*rest, self._no):
            row.addWidget(button)
        return row

    def _button(self, words: str, answer: Answer) -> QPushButton:
        made = QPushButton(words)
        made.setAutoDefault(False)
        made.clicked.connect(lambda: self._choose(answer))
        return made

    def _choose(self, answer: Answer) -> None:
        self._answer = answer
        self.accept()

    def _enable(self) -> None:
        """Enable *Run* once the question could be read, and something is ticked if there is a list."""
        self._run.setEnabled(not self._read.isActive() and (len(self._rows) == 1 or bool(self._ticked)))

    def _decisions(self) -> dict[Hashable, Decision]:
        keep, signer = self._keep.isChecked(), self._keep_signer.isChecked()
        found = {}
        for key, row in self._rows.items():
            yes = self._answer is not Answer.RUN or len(self._rows) == 1 or key in self._ticked
            answer = self._answer if yes else Answer.NO
            found[key] = Decision(answer, keep and bool(row.keep), signer and bool(row.keep_signer))
        return found


def _page() -> tuple[QWidget, QVBoxLayout]:
    page = QWidget()
    layout = QVBoxLayout(page)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(12)
    return page, layout


def _heading(words: str) -> QLabel:
    made = _wrapped(words)
    made.setFont(font("heading3"))
    return made


def _warning(row: Row) -> QWidget:
    """Return the warning on a ground of its own, with a sign."""
    made = _Warning()
    layout = QHBoxLayout(made)
    layout.setContentsMargins(46, 10, 14, 10)
    layout.addWidget(_wrapped(row.warning))
    return made


class _Warning(QWidget):
    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = look.line if look.high_contrast else ""
        paint_box(painter, QRectF(self.rect()), CARD_RADIUS, look.warn_soft, edge, look.edge_width)
        paint_sign(painter, QRectF(14, 0, 20, self.height()), Sign.PROBLEM, 20, look.warn)
        painter.end()


def _takes_tab(one: QWidget, within: QWidget) -> bool:
    tabbed = bool(one.focusPolicy().value & Qt.FocusPolicy.TabFocus.value)
    return tabbed and one.isEnabled() and one.isVisibleTo(within)


def _facts(row: Row) -> FactsArea:
    page = QWidget()
    form = QFormLayout(page)
    form.setContentsMargins(0, 0, 0, 0)
    form.setHorizontalSpacing(24)
    form.setVerticalSpacing(8)
    for name, words in row.facts:
        title = plain_label(f"{name}:")
        title.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        title.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        form.addRow(title, _wrapped(words))
    return FactsArea(page)


def _check(on: bool) -> Qt.CheckState:
    return Qt.CheckState.Checked if on else Qt.CheckState.Unchecked


def _tick_all(listed: QTreeWidget, on: bool) -> None:
    for row in range(listed.topLevelItemCount()):
        item = listed.topLevelItem(row)
        if item is not None:
            item.setCheckState(0, _check(on))


def _wrapped(words: str) -> QLabel:
    """Return a label with text from the recipe's author: plain text, with long words broken."""
    made = _Whole()
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setText(words)
    made.setWordWrap(True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


class FactsArea(QScrollArea):
    """The facts, as high as they are, but never so high that the buttons leave the screen: long texts and
    large letters scroll."""

    def __init__(self, page: QWidget) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("What is asked for")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self._page = page
        self.setWidget(page)
        for one in (page, self.viewport()):
            one.setAutoFillBackground(False)  # the ground of the dialog is seen

    def sizeHint(self) -> QSize:
        """Return the size of the page, without the limit that Qt sets for scroll areas."""
        width = max(self._page.sizeHint().width(), _WIDTH)
        return QSize(width, self._height(width))

    def minimumSizeHint(self) -> QSize:
        """Return a width at which no word is cut off."""
        return QSize(self._page.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width(), 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Set the minimum height for the new width."""
        super().resizeEvent(event)
        self.setMinimumHeight(self._height(self.width()))

    def _height(self, width: int) -> int:
        most = int(self.screen().availableGeometry().height() * _FACTS_MOST)
        return min(self._page.heightForWidth(width), most)


class _Whole(QLabel):
    """A label at least as high as its text. Qt sizes a dialog for another width and would cut the text
    off."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Set the minimum height for the new width."""
        super().resizeEvent(event)
        self.setMinimumHeight(self.heightForWidth(self.width()))
