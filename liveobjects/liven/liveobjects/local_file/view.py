"""The view of a local file: its name, size and date. A double-click opens the file."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QFileInfo, QLocale, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QPainter
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QVBoxLayout, QWidget

from liven.liveobjects.local_file.object import LocalFile
from liven.liveobjects.view.contract import Action, View, ViewHost
from liven.liveobjects.view.labels import plain_label


class LocalFileView(View):
    """The view of a local file."""

    def __init__(self, model: LocalFile, host: ViewHost) -> None:
        super().__init__()
        self._path = str(model.path)
        self._host = host
        self._label: QLabel | None = None

    def paint(self, painter: QPainter, area: QRectF) -> None:
        painter.fillRect(area, QApplication.palette().alternateBase())
        painter.setPen(QApplication.palette().text().color())
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(area.adjusted(8, 8, -8, -8), flags, self._words())

    def make_widget(self) -> QWidget:
        made = QWidget()
        made.setAutoFillBackground(True)
        self._label = plain_label(self._words())
        self._label.setAccessibleName("File")
        self._label.setWordWrap(True)
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        button = QPushButton("Open in its program")
        button.clicked.connect(self._open)
        layout = QVBoxLayout(made)
        layout.addWidget(self._label)
        layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        return made

    def release_widget(self, widget: QWidget) -> None:
        del widget
        self._label = None

    def actions(self) -> tuple[Action, ...]:
        return (
            Action("Open in its program", (), self._open, "Edit"),
            Action("Refresh", (), self._look, "View"),
        )

    def title(self) -> str:
        return QFileInfo(self._path).fileName()

    def size_hint(self) -> QSizeF:
        return QSizeF(240, 100)

    def _words(self) -> str:
        found = QFileInfo(self._path)
        if not found.exists():
            return f"{found.fileName()}\nis missing: {self._path}"
        size = QLocale().formattedDataSize(found.size())
        when = QLocale().toString(QDateTime(found.lastModified()), QLocale.FormatType.ShortFormat)
        return f"{found.fileName()}\n{size}, written {when}\n{self._path}"

    def _look(self) -> None:
        if self._label is not None:
            self._label.setText(self._words())
        self.changed.emit()

    def _open(self) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(self._path)):
            self._host.show_message(f"No program on this computer opens {self.title()}.")


def make(model: LocalFile, host: ViewHost) -> LocalFileView:
    """Make the view of a local file."""
    return LocalFileView(model, host)
