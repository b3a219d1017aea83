"""The view of a local file: its name, size and date. A double-click opens the file."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QLocale, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QPainter
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QVBoxLayout, QWidget

from liven.liveobjects.local_file.object import Facts, LocalFile, facts
from liven.liveobjects.look.view.labels import plain_label
from liven.liveobjects.view.contract import Action, View, ViewHost
from liven.runtime.files import users_umask
from liven.runtime.objects.reply import Reply


class LocalFileView(View):
    """The view of a local file."""

    def __init__(self, model: LocalFile, host: ViewHost) -> None:
        super().__init__()
        self._model = model
        self._path = str(model.path)
        self._facts: Facts | None = None
        self._looked = self._closed = False
        self._host = host
        self._label: QLabel | None = None
        self._look()

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

    def close(self) -> None:
        self._closed = True
        super().close()

    def title(self) -> str:
        return self._model.path.name

    def size_hint(self) -> QSizeF:
        return QSizeF(240, 100)

    def _words(self) -> str:
        name = self.title()
        if not self._looked:
            return f"{name}\n{self._path}"
        if self._facts is None:
            return f"{name}\nis missing: {self._path}"
        size = QLocale().formattedDataSize(self._facts.size)
        written = QDateTime.fromSecsSinceEpoch(int(self._facts.modified))
        when = QLocale().toString(written, QLocale.FormatType.ShortFormat)
        return f"{name}\n{size}, written {when}\n{self._path}"

    def _look(self) -> None:
        """Look at the file in a worker: a disk that is slow or gone must not stop the window."""
        self._model.context.work(facts, self._model.path).then(self._seen)

    def _seen(self, reply: Reply[Facts | None]) -> None:
        if reply.error is None and not self._closed:
            self._facts, self._looked = reply.value(), True
            if self._label is not None:
                self._label.setText(self._words())
            self.changed.emit()

    def _open(self) -> None:
        with users_umask():
            opened = QDesktopServices.openUrl(QUrl.fromLocalFile(self._path))
        if not opened:
            self._host.show_message(f"No program on this computer opens {self.title()}.")


def make(model: LocalFile, host: ViewHost) -> LocalFileView:
    """Make the view of a local file."""
    return LocalFileView(model, host)
