"""Sharing: a link, a file, or what another computer needs; each with a sentence on what the others do."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from liven.app.network.invitation import invitation
from liven.liveobjects.look.view.buttons import Emphasis, WordButton
from liven.liveobjects.look.view.labels import plain_label
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.popover import Popover
from liven.liveobjects.look.view.signs import Sign, paint_sign
from liven.runtime.user_folders import UserFolders

if TYPE_CHECKING:
    from liven.app.window.object_window import ObjectWindow

_WIDTH: Final = 420
_LINK: Final = "Whoever opens it, here or on a connected computer, edits the same object with you at once."
_FILE: Final = "A double-click on the file opens the same object; it is a link too, and not a copy."
_INVITED: Final = (
    "The invitation is on the clipboard. The other computer does what it says, once; then every link and file"
    " of yours opens there."
)


class SharePopover(Popover):
    """The popover of the button Share."""

    def __init__(self, window: ObjectWindow, below: QWidget, anchor: QWidget) -> None:
        super().__init__(below, "Share", anchor, width=_WIDTH)
        self._window = window
        title = plain_label("Share this")
        title.setFont(font("title"))
        self.column.addWidget(title)
        plain = Emphasis.PLAIN
        self._add(Sign.LINK, "Link", _LINK, "Copy the link", Emphasis.STRONG, window.menus.copy_link)
        self._add(Sign.FILE, "File", _FILE, "Save as a file…", plain, window.menus.save_as_file)
        self._invitation = invitation(UserFolders.of_user(os.environ), os.environ)
        told = self._invitation.sentence
        self._add(Sign.NETWORK, "Another computer", told, "Copy the invitation", plain, self._invite)

    def _add(
        self, sign: Sign, name: str, words: str, act: str, emphasis: Emphasis, do: Callable[[], object]
    ) -> None:
        """Add a way to share."""
        heading, sentence = plain_label(name), plain_label(words)
        heading.setFont(font("strong"))
        sentence.setFont(font("body"))
        sentence.setWordWrap(True)
        button = WordButton(act, emphasis=emphasis)
        button.setAccessibleDescription(words)
        button.clicked.connect(lambda: self._do(do))
        column = QVBoxLayout()
        column.setSpacing(4)
        for one in (heading, sentence):
            column.addWidget(one)
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        column.setContentsMargins(0, 4, 0, 8)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(_SignLabel(sign), 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)
        self.column.addLayout(row)

    def _do(self, do: Callable[[], object]) -> None:
        self.close_popover()
        do()

    def _invite(self) -> None:
        QGuiApplication.clipboard().setText(self._invitation.text)
        self._window.show_message(_INVITED)


class _SignLabel(QWidget):
    """A sign beside a heading."""

    def __init__(self, sign: Sign) -> None:
        super().__init__()
        self._sign = sign
        self.setFixedSize(QSize(24, 26))

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        paint_sign(painter, self.rect().toRectF(), self._sign, 20, current_look().quiet, 1.75)
        painter.end()
