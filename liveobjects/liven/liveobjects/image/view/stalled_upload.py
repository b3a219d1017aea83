"""Waiting for a picture whose sender may be gone: after a while without a byte of it, that is said."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QObject, QTimer, Signal

from liven.liveobjects.image.state import Album, Picture

PATIENCE_MS: Final = 15_000
"""Whoever sends a picture sends some of it in much less, whatever else there is to do."""


class Waiting(QObject):
    """Watches how far the newest picture has come that others send."""

    stopped = Signal()

    def __init__(self, parent: QObject, model: Any) -> None:
        super().__init__(parent)
        self._model = model
        self.picture: Picture | None = None
        """The one that does not come any more, as it seems."""
        self._seen: Picture | None = None
        self._timer = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._timer.timeout.connect(self._stop)
        self.differs(model.editor.state)

    def differs(self, state: Album) -> None:
        """Something is another: time begins anew with each byte that has come."""
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
    """What is said in the place of a picture that did not come."""
    name, share = picture.about.name or "A picture", picture.got / picture.about.size
    return (
        f"{name} did not arrive: it stopped at {share:.0%}.\n"
        "Whoever sent it is gone, or out of reach. Drop it here again; Esc lets go of this one."
    )
