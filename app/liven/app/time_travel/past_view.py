"""One recording on the screen: the page, the replayed object on it, and the commands on its moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from PySide6.QtCore import QObject, Signal

from liven.app.time_travel.bars import bars_of
from liven.app.time_travel.moment.comparer import Comparer
from liven.app.time_travel.moment.moment_author import MomentAuthor
from liven.app.time_travel.moment.moment_bookmarks import MomentBookmarks
from liven.app.time_travel.moment.moment_comparison import MomentComparison
from liven.app.time_travel.moment.moment_copy import copy_of_moment
from liven.app.time_travel.recording_finder import FoundRecording
from liven.app.time_travel.restorer import Restored, Restorer
from liven.app.time_travel.sandbox_show import PastHost, SandboxShow
from liven.app.time_travel.time_machine import TimeMachine, present_moment
from liven.liveobjects.copying.recipe import CopyError, check_copied
from liven.liveobjects.feeds.history.comparison import PastObject
from liven.liveobjects.feeds.history.histogram import Histogram
from liven.liveobjects.feeds.history.moment_text import date_text, moment_text, sentence_start
from liven.liveobjects.feeds.replay.source.recorders import Recorded
from liven.liveobjects.feeds.view.past.past_page import PastPage
from liven.runtime.objects.reply import Reply
from liven.runtime.reference.model import Object

_NOT_COPIED: Final = "It cannot be copied: {}."
_NOT_RECORDED: Final = "nothing of it was recorded yet at this moment; go on to a later one"
_NEVER_KNOWN: Final = "the recording has no state of it"
_OPENING: Final = "the recording is still being opened"


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
        self.source: Recorded | None = None
        """The records; None until they are open."""
        self._comparer: Comparer | None = None
        self._author = MomentAuthor(recording.authors)
        self.restorer = Restorer(machine.node, (name,))
        self._no_copy = self._no_copy_at_all = _OPENING
        """The reason why the shown moment, or any moment, cannot be copied; empty without one."""
        self._copies_from = 0
        """The first place that can be copied."""
        self._closed = False
        self.page = PastPage(present_moment, is_live=is_live, is_history=recording.is_history)
        self.page.returned.connect(self.returned)
        self.page.copy_requested.connect(self._copy)
        self.page.bar.looked.connect(self._moved)
        self.page.changes.restore_requested.connect(self._restore)
        self.page.stage.show_words("Opening the recording …")
        self.comparison = MomentComparison(self.page, self._moment, is_live=is_live)
        self.bookmarks = MomentBookmarks(
            self.page, recording, self._shown_place, self._moment, self.message.emit
        )
        self.bookmarks.when_shown = self.comparison.list_moments
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
        self.comparison.close()
        self.page.drive(None)
        self.page.stage.take_widget()
        if self._show is not None:
            self._show.close()

    def compare_again(self) -> None:
        """Compare the shown moment anew, because the live object has changed."""
        if not self._closed:
            self.comparison.compare()

    # opening

    def _opened(self, done: Reply[Recorded]) -> None:
        if self._closed:
            return
        if done.error is not None:
            self._fail(f"The recording cannot be opened: {done.error}")
            return
        source = self.source = done.value()
        host = PastHost(self.message.emit, lambda _: None)
        show = self._show = self._machine.show(source, self._thing, host)
        show.shown.connect(self._shown)
        show.failed.connect(self._fail)
        show.troubled.connect(self.message)
        show.open()
        names, twin = dict(self._recording.authors), source.twin()  # a worker reads it
        self._comparer = Comparer(self._machine.node, twin, self._thing, names)
        self._comparer.known_from(self._note_known, self._note_copies)
        self.comparison.drive(show, self._comparer)

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
        self.bookmarks.show()

    def _counted(self, done: Reply[Histogram]) -> None:
        if not self._closed and done.error is None:
            self.page.bar.show_bars(done.value())

    def _fail(self, why: str) -> None:
        if self._closed:
            return
        self.page.stage.take_widget()
        self.page.stage.show_words(why)
        self.message.emit(why)

    # the shown moment

    def _moment(self) -> str:
        show = self._show
        if show is None:
            return ""
        return sentence_start(moment_text(show.playback.moment, present_moment(), seconds=True))

    def _shown_place(self) -> tuple[Recorded, int] | None:
        show, source = self._show, self.source
        return None if show is None or source is None else (source, show.playback.sequence)

    def _moved(self) -> None:
        """Follow the replay to another place."""
        place = self._shown_place()
        if place is not None:
            self.page.show_author(self._author.at(*place))
        self._show_copy()
        self.comparison.moved()

    # restoring and copying

    def _restore(self, chosen: Mapping[str, frozenset[str]] | None) -> None:
        compared = self.comparison
        if compared.is_with_now:
            name = f"Restore {compared.found_moment}"
            self.restorer.restore(compared.found, chosen, name, self._restored(chosen is None))

    def _restored(self, everything: bool) -> Callable[[Restored], None]:
        def finished(result: Restored) -> None:
            self.restored.emit(result)
            if everything and result.objects and not result.failures:
                self.returned.emit()
            else:
                self.comparison.compare()

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
