"""The Qt application object, started once for each process."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QMessageLogContext, Qt, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication, QMessageBox

from liven.app.icon import icon
from liven.runtime.exit_codes import ENVIRONMENT
from liven.runtime.user_folders import UserFolders

if TYPE_CHECKING:
    from liven.app.doctor import Finding

_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}
_HARMLESS = ("This plugin does not support propagateSizeHints()",)
"""Messages that Qt's offscreen platform prints for every window, without meaning."""


def log_qt(kind: QtMsgType, _context: QMessageLogContext, words: str) -> None:
    """Forward a Qt message to the log."""
    if words not in _HARMLESS:
        logging.getLogger("liven.qt").log(_LEVELS[kind], "%s", words)


class _StartMessages:
    """A handler for Qt's messages while Qt starts. If Qt cannot start, it aborts the process; this prints the
    reason and exits first."""

    def __init__(self) -> None:
        self._warned: list[str] = []

    def hear(self, kind: QtMsgType, context: QMessageLogContext, words: str) -> None:
        """Collect messages. On a fatal one, print the first warning, which is the cause, and the last
        message, which lists the available platforms."""
        if kind is QtMsgType.QtFatalMsg:
            from liven.app.doctor.display import remedy

            why = self._warned[0] if self._warned else words.partition("\n")[0]
            sys.stderr.write(f"liven: no window can open here: {why} → {remedy(why)}\n")
            sys.stderr.flush()
            os._exit(ENVIRONMENT)  # an exception cannot leave a Qt callback
        if kind is QtMsgType.QtWarningMsg:
            self._warned.append(words)
        else:
            log_qt(kind, context, words)

    def done(self) -> None:
        """Forward the collected messages to the log, because Qt has started."""
        for words in self._warned:
            log_qt(QtMsgType.QtWarningMsg, QMessageLogContext(), words)


def application() -> QApplication:
    """Return the Qt application of this process, starting Qt if necessary."""
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    start = _StartMessages()
    qInstallMessageHandler(start.hear)
    made = QApplication(sys.argv[:1])
    qInstallMessageHandler(log_qt)
    start.done()
    made.setApplicationName("liven")
    made.setApplicationDisplayName("Liven")
    made.setDesktopFileName("liven")
    made.setWindowIcon(icon())
    return made


def report_start_failure(words: str) -> None:
    """Show in a dialog why the program cannot start, and wait until the user closes it."""
    application()
    box = QMessageBox(QMessageBox.Icon.Critical, "Liven", f"Liven cannot start.\n\n{words}")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.exec()


def machine_checks(folders: UserFolders) -> Callable[[], Iterator[Finding]]:
    """Return a function that runs all checks of `liven doctor`, for the welcome window."""
    from liven.app.doctor import examine  # rarely needed

    return lambda: examine(dict(os.environ), folders)
