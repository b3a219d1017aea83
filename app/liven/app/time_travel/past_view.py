"""One recording on the screen: the page, the replayed object on it, and the commands on its moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QInputDialog

from liven.app.time_travel.bars import bars_of
from liven.app.time_travel.comparer import Comparer
from liven.app.time_travel.moment_copy import copy_of_moment
from liven.app.time_travel.recording_finder import FoundRecording
from liven.app.time_travel.restorer import Restored, Restorer
from liven.app.time_travel.sandbox_show import PastHost, SandboxShow
from liven.app.time_travel.time_machine import TimeMachine, present_moment
from liven.liveobjects.copying.recipe import CopyError, check_copied
from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.history.comparison import Compared, PastObject
from liven.liveobjects.feeds.history.histogram import Histogram
from liven.liveobjects.feeds.history.kinds import kind_of
from liven.liveobjects.feeds.history.moment_text import date_text, moment_text, sentence_start
from liven.liveobjects.feeds.replay.bookmarks import Bookmark, Bookmarks
from liven.liveobjects.feeds.replay.source.recorders import Recorded, origin_of
from liven.liveobjects.feeds.view.past.past_page import PastPage, beginning_of
from liven.runtime.objects.reply import Reply
from liven.runtime.reference.model import Object

_COMPARED_AFTER_MS: Final = 250
"""Milliseconds that a moment stays before it is compared, so that scrubbing does not compare every one."""
_PROGRESS_EVERY_MS: Final = 200
_NOT_COPIED: Final = "It cannot be copied: {}."
_NOT_RECORDED: Final = "nothing of it was recorded yet at this moment; go on to a later one"
_NEVER_KNOWN: Final = "the recording has no state of it"
_NO_HISTORY: Final = "What happened here cannot be compared: it is shown at each moment as it was recorded."
_OPENING: Final = "the recording is still being opened"
NOW: Final = "now"
BEGINNING: Final = "beginning"


class PastView(QObject):
    """A recording as it is shown in a window."""

    message = Signal(str)
    """A sentence for the person."""
    shown = Signal()
    """The recorded object is on the page."""
    returned = Signal()
    """The person wants to see the live object again."""
    copied = Signal(object, list)
    """A copy of the moment was made: its recipe, and the names of what is shared."""
    restored = Signal(object)
    """Things were restored: `Restored`."""

    def __init__(
        self,
        machine: TimeMachine,
        recording: FoundRecording,
        thing: Object,
        name: str,
        *,
        is_live: bool,
    ) -> None:
        """Show an object of a recording. `name` is the object's. With `is_live`, the live object runs in this
        window, so that it can be compared and restored."""
        super().__init__()
        self._machine = machine
        self._recording = recording
        self._thing = thing
        self._name = name
        self._is_live = is_live
        self._show: SandboxShow | None = None
        self._source: Recorded | None = None
        self._comparer: Comparer | None = None
        self.restorer = Restorer(machine.node, (name,))
        self._found: Sequence[Compared] = ()
        self._found_moment = ""
        """The moment that `_found` is about, in words."""
        self._with: object = NOW if is_live else BEGINNING
        self._place = -1
        self._no_copy = self._no_copy_at_all = _OPENING
        """The reason why the shown moment, or any moment, cannot be copied; empty without one."""
        self._copies_from = 0
        """The first place that can be copied."""
        self._closed = False
        self.page = PastPage(present_moment, is_live=is_live)
        self.page.returned.connect(self.returned)
        self.page.copy_requested.connect(self._copy)
        self.page.compare_toggled.connect(self._compare)
        self.page.bar.looked.connect(self._moved)
        self.page.changes.cancelled.connect(self._cancel_comparison)
        self.page.changes.wanted_again.connect(self._compare)
        self.page.changes.restore_requested.connect(self._restore)
        self.page.changes.compared_with.connect(self._compare_with)
        self._later = QTimer(self, singleShot=True, interval=_COMPARED_AFTER_MS)
        self._later.timeout.connect(self._compare)
        self._progress = QTimer(self, interval=_PROGRESS_EVERY_MS)
        self._progress.timeout.connect(self._show_progress)
        self.page.stage.show_words("Opening the recording …")
        self.page.bar.bookmarked.connect(self._ask_bookmark)
        self.page.bar.unmarked.connect(self._unmark)
        self._bookmarks = Bookmarks(recording.feed)
        self._list_moments()
        self._show_copy()

    @property
    def show(self) -> SandboxShow | None:
        """The replayed object."""
        return self._show

    def open(self) -> None:
        """Open the recording."""
        self._machine.source(self._recording).then(self._opened)
        folders = self._recording.folders
        self._machine.node.errand(lambda: bars_of(folders)).then(self._counted)

    def close(self) -> None:
        """End everything."""
        if self._closed:
            return
        self._closed = True
        self._later.stop()
        self._progress.stop()
        self.page.drive(None)
        self.page.stage.take_widget()
        if self._comparer is not None:
            self._comparer.close()
        if self._show is not None:
            self._show.close()

    # opening

    def _opened(self, done: Reply[Recorded]) -> None:
        if self._closed:
            return
        if done.error is not None:
            self._fail(f"The recording cannot be opened: {done.error}")
            return
        source = self._source = done.value()
        host = PastHost(self.message.emit, lambda _: None)
        show = self._show = self._machine.show(source, self._thing, host)
        show.shown.connect(self._shown)
        show.failed.connect(self._fail)
        show.troubled.connect(self.message)
        show.open()
        names, twin = dict(self._recording.authors), source.twin()  # a worker reads it
        self._comparer = Comparer(self._machine.node, twin, self._thing, names)
        self._comparer.known_from(self._note_known, self._note_copies)

    def _shown(self) -> None:
        show = self._show
        widget = None if show is None else show.widget
        if show is None or widget is None:
            return
        self.page.stage.show_widget(widget)
        self.page.drive(show.playback)
        if self._is_live:
            show.playback.seek(
                show.source.span[1]
            )  # what was just now; a recording is a film, from its start
        self.shown.emit()
        self.page.bar.slider.setFocus()
        self._show_bookmarks()

    def _counted(self, done: Reply[Histogram]) -> None:
        if not self._closed and done.error is None:
            self.page.bar.show_bars(done.value())

    def _fail(self, why: str) -> None:
        if self._closed:
            return
        self.page.stage.take_widget()
        self.page.stage.show_words(why)
        self.message.emit(why)

    # bookmarks

    def _show_bookmarks(self) -> None:
        recorders = {folder.name for folder in self._recording.folders}
        try:
            found = [one for one in self._bookmarks.all() if one.recorder in recorders]
        except (FeedError, OSError) as error:
            self.message.emit(f"The bookmarks cannot be read: {error}")
            return
        self.page.bar.show_bookmarks(found)
        self._list_moments()

    def _ask_bookmark(self, moment: int) -> None:
        """Ask for the name of a bookmark."""
        show, source = self._show, self._source
        if show is None or source is None:
            return
        name = self._recording.folders[0].name
        recorder, sequence = origin_of(source, name, show.playback.sequence)
        try:
            name = self._bookmarks.fresh_name(recorder)
        except (FeedError, OSError) as error:
            self.message.emit(f"The bookmarks cannot be read: {error}")
            return
        dialog = QInputDialog(self.page)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Bookmark")
        dialog.setLabelText(f"Name of the moment {self._moment}:")
        dialog.setTextValue(name)
        dialog.textValueSelected.connect(
            lambda text: self._mark(Bookmark(text.strip(), recorder, sequence, moment))
        )
        dialog.open()

    def _mark(self, bookmark: Bookmark) -> None:
        self._change_bookmarks(lambda: self._bookmarks.add(bookmark))

    def _unmark(self, bookmark: Bookmark) -> None:
        self._change_bookmarks(lambda: self._bookmarks.remove(bookmark.name, bookmark.recorder))

    def _change_bookmarks(self, change: Callable[[], object]) -> None:
        try:
            change()
        except (FeedError, OSError) as error:
            self.message.emit(str(error))
        self._show_bookmarks()

    # comparing

    @property
    def _moment(self) -> str:
        show = self._show
        if show is None:
            return ""
        return sentence_start(moment_text(show.playback.moment, present_moment(), seconds=True))

    def _list_moments(self) -> None:
        moments: list[tuple[str, object]] = [("the beginning of the recording", BEGINNING)]
        if self._is_live:
            moments.insert(0, ("now", NOW))
        moments += [(one.name, one.time) for one in self.page.bar.slider.bookmarks]
        self.page.changes.show_moments(moments, self._with)

    def _compare_with(self, what: object) -> None:
        self._with, self._found = what, ()
        self.page.changes.show_words("Comparing …")
        self._compare()

    def _moved(self) -> None:
        """Compare again, soon, if another place is shown."""
        self._show_copy()
        show = self._show
        if show is None or self.page.changes.isHidden() or show.playback.sequence == self._place:
            return
        self._later.start()

    def compare_again(self) -> None:
        """Compare the shown moment anew, because the live object has changed."""
        if not self._closed:
            self._compare()

    def _compare(self) -> None:
        show, comparer = self._show, self._comparer
        if show is None or comparer is None or self.page.changes.isHidden():
            return
        if kind_of(self._thing) is None:
            self.page.changes.show_words(_NO_HISTORY)
            return
        self._place, moment = show.playback.sequence, self._moment
        beginning = beginning_of(show.playback)
        self._progress.start()

        def found(differences: Sequence[Compared]) -> None:
            self._progress.stop()
            self._found, self._found_moment = differences, moment
            live = self._with == NOW
            self.page.changes.show_differences(
                differences, present_moment(), may_restore=live, beginning=beginning
            )

        if self._with == NOW:
            comparer.compare_with_now(self._place, found, self._cannot_compare)
            return
        source = show.source
        begin = show.playback.window.begin.sequence
        other = begin if self._with == BEGINNING else source.sequence_at(_time(self._with))
        comparer.compare(min(other, self._place), max(other, self._place), found, self._cannot_compare)

    def _cannot_compare(self, why: str) -> None:
        self._progress.stop()
        self.page.changes.show_words(f"The moments cannot be compared: {why}")

    def _show_progress(self) -> None:
        comparer = self._comparer
        if comparer is None or not comparer.is_comparing:
            self._progress.stop()
        else:
            self.page.changes.show_progress(comparer.followed, comparer.end)

    def _cancel_comparison(self) -> None:
        self._progress.stop()
        if self._comparer is not None:
            self._comparer.cancel()

    # restoring and copying

    def _restore(self, chosen: Mapping[str, frozenset[str]] | None) -> None:
        if self._with == NOW:
            self.restorer.restore(
                self._found, chosen, f"Restore {self._found_moment}", self._restored(chosen is None)
            )

    def _restored(self, everything: bool) -> Callable[[Restored], None]:
        def finished(result: Restored) -> None:
            self.restored.emit(result)
            if everything and result.objects and not result.failures:
                self.returned.emit()
            else:
                self._compare()

        return finished

    def _note_known(self, first: int | None) -> None:
        """Take the first place at which the state of the object is known."""
        self._copies_from = first or 0
        try:
            check_copied(self._thing)
        except CopyError as error:
            self._note_copies(str(error))
        else:
            self._note_copies(_NEVER_KNOWN if first is None else "")

    def _note_copies(self, why_not: str) -> None:
        self._no_copy_at_all = why_not
        self._show_copy()

    def _show_copy(self) -> None:
        """Make the button for copies grey, with the reason, where nothing can be copied."""
        show = self._show
        self._no_copy = self._no_copy_at_all or (_OPENING if show is None else "")
        if show is not None and not self._no_copy and show.playback.sequence < self._copies_from:
            self._no_copy = _NOT_RECORDED
        self.page.refuse_copy(_NOT_COPIED.format(self._no_copy) if self._no_copy else "")

    def _copy(self) -> None:
        show, comparer = self._show, self._comparer
        if self._no_copy or show is None or comparer is None:
            self.message.emit(_NOT_COPIED.format(self._no_copy or _OPENING))
            return
        name = f"{self._name} ({date_text(show.playback.moment)})"

        def found(past: Sequence[PastObject]) -> None:
            try:
                made = copy_of_moment(self._thing, past, name)
            except CopyError as error:
                self.message.emit(_NOT_COPIED.format(error))
            else:
                self.copied.emit(made.recipe, made.lacking)

        comparer.objects_at(
            show.playback.sequence, found, lambda why: self.message.emit(_NOT_COPIED.format(why))
        )


def _time(what: object) -> int:
    assert isinstance(what, int)
    return what
