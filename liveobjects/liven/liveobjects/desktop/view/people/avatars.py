"""Avatars of the other people on a desktop, each a disc in their colour. A click follows them."""

from __future__ import annotations

import time
import uuid
from typing import Final, Protocol

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from liven.liveobjects.channel.api.recording import RECORDING_SIGN, recording_text
from liven.liveobjects.desktop.state import Desktop
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.desktop.view.people.collaborators import Collaborators
from liven.liveobjects.desktop.view.people.peer_colours import letters_on
from liven.liveobjects.desktop.wire import Gaze
from liven.liveobjects.look.view.labels import plain_label, plain_tip
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_box
from liven.liveobjects.look.view.menu_corners import round_corners

MOST = 12
MARGIN = 12
_DISC: Final = 30
_GAP: Final = 2


class AvatarCanvas(Protocol):
    """The part of the canvas that avatars need."""

    @property
    def state(self) -> Desktop: ...

    @property
    def visible_area(self) -> QRectF: ...

    @property
    def collaborators(self) -> Collaborators: ...

    @property
    def item_views(self) -> ItemViews: ...


class Avatars(QWidget):
    """The row of avatars in the upper left corner of the canvas."""

    def __init__(self, canvas: AvatarCanvas, parent: QWidget) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(_GAP)
        self._shown: tuple[object, ...] = ()
        self._discs: dict[uuid.UUID, QToolButton] = {}
        self.move(MARGIN, MARGIN)
        self.hide()

    def refresh(self) -> None:
        """Update the avatars after people came or left, were followed, or fell behind."""
        gazes = self._canvas.collaborators
        shown = tuple(
            (one.window, one.name, one.colour, gazes.followed == one.window) for one in gazes.others
        )
        recording = recording_text(gazes.recorders)
        if (shown, recording) != self._shown:
            self._shown = shown, recording
            self._lay_out(shown, recording)
        for gaze in gazes.others[:MOST]:
            self._tell(self._discs[gaze.window], gaze)
        self.resize(self._row.sizeHint())
        self.updateGeometry()

    def _lay_out(self, shown: tuple[tuple[uuid.UUID, str, str, bool], ...], recording: str) -> None:
        while (item := self._row.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()  # it is deleted later and would show through until then
                widget.deleteLater()
        self._discs.clear()
        for window, _, colour, followed in shown[:MOST]:
            disc = self._discs[window] = self._disc(window, colour, followed=followed)
            self._row.addWidget(disc)
            disc.show()  # a layout ignores widgets that are not shown
        if len(shown) > MOST:
            self._row.addWidget(self._rest(shown[MOST:]))
        for _, name, _, followed in shown:
            if followed:
                said = _last_text(f"Following {name} · Esc to stop")
                self._row.addWidget(said)
                said.show()
        if recording:
            said = _last_text(f"● {recording}")
            said.setObjectName(RECORDING_SIGN)
            self._row.addWidget(said)
            said.show()
        self.setVisible(bool(shown or recording))

    def _rest(self, shown: tuple[tuple[uuid.UUID, str, str, bool], ...]) -> QToolButton:
        """Return a button that counts the remaining people, with a menu to follow them."""
        made = QToolButton()
        menu = round_corners(QMenu(made))
        made.setText(f"+{len(shown)}")
        made.setAccessibleName(f"{len(shown)} more people")
        made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        for window, name, _, followed in shown:
            entry = menu.addAction(name.replace("&", "&&"))
            entry.setCheckable(True)
            entry.setChecked(followed)
            target = None if followed else window
            entry.triggered.connect(lambda _=False, target=target: self._canvas.collaborators.follow(target))
        made.setMenu(menu)
        made.show()
        return made

    def _tell(self, disc: QToolButton, gaze: Gaze) -> None:
        """Update an avatar's tooltip: name, activity and delay. A long delay is also shown on the disc."""
        gazes, now = self._canvas.collaborators, time.monotonic()
        followed = gazes.followed == gaze.window
        lag = gazes.lags.words(gaze.window, now)
        told = ", ".join(filter(None, (f"{gaze.name} is here", self._place(gaze), lag)))
        doing = "You are following them. Click to stop" if followed else "Click to follow"
        disc.setToolTip(plain_tip(f"{told}. {doing}."))
        disc.setAccessibleName(f"{gaze.name}, followed" if followed else gaze.name)
        disc.setAccessibleDescription(f"{told}.")
        short = "".join(word[:1] for word in gaze.name.split())[:2].upper() or "?"
        late = gazes.lags.is_late(gaze.window, now)
        disc.setText(f"{short} · {lag}" if late else short)

    def _place(self, gaze: Gaze) -> str:
        """Describe what somebody has selected, or whether they look at the same part of the plane."""
        selected = [self._canvas.state.items[key] for key in gaze.chosen if key in self._canvas.state.items]
        if selected:
            name = self._canvas.item_views.title(selected[0]) or "something"
            return f"has selected “{name}”" + (f" and {len(selected) - 1} more" if len(selected) > 1 else "")
        mine = self._canvas.visible_area
        theirs = QRectF(gaze.left, gaze.top, gaze.width, gaze.height)
        return "looking at the same place" if mine.intersects(theirs) else "looking elsewhere"

    def _disc(self, window: uuid.UUID, colour: str, *, followed: bool) -> QToolButton:
        made = PersonDisc(colour, followed=followed)
        target = None if followed else window
        made.clicked.connect(lambda: self._canvas.collaborators.follow(target))
        return made


class PersonDisc(QToolButton):
    """A person: letters on a disc of their colour, wider while a delay is shown; a ring while you follow
    them."""

    def __init__(self, colour: str, *, followed: bool) -> None:
        super().__init__()
        self._colour, self._followed = QColor(colour), followed
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        wide = round(QFontMetricsF(font("label")).horizontalAdvance(self.text())) + 14
        return QSize(max(wide, _DISC), _DISC)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        look = current_look()
        high = look.high_contrast or not self._colour.isValid()
        fill = look.ink if high else self._colour.name()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        if self._followed or self.hasFocus():
            paint_box(painter, area.adjusted(-1, -1, 1, 1), _DISC / 2, look.select)
            paint_box(painter, area.adjusted(1, 1, -1, -1), _DISC / 2, look.island)
            area = area.adjusted(2.5, 2.5, -2.5, -2.5)
        paint_box(painter, area, area.height() / 2, fill)
        painter.setFont(font("label"))
        painter.setPen(QColor(look.island if high else letters_on(fill)))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        painter.end()


def _last_text(words: str) -> QLabel:
    """Return a label that is legible on every background."""
    made = plain_label(words)
    made.setAutoFillBackground(True)
    made.setBackgroundRole(QPalette.ColorRole.ToolTipBase)
    made.setForegroundRole(QPalette.ColorRole.ToolTipText)
    made.setMargin(4)
    return made
