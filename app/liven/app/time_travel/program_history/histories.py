"""The histories that this program keeps by itself: of every object in a window whose past can be shown.

A history is a recording like any other, with three differences. It follows only the channels that this
program has open anyway. It announces itself to nobody. Its oldest part goes after a month, or at a limit of
size.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from liven.app.time_travel.channel_names import channel_of
from liven.app.time_travel.program_history.history_folders import (
    RECORDER,
    forget_oldest,
    history_end,
    history_folder,
)
from liven.app.time_travel.program_history.history_settings import HistorySettings
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.copying.recipe import has_channels
from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.objects.node import Node
from liven.runtime.objects.reply import Reply
from liven.runtime.os_error_text import explain_os_error
from liven.runtime.problems import Kind, Problem
from liven.runtime.reference.model import Object

if TYPE_CHECKING:
    from liven.liveobjects.feeds.recorder.recording import Recording

BEGINS_AFTER: Final = 2.0
"""Seconds after which the history of a new window begins: the object comes first. Nothing is lost by that, as
the log of the channel has what happened meanwhile."""
ENDS_AFTER: Final = 3.0
"""Seconds that a history goes on after its window closed, for the last operations to be confirmed."""
_LOADED: Final = ("liven.liveobjects.feeds.recorder.recording", "liven.liveobjects.feeds.history.kinds")
"""The modules that a history needs. They load numpy, so a worker imports them first."""


class _Kept:
    """The history of one object."""

    def __init__(self, thing: Object, title: str) -> None:
        self.thing = thing
        self.title = title
        self.windows = 0
        self.recording: Recording | None = None
        self.later: Entry | None = None
        """The next step, which is due soon: to begin, or to end."""
        self.before: int | None = None
        """The end of the history before this program went on with it; None if that is not known yet."""


class Histories:
    """The histories of one program, by the objects that they are of."""

    def __init__(
        self,
        node: Node,
        known: TypeKnowledge,
        root: Path,
        settings: HistorySettings,
    ) -> None:
        """`root` is the folder of histories."""
        self.root = root
        self._node = node
        self._known = known
        self._settings = settings
        self._kept: dict[str, _Kept] = {}
        self._closed = False

    def why_not(self, thing: Object) -> str:
        """Return the reason why no history of an object is kept; empty if there is one."""
        if not self._settings.keep:
            return "the settings say that no history is kept"
        return "" if has_channels(thing) else "it is on no channel"

    def begin(self, thing: Object, title: str) -> Callable[[], None]:
        """Keep the history of an object that a window shows, soon. Return a function for when the window
        shows it no longer."""
        if self.why_not(thing):
            return lambda: None
        key = channel_of(thing)
        kept = self._kept.setdefault(key, _Kept(thing, title))
        kept.windows += 1
        if kept.recording is None and kept.later is None:
            kept.later = self._node.dispatcher.call_later(BEGINS_AFTER, lambda: self._load(key, kept))
        ended = False

        def end() -> None:
            nonlocal ended
            if not ended:
                ended = True
                self._left(key, kept)

        return end

    def hasten(self, thing: Object) -> bool:
        """Begin the history of an object now, because somebody wants to see it. Return False if none is
        kept."""
        key = channel_of(thing)
        kept = self._kept.get(key)
        if kept is None:
            return False
        if kept.recording is None and kept.later is not None:
            kept.later.cancel()
            self._load(key, kept)
        return True

    def take_absence(self, thing: Object) -> int | None:
        """Return where the history of an object ended before this program went on with it, once; 0 if there
        was none, or if it was asked for before. None means that it is not known yet."""
        kept = self._kept.get(channel_of(thing))
        if kept is None:
            return 0
        found, kept.before = kept.before, kept.before and 0
        return found

    def close(self) -> None:
        """End all histories in order."""
        self._closed = True
        kept, self._kept = self._kept, {}
        for each in kept.values():
            if each.later is not None:
                each.later.cancel()
            if each.recording is not None:
                each.recording.close()

    def _left(self, key: str, kept: _Kept) -> None:
        """One window less shows an object."""
        kept.windows -= 1
        if not kept.windows and not self._closed:
            if kept.later is not None:
                kept.later.cancel()
            kept.later = self._node.dispatcher.call_later(ENDS_AFTER, lambda: self._end(key, kept))

    def _end(self, key: str, kept: _Kept) -> None:
        kept.later = None
        if not kept.windows and self._kept.get(key) is kept:
            del self._kept[key]
            if kept.recording is not None:
                kept.recording.close()

    def _load(self, key: str, kept: _Kept) -> None:
        """Let a worker prepare it."""
        kept.later = None
        self._node.errand(partial(self._prepare, key)).then(partial(self._begin, key, kept))

    def _prepare(self, key: str) -> int:
        """Do in a worker what takes a moment. Return the end of the history."""
        for name in _LOADED:
            import_module(name)
        forget_oldest(self.root, self._settings.seconds)
        return history_end(history_folder(self.root, key))

    def _begin(self, key: str, kept: _Kept, done: Reply[int]) -> None:
        kept.before = 0 if done.error is not None else done.value()
        if done.error is not None:
            self._say(kept.title, f"no history is kept: {done.error}")
        elif self._kept.get(key) is kept and kept.recording is None and kept.windows:
            self._record(key, kept)

    def _record(self, key: str, kept: _Kept) -> None:
        from liven.liveobjects.feeds.history.kinds import kind_of
        from liven.liveobjects.feeds.recorder.log.limits import Limits
        from liven.liveobjects.feeds.recorder.recording import Recording, RecordingOptions
        from liven.liveobjects.feeds.recorder.target.targets import Target, TargetFinder

        system, catalogue = self._node.service(ChannelSystem), self._known.catalogue
        targets = TargetFinder(system.network, catalogue).inside(kept.thing)
        if kind_of(kept.thing) is None or not any(isinstance(one, Target) for one in targets):
            return  # its states cannot be followed, or it is for this program alone
        settings = self._settings
        limits = Limits(keep_bytes=settings.most_bytes, keep_seconds=settings.seconds)
        feed = FeedFolder(history_folder(self.root, key))
        options = RecordingOptions(feed, RECORDER, kept.title, limits=limits, is_history=True)
        recording: Recording | None = None
        try:
            recording = Recording(
                system,
                catalogue,
                options,
                lambda _what, _advice: None,  # what is left out is seen in the history
                lambda why: self._say(kept.title, f"its history ended: {why}"),
            )
            recording.begin(kept.thing)
        except (OSError, FeedError) as error:
            if recording is not None:
                recording.close()
            why = explain_os_error(error) if isinstance(error, OSError) else str(error)
            self._say(kept.title, f"no history is kept: {why}")
        else:
            kept.recording = recording

    def _say(self, title: str, what: str) -> None:
        self._node.problems.report(Problem(Kind.RAISED, (title,), what, "everything else goes on"))
