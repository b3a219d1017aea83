"""A simulated file manager: a window in a separate process, which drags and drops by the real protocol.

It offers files as file managers do: as `text/uri-list` and a list of icons. A file dropped into it is copied
into a folder a good while later, as file managers copy in the background.

`offer PATH` sets the file to drag. `got` prints the copied files, `last` the result of the last drag.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QByteArray, QMimeData, QSocketNotifier, Qt, QTimer, QUrl
from PySide6.QtGui import QDrag, QDragEnterEvent, QDropEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel

LATER_MS = 700


class Files(QLabel):
    """The window of the file manager."""

    def __init__(self, folder: Path) -> None:
        super().__init__("files")
        self._folder = folder
        self._offered: Path | None = None
        self._last = "none"
        self._faults: list[str] = []
        self.setAcceptDrops(True)

    def offer(self, path: str) -> None:
        self._offered = Path(path)
        self._last = "none"

    def got(self) -> str:
        return ",".join(sorted(one.name for one in self._folder.iterdir()) + self._faults)

    def last(self) -> str:
        return self._last

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._offered is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        data = QMimeData()
        url = QUrl.fromLocalFile(str(self._offered))
        data.setUrls([url])
        data.setData("x-special/gnome-icon-list", QByteArray(f"{url.toString()}\r0:0:48:48\r\n".encode()))
        self._offered = None
        drag = QDrag(self)
        drag.setMimeData(data)
        both = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
        self._last = str(drag.exec(both, Qt.DropAction.MoveAction).name)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls()]
        event.acceptProposedAction()
        QTimer.singleShot(LATER_MS, lambda: self._copy(paths))

    def _copy(self, paths: list[Path]) -> None:
        for path in paths:
            try:
                shutil.copy(path, self._folder / path.name)
            except OSError as error:
                self._faults.append(f"!{error.strerror}")


def main() -> int:
    qt = QApplication(sys.argv[:1])
    files = Files(Path(sys.argv[1]))
    files.setGeometry(*map(int, sys.argv[2:6]))
    files.show()
    questions: dict[str, Callable[[], str]] = {"got": files.got, "last": files.last, "tell": lambda: "files"}
    heard = bytearray()

    def hear() -> None:
        came = os.read(sys.stdin.fileno(), 65536)
        if not came:
            qt.quit()
        heard.extend(came)
        while b"\n" in heard:
            line, _, rest = bytes(heard).partition(b"\n")
            heard[:] = rest
            word, _, path = line.decode().partition(" ")
            if word in questions:
                sys.stdout.write(questions[word]() + "\n")
                sys.stdout.flush()
            elif word == "offer":
                files.offer(path)
            else:
                qt.quit()

    ear = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
    ear.activated.connect(lambda *_: hear())
    return qt.exec()


if __name__ == "__main__":
    sys.exit(main())
