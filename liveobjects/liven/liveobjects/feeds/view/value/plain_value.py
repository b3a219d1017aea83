"""A plain value on the stage of an earlier moment: the value of a stream that has no view of its own."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QScrollArea, QStackedLayout, QVBoxLayout, QWidget

from liven.liveobjects.feeds.history.field_history import shown
from liven.liveobjects.feeds.view.value.record_card import RecordCard
from liven.liveobjects.feeds.view.value.record_summary import summary_of
from liven.liveobjects.look.view.labels import brief, plain_label
from liven.liveobjects.look.view.letters import font

NOTHING: Final = "No value yet"
_LONGEST: Final = 4000
_ROOM: Final = 24
_FOOT: Final = 160
"""Pixels at the foot that the transport covers."""


def value_text(value: tuple[Any, ...]) -> str:
    """Return a value as people read it; the words for no value if there is none."""
    if not value:
        return NOTHING
    (present,) = value
    if isinstance(present, str):
        return brief(present, _LONGEST)
    if isinstance(present, dict | list):
        return brief(summary_of(present).text, _LONGEST)
    return shown(present)


def value_label() -> QLabel:
    """Return a label for a value, large, in the middle, which can be copied."""
    label = plain_label(NOTHING)
    label.setAccessibleName("Value at the shown moment")
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setWordWrap(True)
    label.setContentsMargins(_ROOM, _ROOM, _ROOM, _FOOT)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setFont(font("heading1"))
    return label


class PlainValue:
    """One value on the screen: a record as a card, everything else as large words."""

    def __init__(self) -> None:
        self._widget = QWidget()
        self._label = value_label()
        self._card = RecordCard()
        self._stack = QStackedLayout(self._widget)
        self._stack.addWidget(self._label)
        self._stack.addWidget(_in_the_middle(self._card))
        self._words = NOTHING

    @property
    def widget(self) -> QWidget:
        """The widget that shows it."""
        return self._widget

    @property
    def text(self) -> str:
        """The shown words."""
        return self._words

    def show(self, value: tuple[Any, ...]) -> None:
        """Show another value; an empty tuple for none."""
        words = value_text(value)
        if words == self._words:
            return
        self._words = words
        if value and isinstance(value[0], dict | list):
            self._card.show_record(summary_of(value[0]))
            self._stack.setCurrentIndex(1)
        else:
            self._label.setText(words)
            self._stack.setCurrentIndex(0)


def _in_the_middle(card: RecordCard) -> QScrollArea:
    """Return an area with a card in its middle; a long one is scrolled."""
    inside = QWidget()
    layout = QVBoxLayout(inside)
    layout.setContentsMargins(_ROOM, _ROOM, _ROOM, _FOOT)
    layout.addStretch(1)
    layout.addWidget(card, 0, Qt.AlignmentFlag.AlignHCenter)
    layout.addStretch(1)
    area = QScrollArea()
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(inside)
    return area
