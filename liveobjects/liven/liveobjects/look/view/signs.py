"""Signs: small drawings of one line, from Lucide, in any size and colour.

Each is painted once for a size, colour and screen, and kept. The package `python-lucide` has them in a
database. It is read here: the own functions of the package take 0.07 s to import, and every start would wait.
"""

from __future__ import annotations

import math
import re
from contextlib import closing
from enum import StrEnum
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QByteArray, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from liven.liveobjects.look.view.light import current_look

_STROKE = re.compile(r'stroke-width="[^"]*"')
_IN_MENUS = 16.0
_LIGHTER = 1.75
_ROUNDED_TO = 4
"""Pixels of a sign are counted in quarters of its size, so that a flight of the camera makes few pictures."""


class Sign(StrEnum):
    """The signs in use, by their names in Lucide."""

    ADD_PERSON = "user-plus"
    BOARD = "layout-dashboard"
    BOLD = "bold"
    BOX = "box"
    BULLETS = "list"
    CHAT = "message-circle"
    CHECK = "check"
    CHEVRON_DOWN = "chevron-down"
    CHEVRON_RIGHT = "chevron-right"
    CHEVRON_UP = "chevron-up"
    CIRCLE = "circle"
    CLOCK = "clock"
    CLOSE = "x"
    COLOUR = "droplet"
    CONNECTOR = "spline"
    COPY = "copy"
    COUNTER = "hash"
    DASH = "minus"
    DIAMOND = "diamond"
    DUPLICATE = "copy-plus"
    ERASER = "eraser"
    FILE = "file-output"
    FILES = "square-stack"
    FIT = "maximize"
    FOLDER = "folder"
    FRAME = "frame"
    GROUP = "group"
    HAND = "hand"
    HEART = "heart"
    HELP = "circle-question-mark"
    IMAGE = "image-plus"
    INFO = "info"
    ITALIC = "italic"
    LIBRARY = "library"
    LINK = "link"
    LOCK = "lock"
    LOCK_OPEN = "lock-open"
    MORE = "ellipsis"
    NETWORK = "network"
    NOTE = "sticky-note"
    OPEN = "external-link"
    PARTY = "party-popper"
    PAUSE = "pause"
    PEN = "pen-line"
    PENCIL = "pencil"
    PEOPLE = "users"
    PERSON = "user-round"
    PLAY = "play"
    PLUS = "plus"
    PROBLEM = "triangle-alert"
    PUZZLE = "puzzle"
    REDO = "redo-2"
    REMOVE = "trash"
    SEARCH = "search"
    SELECT = "mouse-pointer-2"
    SEND = "send"
    SETTINGS = "settings"
    SHAPES = "shapes"
    SQUARE = "square"
    STAR = "star"
    TABLE = "table"
    TEXT = "type"
    THUMBS_UP = "thumbs-up"
    TICKS = "list-checks"
    TIMER = "timer"
    TURN = "rotate-ccw"
    UNDO = "undo-2"
    UNGROUP = "ungroup"
    VOTE = "vote"
    WAITING = "loader-circle"
    WINDOW = "app-window"


class SignsMissingError(RuntimeError):
    """Raised where the signs are not installed; the message says what to install."""


@lru_cache(maxsize=256)
def svg(sign: Sign, ink: str, stroke: float = 2.0) -> bytes:
    """Return a sign as SVG in a colour `#rrggbb`."""
    drawn = _drawings()[sign.value].replace("currentColor", ink)
    return _STROKE.sub(f'stroke-width="{stroke}"', drawn).encode()


@lru_cache(maxsize=1)
def _drawings() -> dict[str, str]:
    """Read all our signs."""
    import sqlite3  # a program that shows no sign, as a service, does without

    found = find_spec("lucide")
    places = None if found is None else found.submodule_search_locations
    file = Path(places[0]) / "data" / "lucide-icons.db" if places else None
    if file is None or not file.is_file():
        raise SignsMissingError("the signs are not there: install the package python-lucide with pip")
    marks = ",".join("?" * len(Sign))
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True)) as base:
        query = f"SELECT name, svg FROM icons WHERE name IN ({marks})"  # noqa: S608 (question marks alone)
        drawn = dict(base.execute(query, tuple(Sign)).fetchall())
    if missing := sorted(set(Sign) - drawn.keys()):
        raise SignsMissingError(f"{file} has no {', '.join(missing)}: install python-lucide again with pip")
    return drawn


@lru_cache(maxsize=512)
def pixmap(sign: Sign, size: float, ink: str, ratio: float = 1.0, stroke: float = 2.0) -> QPixmap:
    """Return a sign of a size in pixels, sharp on a screen of this ratio."""
    side = max(1, math.ceil(size * ratio))
    made = QPixmap(side, side)
    made.fill(Qt.GlobalColor.transparent)
    tone = QColor(ink)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setOpacity(tone.alphaF())
    QSvgRenderer(QByteArray(svg(sign, tone.name(), stroke))).render(painter, QRectF(0, 0, side, side))
    painter.end()
    made.setDevicePixelRatio(side / size)
    return made


def icon(sign: Sign) -> QIcon:
    """Return a sign for a menu."""
    made = QIcon()
    for ratio in (1.0, 2.0):
        made.addPixmap(pixmap(sign, _IN_MENUS, current_look().ink, ratio, _LIGHTER))
    return made


def paint_sign(
    painter: QPainter, area: QRectF, sign: Sign, size: float, ink: str, stroke: float = 2.0
) -> None:
    """Paint a sign in the middle of an area, sharp at whatever scale the painter has."""
    scale = math.sqrt(abs(painter.deviceTransform().determinant())) or 1.0
    made = pixmap(sign, size, ink, max(1, round(scale * _ROUNDED_TO)) / _ROUNDED_TO, stroke)
    corner = area.center() - QPointF(size / 2, size / 2)
    if abs(scale - 1) < 1e-6:
        corner = QPointF(corner.toPoint())
    painter.drawPixmap(QRectF(corner.x(), corner.y(), size, size), made, QRectF(made.rect()))
