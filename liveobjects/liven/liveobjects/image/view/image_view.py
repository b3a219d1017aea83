"""The view of an image, on a desktop or in a window."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPalette, QPen, QTextOption
from PySide6.QtWidgets import QApplication, QWidget

from liven.liveobjects.image.object import ImageObject
from liven.liveobjects.image.state import Abandon, Album, Picture
from liven.liveobjects.image.view.decoding import decode, step_for
from liven.liveobjects.image.view.dropped_pictures import DroppedPicture, may_have_picture
from liven.liveobjects.image.view.panel import ImagePanel
from liven.liveobjects.image.view.stalled_upload import StalledUpload, stopped_words
from liven.liveobjects.view.contract import Action, DropTarget, Searchable, View, ViewHost
from liven.liveobjects.view.loading import NOT_LOADED
from liven.liveobjects.view.state_listener import StateListener
from liven.runtime.objects.reply import Reply

_LONGEST_SIDE = 480.0
_EMPTY = "Drop a picture here, or paste one"


class ImageView(View, DropTarget, Searchable):
    """The view of an image: it decodes the picture as finely as it is seen, and shows its name and progress
    until then."""

    def __init__(self, model: ImageObject, host: ViewHost) -> None:
        super().__init__()
        self.model = model
        self.host = host
        self.trouble = ""
        """The reason why the picture cannot be shown; empty if nothing is wrong."""
        self.image: QImage | None = None
        """The decoded picture."""
        self._decoded = ("", 0)
        """The key and the resolution of `image`."""
        self._wanted = 0
        self._decoding: Reply[QImage] | None = None
        self._reading: tuple[Reply[bytes], str] | None = None
        """The picture that is being read, and its name."""
        self._waiting = StalledUpload(self, model)
        self._waiting.stopped.connect(self.changed)
        self._listener = StateListener(self.show_change, host.show_message)
        model.editor.listen(self._listener)

    def show_change(self, before: Album, after: Album) -> None:
        """Update the view: another picture shows, or more of one has arrived."""
        if after.shown != before.shown:
            self.image, self.trouble = None, ""
            self._decode()
        self._waiting.show_change(after)
        self.changed.emit()

    @property
    def has_stopped(self) -> bool:
        """True while a picture by somebody else is announced but does not arrive."""
        return self._waiting.picture is not None

    def forget_stopped(self) -> bool:
        """Stop waiting for a picture that does not arrive. Return false if there is none."""
        picture = self._waiting.picture
        if picture is None:
            return False
        self.model.editor.also("Stop waiting", Abandon(picture.about.picture))
        return True

    def is_loading(self) -> bool:
        return not self.model.ready

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint the picture as large as it fits, in its proportions."""
        state: Album = self.model.editor.state
        if state.seen is not None:
            self._want(painter, area)
        if self.image is not None:
            size = QSizeF(self.image.size()).scaled(area.size(), Qt.AspectRatioMode.KeepAspectRatio)
            place = QRectF(area.topLeft(), size)
            place.moveCenter(area.center())
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(place, self.image)
        else:
            self._paint_words(painter, area, self._words(state))
        if state.arriving is not None and self._waiting.picture is None:
            _paint_progress(painter, area, state.arriving)
        elif self._reading is not None:
            _paint_bar(painter, area, 0.0, f"{self._reading[1] or 'The picture'}: reading… Esc cancels")

    def make_widget(self) -> QWidget:
        return ImagePanel(self)

    def release_widget(self, widget: QWidget) -> None:
        assert isinstance(widget, ImagePanel)
        widget.done()

    def actions(self) -> tuple[Action, ...]:
        panel = self.widget()
        assert isinstance(panel, ImagePanel)
        return (
            Action("Undo", ("Ctrl+Z",), panel.undo, "Edit"),
            Action("Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), panel.redo, "Edit"),
            Action("Copy picture", ("Ctrl+C",), panel.copy, "Edit"),
            Action("Paste picture", ("Ctrl+V",), panel.paste, "Edit"),
            Action("Choose picture…", ("Ctrl+Shift+O",), panel.choose, "Edit"),
            Action("Save picture…", ("Ctrl+Alt+S",), panel.save, "Edit"),
            Action("Stop sending", ("Esc",), panel.stop, "Edit"),
        )

    def put(self, dropped: DroppedPicture) -> None:
        """Read a picture in a worker and show it to everybody. It replaces one that is still being read."""
        reading: Reply[bytes] = self.model.context.work(dropped.read)
        self._reading = reading, dropped.name
        reading.then(lambda done: self._read(done, dropped.name))
        self.changed.emit()

    @property
    def is_reading(self) -> bool:
        """True while a picture that was dropped here is being read."""
        return self._reading is not None

    def stop_reading(self) -> None:
        """Cancel the picture that is being read."""
        if self._reading is not None:
            name = self._reading[1] or "The picture"
            self._reading = None
            self.host.show_message(f"{name} was not added; nothing has changed.")
            self.changed.emit()

    def accepts_drop(self, data: QMimeData) -> bool:
        return self.accepts_paste(data)

    def accepts_paste(self, data: QMimeData) -> bool:
        """Accept one picture if the image is empty. Several pictures become several images instead."""
        state: Album = self.model.editor.state
        empty = state.seen is None and state.arriving is None and self.model.sending is None
        empty = empty and not self.is_reading
        return self.model.ready and empty and len(data.urls()) <= 1 and may_have_picture(data)

    def receive(self, data: QMimeData) -> bool:
        panel = self.widget()
        assert isinstance(panel, ImagePanel)
        return panel.dropped(data)

    def title(self) -> str:
        """Return the name of the picture's file."""
        seen = self.model.editor.state.seen
        return "" if seen is None else seen.about.name

    def summary(self) -> str:
        return self.title()

    def is_empty(self) -> bool:
        return self.model.ready and not self.title()

    def size_hint(self) -> QSizeF:
        seen = self.model.editor.state.seen
        if seen is None:
            return QSizeF(240, 180)
        size = QSizeF(seen.about.width, seen.about.height)
        longest = min(_LONGEST_SIDE, max(size.width(), size.height()))
        return size.scaled(longest, longest, Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSizeF(24, 24))

    def close(self) -> None:
        self.model.editor.unlisten(self._listener)
        if self._decoding is not None:
            self._decoding.cancel()
            self._decoding = None
        super().close()

    def _read(self, done: Reply[bytes], name: str) -> None:
        if self._reading is None or self._reading[0] is not done:
            return  # it was cancelled, or another picture replaced it
        self._reading = None
        self.changed.emit()
        if done.error is not None:
            self.host.show_message(f"The picture cannot be added: {done.error}.")
            return
        self.model.put(done.value(), name).then(self._put)

    def _put(self, done: Reply[None]) -> None:
        if done.error is not None:
            self.host.show_message(str(done.error))

    def _want(self, painter: QPainter, area: QRectF) -> None:
        """Decode for the pixels of the screen that the picture covers."""
        scale = painter.deviceTransform().mapRect(area)
        self._wanted = max(self._wanted, step_for(max(scale.width(), scale.height())))
        self._decode()

    def _decode(self) -> None:
        """Decode the shown picture in a worker unless it is already fine enough."""
        state: Album = self.model.editor.state
        seen = state.seen
        if seen is None or self.trouble or self._decoding is not None or not self._wanted:
            return
        full = max(seen.about.width, seen.about.height)
        step = min(self._wanted, step_for(full))
        if self.image is not None and self._decoded[0] == state.shown and self._decoded[1] >= step:
            return
        wanted = (state.shown, step)
        self._decoding = self.model.context.work(decode, seen.data, step)
        self._decoding.then(lambda done: self._decoded_one(done, wanted))

    def _decoded_one(self, done: Reply[QImage], wanted: tuple[str, int]) -> None:
        if self._decoding is None:  # the view is closed
            return
        self._decoding = None
        if wanted[0] == self.model.editor.state.shown:
            if done.error is not None:
                self.trouble = str(done.error)
            else:
                self.image, self._decoded = done.value(), wanted
            self.changed.emit()
        self._decode()

    def _words(self, state: Album) -> str:
        if self.trouble:
            return f"⚠ {self.title() or 'This picture'} cannot be shown: {self.trouble}"
        if state.seen is not None:
            return f"{self.title()}\n…"
        if self._waiting.picture is not None:
            return stopped_words(self._waiting.picture)
        return (
            ""
            if state.arriving is not None or self.is_reading
            else NOT_LOADED
            if self.is_loading()
            else _EMPTY
        )

    def _paint_words(self, painter: QPainter, area: QRectF, words: str) -> None:
        palette = QApplication.palette()
        painter.fillRect(area, palette.alternateBase())
        painter.setPen(QPen(palette.color(QPalette.ColorRole.Mid), 1.5, Qt.PenStyle.DashLine))
        painter.drawRect(area.adjusted(1, 1, -1, -1))
        painter.setPen(QColor("#c0392b") if self.trouble else palette.color(QPalette.ColorRole.Text))
        option = QTextOption(Qt.AlignmentFlag.AlignCenter)
        option.setWrapMode(QTextOption.WrapMode.WordWrap)
        painter.drawText(area.adjusted(8, 8, -8, -8), words, option)


def _paint_progress(painter: QPainter, area: QRectF, picture: Picture) -> None:
    """Paint a progress bar at the bottom with the name of the arriving picture."""
    share = picture.got / picture.about.size
    _paint_bar(painter, area, share, f"{picture.about.name or 'A picture'}: {share:.0%}")


def _paint_bar(painter: QPainter, area: QRectF, share: float, words: str) -> None:
    palette = QApplication.palette()
    bar = QRectF(area.left(), area.bottom() - 22, area.width(), 22) & area
    shade = palette.color(QPalette.ColorRole.Window)
    shade.setAlpha(220)
    painter.fillRect(bar, shade)
    done = QRectF(bar)
    done.setWidth(bar.width() * share)
    painter.fillRect(done, palette.color(QPalette.ColorRole.Highlight))
    painter.setPen(palette.color(QPalette.ColorRole.Text))
    painter.drawText(bar, Qt.AlignmentFlag.AlignCenter, words)


def make(model: ImageObject, host: ViewHost) -> ImageView:
    """Make the view of an image."""
    return ImageView(model, host)
