"""The bookmarks of a recording on its page: shown, asked for, and removed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog

from liven.app.time_travel.recording_finder import FoundRecording
from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.replay.bookmarks import Bookmark, Bookmarks
from liven.liveobjects.feeds.replay.source.recorders import Recorded, origin_of
from liven.liveobjects.feeds.view.past.past_page import PastPage


class MomentBookmarks:
    """The bookmarks of one page. `show` needs to be called when the recording is shown."""

    def __init__(
        self,
        page: PastPage,
        recording: FoundRecording,
        place: Callable[[], tuple[Recorded, int] | None],
        moment: Callable[[], str],
        say: Callable[[str], object],
    ) -> None:
        """`place` returns the source and the shown sequence, `moment` the shown moment in words."""
        self._page = page
        self._recording = recording
        self._place = place
        self._moment = moment
        self._say = say
        self._bookmarks = Bookmarks(recording.feed)
        self.when_shown: Callable[[], object] = lambda: None
        page.bar.bookmarked.connect(self._ask)
        page.bar.unmarked.connect(self._remove)

    def show(self) -> None:
        """Show those that lead into this recording."""
        recorders = {folder.name for folder in self._recording.folders}
        try:
            found = [one for one in self._bookmarks.all() if one.recorder in recorders]
        except (FeedError, OSError) as error:
            self._say(f"The bookmarks cannot be read: {error}")
            return
        self._page.bar.show_bookmarks(found)
        self.when_shown()

    def add(self, bookmark: Bookmark) -> None:
        """Add one, and show it."""
        self._change(lambda: self._bookmarks.add(bookmark))

    def _ask(self, moment: int) -> None:
        """Ask for the name of a bookmark."""
        place = self._place()
        if place is None:
            return
        recorder, sequence = origin_of(place[0], self._recording.folders[0].name, place[1])
        try:
            name = self._bookmarks.fresh_name(recorder)
        except (FeedError, OSError) as error:
            self._say(f"The bookmarks cannot be read: {error}")
            return
        dialog = QInputDialog(self._page)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Bookmark")
        dialog.setLabelText(f"Name of the moment {self._moment()}:")
        dialog.setTextValue(name)
        dialog.textValueSelected.connect(
            lambda text: self.add(Bookmark(text.strip(), recorder, sequence, moment))
        )
        dialog.open()

    def _remove(self, bookmark: Bookmark) -> None:
        self._change(lambda: self._bookmarks.remove(bookmark.name, bookmark.recorder))

    def _change(self, change: Callable[[], object]) -> None:
        try:
            change()
        except (FeedError, OSError) as error:
            self._say(str(error))
        self.show()
