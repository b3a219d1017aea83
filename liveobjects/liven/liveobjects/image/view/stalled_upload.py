"""A stalled upload: after a while without data from the sender, the image says so."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from liven.liveobjects.image.object import ImageObject
from liven.liveobjects.image.state import Album, Picture

PATIENCE_MS: Final = 15_000
"""A working sender delivers some bytes in much less time, however busy it is."""


class StalledUpload(QObject):
    """A timer over the progress of the newest picture that others send."""

    stopped = Signal()

    def __init__(self, parent: QObject, model: ImageObject) -> None:
        super().__init__(parent)
        self._model = model
        self.picture: Picture | None = None
        """The picture that has apparently stalled; None if there is none."""
        self._seen: Picture | None = None
        self._timer = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._timer.timeout.connect(self._stop)
        self.show_change(model.editor.state)

    def show_change(self, state: Album) -> None:
        """Restart the timer if more bytes have arrived."""
        arriving = state.arriving
        if arriving is self._seen:
            return
        self._seen, self.picture = arriving, None
        if arriving is None:
            self._timer.stop()
        else:
            self._timer.start(PATIENCE_MS)

    def _stop(self) -> None:
        if self._seen is not None and self._model.sending is None:
            self.picture = self._seen
            self.stopped.emit()


def stopped_words(picture: Picture) -> str:
    """Return the text shown in place of a picture that did not arrive."""
    name, share = picture.about.name or "A picture", picture.got / picture.about.size
    return (
        f"{name} did not arrive: it stalled at {share:.0%}.\n"
        "Its sender is gone or out of reach. Drop the picture again, or press Esc to stop waiting."
    )
