"""A plain value on the stage of an earlier moment: the value of a stream that has no view of its own."""

from __future__ import annotations

import json
from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QLabel, QWidget

from liven.liveobjects.feeds.exchange.json_form import json_value
from liven.liveobjects.view.labels import brief, plain_label

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
    return brief(json.dumps(json_value(present), ensure_ascii=False, indent=2), _LONGEST)


def value_label() -> QLabel:
    """Return a label for a value, large, in the middle, which can be copied."""
    label = plain_label(NOTHING)
    label.setAccessibleName("Value at the shown moment")
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setWordWrap(True)
    label.setContentsMargins(_ROOM, _ROOM, _ROOM, _FOOT)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    font = label.font()
    font.setPixelSize(round(QFontInfo(font).pixelSize() * 1.5))  # a font has points or pixels
    label.setFont(font)
    return label


class PlainValue:
    """One value on the screen."""

    def __init__(self) -> None:
        self._label = value_label()

    @property
    def widget(self) -> QWidget:
        """The widget that shows it."""
        return self._label

    @property
    def text(self) -> str:
        """The shown words."""
        return self._label.text()

    def show(self, value: tuple[Any, ...]) -> None:
        """Show another value; an empty tuple for none."""
        words = value_text(value)
        if words != self._label.text():
            self._label.setText(words)
