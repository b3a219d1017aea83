"""The changes to a window's object while the window was closed: told once, and marked until they are seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer

from liven.app.time_travel.program_history.histories import Histories
from liven.liveobjects.presence.participant import Participant
from liven.liveobjects.view.contract import Action, ShowsNews
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.node import Node
from liven.runtime.objects.reply import Reply

if TYPE_CHECKING:
    from liven.app.time_travel.absence.news import News
    from liven.app.time_travel.moment.comparer import Comparer
    from liven.app.time_travel.recording_finder import FoundRecording
    from liven.app.time_travel.time_machine import TimeMachine
    from liven.app.window.object_window import ObjectWindow
    from liven.liveobjects.feeds.history.comparison import Compared
    from liven.liveobjects.feeds.replay.source.recorders import Recorded

LOOKS_MS: Final = (3000, 9000)
"""Milliseconds before each look: what others did is here soon after they were reached."""
_UNKNOWN_MS: Final = 1000
"""Milliseconds until the next look while the history has not begun."""
_NOTHING: Final = "Nothing has changed here while you were away, as far as this computer knows."
_TIP: Final = "Mark what others did here since this window was last open"


class WindowAbsence:
    """The news of one window."""

    def __init__(self, window: ObjectWindow, machine: Callable[[], TimeMachine] | None) -> None:
        self._window = window
        self._machine = machine
        self._node: Node | None = None
        self._since = 0
        """The end of the history when the window opened; 0 if there was none."""
        self._looks = 0
        self._comparer: Comparer | None = None
        self._asked: Reply[FoundRecording | None] | None = None
        self._timer = QTimer(window, singleShot=True)
        self._timer.timeout.connect(self._look)
        self.news: News | None = None

    def actions(self) -> tuple[Action, ...]:
        """Return the entry for the menus of the window."""
        words = "What changed while I was away"
        return (Action(words, (), self.show_again, "View", _TIP, "time"),)

    def begin(self, node: Node) -> None:
        """Look soon for what changed before the window opened."""
        self.end()
        if self._machine is not None:
            self._node = node
            self._timer.start(LOOKS_MS[0])

    def end(self) -> None:
        """The window shows its object no longer."""
        self._timer.stop()
        comparer, self._comparer = self._comparer, None
        if comparer is not None:
            comparer.close()
        self._node = self._asked = self.news = None
        self._since = self._looks = 0

    def show_again(self) -> None:
        """Mark what changed once more, or say that nothing did."""
        if self.news is None:
            self._window.show_message(_NOTHING)
        else:
            self._mark(self.news)
            self._reveal()

    def _look(self) -> None:
        """Ask the history what it had, and what it has now."""
        node, recipe = self._node, self._window.recipe
        if node is None or recipe is None or self._machine is None:
            return
        since: int | None = self._since
        with suppress(CallFailedError):  # a program without histories
            since = since or node.service(Histories).take_absence(recipe)
        if since is None:
            self._timer.start(_UNKNOWN_MS)
        elif since:
            self._since = since
            machine = self._machine()
            asked = self._asked = machine.history(recipe)
            asked.then(lambda done: self._open(machine, done) if self._asked is done else None)

    def _open(self, machine: TimeMachine, done: Reply[FoundRecording | None]) -> None:
        history = None if done.error is not None else done.value()
        if history is None:
            self._look_again()
        else:
            names = dict(history.authors)
            machine.source(history).then(partial(self._compare, self._asked, names))

    def _compare(self, asked: object, names: dict[str, str], done: Reply[Recorded]) -> None:
        from liven.app.time_travel.moment.comparer import Comparer

        node, recipe = self._node, self._window.recipe
        if self._asked is not asked or done.error is not None or node is None or recipe is None:
            return
        source = done.value()
        if source.end <= self._since:
            self._look_again()
            return
        comparer = self._comparer = Comparer(node, source, recipe, names)
        found = partial(self._found, frozenset(names.values()))
        comparer.compare(max(self._since, source.begin), source.end, found, lambda _: None)

    def _found(self, names: frozenset[str], differences: Sequence[Compared]) -> None:
        from liven.app.time_travel.absence.news import news_of
        from liven.app.time_travel.time_machine import present_moment

        assert self._node is not None
        own = ""
        with suppress(CallFailedError):
            own = self._node.service(Participant).name
        news = news_of(differences, names, own, present_moment())
        if not news.sentence:
            self._look_again()
            return
        self.news = news
        self._mark(news)
        self._window.show_act(news.sentence, "Show", self._reveal)

    def _look_again(self) -> None:
        self._looks += 1
        if self._looks < len(LOOKS_MS):
            self._timer.start(LOOKS_MS[self._looks])

    def _mark(self, news: News) -> None:
        view = self._window.view
        if isinstance(view, ShowsNews):
            view.mark_news(news.parts)

    def _reveal(self) -> None:
        """Show the things that changed, or else the history."""
        view = self._window.view
        if isinstance(view, ShowsNews) and view.reveal_news():
            return
        self._window.past.toggle()
