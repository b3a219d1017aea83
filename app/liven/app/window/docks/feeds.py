"""The feed panel of one window: what it may ask of the program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from liven.app.time_travel.bars import bars_of
from liven.app.time_travel.recording_finder import recording_of_feed
from liven.app.time_travel.time_machine import TimeMachine, present_moment
from liven.app.window.menus.file_actions import not_copied_note
from liven.app.window.recordings.recording_window import RecordingWindow
from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.liveobjects.feeds.history.histogram import NOTHING, Histogram
from liven.liveobjects.feeds.recording_list import ListedRecording
from liven.liveobjects.feeds.view.panel.feed_panel import FeedPanel
from liven.liveobjects.feeds.view.transport.playback import Playback
from liven.runtime.objects.reply import Reply
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import write

if TYPE_CHECKING:
    from liven.app.window.object_window import ObjectWindow

_NOTHING = "There is nothing to record here."


class WindowFeeds:
    """The recordings as one window sees them."""

    def __init__(self, window: ObjectWindow, machine: TimeMachine) -> None:
        self.root = machine.root
        self._window = window
        self._machine = machine
        self._windows: dict[Path, RecordingWindow] = {}
        self.panel = FeedPanel(self)
        window.about_to_close.connect(self.close)

    def work(self, function: Callable[[], Any]) -> Reply[Any]:
        return self._machine.node.errand(function)

    def now(self) -> int:
        return present_moment()

    def bars(self, recording: ListedRecording) -> Histogram:
        return NOTHING if recording.folder is None else bars_of(FeedFolder(recording.feed).recorders())

    @property
    def recorded(self) -> str:
        recipe = self._window.recipe
        return "" if recipe is None else self._machine.recorders.title_of(recipe)

    def why_not(self) -> str:
        recipe = self._window.recipe
        if recipe is None or self._window.view is None:
            return _NOTHING
        return self._machine.recorders.why_not(recipe)

    def record(self) -> str:
        recipe = self._window.recipe
        if recipe is None:
            return _NOTHING
        return self._machine.recorders.toggle(recipe, self._window.name)

    def open(self, recording: ListedRecording) -> None:
        known = self._windows.get(recording.feed)
        if known is not None:
            known.activateWindow()
            return
        try:
            found = recording_of_feed(recording.feed)
        except (FeedError, OSError) as error:
            self._window.show_message(f"{recording.name} cannot be opened: {error}")
            return
        thing = None if found is None else found.thing
        if found is None or thing is None:
            self._window.show_message(f"The recipe in the description of {recording.name} cannot be read.")
            return
        made = self._windows[recording.feed] = RecordingWindow(self._machine, found, thing)
        made.closed.connect(lambda: self._closed(recording.feed))
        made.copied.connect(self._open_copy)
        made.view.shown.connect(self.panel.refresh)
        made.open()

    def playback(self, recording: ListedRecording) -> Playback | None:
        window = self._windows.get(recording.feed)
        show = None if window is None else window.view.show
        return None if show is None or show.widget is None else show.playback

    def close(self) -> None:
        """Close the windows of recordings: the window closes."""
        for window in tuple(self._windows.values()):
            window.close()

    def _closed(self, feed: Path) -> None:
        self._windows.pop(feed, None)
        self.panel.refresh()

    def _open_copy(self, recipe: Object, lacking: list[str]) -> None:
        self._window.show_message(
            f"The copy is a separate object that begins as the recorded one was.{not_copied_note(lacking)}"
        )
        self._window.open_requested.emit(write(recipe))  # as bytes: it is begun here, and kept
