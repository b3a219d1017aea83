"""The sign of a window that somebody records what is done in it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QLabel, QMainWindow

from liven.liveobjects.channel.api.recording import recording_text
from liven.liveobjects.channel.objects.group import GroupChannel
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.objects.value_stream import SharedValue
from liven.liveobjects.channel.process.recordings import Recordings
from liven.liveobjects.look.view.labels import plain_tip
from liven.liveobjects.view.accessibility import announce
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.node import Node

SIGN = "●"
_TELLING = (SharedChannel, GroupChannel, SharedValue)
"""The channels whose members tell each other that they record."""


class RecordingBadge(QLabel):
    """A label; hidden while nobody records an object in this window."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self.setObjectName("recording")
        self._node: Node | None = None
        self._step = self._words = ""
        self._stop: Callable[[], object] | None = None
        self.hide()

    def watch(self, node: Node, step: str) -> None:
        """Begin to watch the channels of the object whose path begins with `step`."""
        self.stop()
        try:
            recordings = node.service(Recordings)
        except CallFailedError:
            return  # this program has no channels
        self._node, self._step = node, step
        self._stop = recordings.listen(lambda _: self.refresh())
        self.refresh()

    def stop(self) -> None:
        """Stop watching, because the object is gone."""
        stop, self._stop = self._stop, None
        self._node = None
        if stop is not None:
            stop()
        self._words = ""
        self.setText("")
        self.hide()

    def refresh(self) -> None:
        """Show who records now."""
        words = recording_text(self._names())
        if words == self._words:
            return
        self._words = words
        self.setText(f"{SIGN} {words}" if words else "")
        self.setToolTip(plain_tip(words))
        self.setAccessibleName(words)
        self.setVisible(bool(words))
        announce(self, words or "Nobody records this any more")

    def _names(self) -> list[str]:
        """Return the names of those who record a channel of this object or of one inside it."""
        if self._node is None:
            return []
        recordings = self._node.service(Recordings)
        channels = {
            proxy.instance.name
            for proxy in tuple(self._node.running.values())
            if isinstance(proxy.instance, SharedChannel | GroupChannel | SharedValue)
            and proxy.path[:1] == (self._step,)
        }
        return list(dict.fromkeys(one.name for name in sorted(channels) for one in recordings.of(name)))
