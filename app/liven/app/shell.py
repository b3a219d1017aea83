"""Starts Qt, once for each process."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from liven.app.doctor import Finding, examine
from liven.runtime.folders import Folders

_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}
_HARMLESS = ("This plugin does not support propagateSizeHints()",)
"""What Qt says without a screen of every window; it means nothing to anybody."""


def log_qt(kind: QtMsgType, _context: QMessageLogContext, words: str) -> None:
    """Takes what Qt has to say into the log of the program."""
    if words not in _HARMLESS:
        logging.getLogger("liven.qt").log(_LEVELS[kind], "%s", words)


def application() -> QApplication:
    """The one Qt application of this process."""
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    qInstallMessageHandler(log_qt)
    made = QApplication(sys.argv[:1])
    made.setApplicationName("liven")
    made.setApplicationDisplayName("Liven")
    made.setDesktopFileName("liven")
    return made


def examination(folders: Folders) -> Callable[[], Iterator[Finding]]:
    """The doctor's round on this machine, as the window starts it."""
    return lambda: examine(dict(os.environ), folders)
