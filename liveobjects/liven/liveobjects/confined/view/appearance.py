"""The look of the program, for a process that paints beside it: colours, font, contrast and motion."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QDataStream, QIODevice
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import QApplication

from liven.liveobjects.look.view import letters
from liven.liveobjects.look.view.light import HIGH_CONTRAST, LIGHT, REDUCED_MOTION


def look_of(qt: QApplication) -> list[object]:
    """Return the look of this program."""
    data = QByteArray()
    stream = QDataStream(data, QIODevice.OpenModeFlag.WriteOnly)
    stream << qt.palette()
    contrast, motion = (bool(qt.property(name)) for name in (HIGH_CONTRAST, REDUCED_MOTION))
    return [data.data(), qt.font().toString(), contrast, motion, str(qt.property(LIGHT) or "")]


def wear(qt: QApplication, look: list[object]) -> None:
    """Look like the program that sent it."""
    data, font, contrast, motion, light = look
    assert isinstance(data, bytes)
    palette, kept = QPalette(), QByteArray(data)  # the stream does not keep its bytes
    stream = QDataStream(kept, QIODevice.OpenModeFlag.ReadOnly)
    stream >> palette
    qt.setPalette(palette)
    letters.families()  # the font is one of them
    wanted = QFont()
    wanted.fromString(str(font))
    qt.setFont(wanted)
    qt.setProperty(HIGH_CONTRAST, contrast)
    qt.setProperty(REDUCED_MOTION, motion)
    qt.setProperty(LIGHT, light)
    if motion:
        qt.setCursorFlashTime(0)
