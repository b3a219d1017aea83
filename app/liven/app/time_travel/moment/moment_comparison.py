"""The comparison of the shown moment with another one, and the list of differences on the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QObject, QTimer

from liven.app.time_travel.moment.comparer import Comparer
from liven.app.time_travel.sandbox_show import SandboxShow
from liven.app.time_travel.time_machine import present_moment
from liven.liveobjects.feeds.history.comparison import Compared
from liven.liveobjects.feeds.history.kinds import kind_of
from liven.liveobjects.feeds.view.past.past_page import PastPage, beginning_of

_COMPARED_AFTER_MS: Final = 250
"""Milliseconds that a moment stays before it is compared, so that scrubbing does not compare every one."""
_PROGRESS_EVERY_MS: Final = 200
_NO_HISTORY: Final = "What happened here cannot be compared: it is shown at each moment as it was recorded."
NOW: Final = "now"
BEGINNING: Final = "beginning"


class MomentComparison(QObject):
    """The differences that one page lists. `drive` gives it the replay to compare."""

    def __init__(self, page: PastPage, moment: Callable[[], str], *, is_live: bool) -> None:
        """`moment` returns the shown moment in words. With `is_live`, there is a present state."""
        super().__init__(page)
        self._page = page
        self._moment = moment
        self._is_live = is_live
        self._show: SandboxShow | None = None
        self._comparer: Comparer | None = None
        self.found: Sequence[Compared] = ()
        """The differences that were found last."""
        self.found_moment = ""
        """The moment that `found` is about, in words."""
        self._with: object = NOW if is_live else BEGINNING
        self._place = -1
        page.compare_toggled.connect(self.compare)
        page.changes.cancelled.connect(self._cancel)
        page.changes.wanted_again.connect(self.compare)
        page.changes.compared_with.connect(self._compare_with)
        self._later = QTimer(self, singleShot=True, interval=_COMPARED_AFTER_MS)
        self._later.timeout.connect(self.compare)
        self._progress = QTimer(self, interval=_PROGRESS_EVERY_MS)
        self._progress.timeout.connect(self._show_progress)
        self.list_moments()

    @property
    def is_with_now(self) -> bool:
        """True if the moment is compared with the present state."""
        return self._with == NOW

    def drive(self, show: SandboxShow, comparer: Comparer) -> None:
        """Compare the moments of this replay."""
        self._show, self._comparer = show, comparer

    def close(self) -> None:
        """Answer nothing any more."""
        self._later.stop()
        self._progress.stop()
        if self._comparer is not None:
            self._comparer.close()
        self._comparer = None

    def list_moments(self) -> None:
        """List the moments with which the shown one can be compared."""
        moments: list[tuple[str, object]] = [("the beginning of the recording", BEGINNING)]
        if self._is_live:
            moments.insert(0, ("now", NOW))
        moments += [(one.name, one.time) for one in self._page.bar.slider.bookmarks]
        self._page.changes.show_moments(moments, self._with)

    def moved(self) -> None:
        """Compare again, soon, if another place is shown."""
        show = self._show
        if show is not None and not self._page.changes.isHidden() and show.playback.sequence != self._place:
            self._page.changes.mark_outdated()
            self._later.start()

    def compare(self) -> None:
        """Compare the shown moment, if the differences are shown."""
        show, comparer = self._show, self._comparer
        if show is None or comparer is None or self._page.changes.isHidden():
            return
        if kind_of(show.thing) is None:
            self._page.changes.show_words(_NO_HISTORY)
            return
        self._place, moment = show.playback.sequence, self._moment()
        beginning = beginning_of(show.playback)
        self._progress.start()

        def found(differences: Sequence[Compared]) -> None:
            self._progress.stop()
            self.found, self.found_moment = differences, moment
            self._page.changes.show_differences(
                differences, present_moment(), may_restore=self.is_with_now, beginning=beginning
            )

        if self.is_with_now:
            comparer.compare_with_now(self._place, found, self._cannot)
            return
        begin = show.playback.window.begin.sequence
        other = begin if self._with == BEGINNING else show.source.sequence_at(_time(self._with))
        comparer.compare(min(other, self._place), max(other, self._place), found, self._cannot)

    def _compare_with(self, what: object) -> None:
        self._with, self.found = what, ()
        self._page.changes.show_words("Comparing …")
        self.compare()

    def _cannot(self, why: str) -> None:
        self._progress.stop()
        self._page.changes.show_words(f"The moments cannot be compared: {why}")

    def _show_progress(self) -> None:
        comparer = self._comparer
        if comparer is None or not comparer.is_comparing:
            self._progress.stop()
        else:
            self._page.changes.show_progress(comparer.followed, comparer.end)

    def _cancel(self) -> None:
        self._progress.stop()
        if self._comparer is not None:
            self._comparer.cancel()


def _time(what: object) -> int:
    assert isinstance(what, int)
    return what
