"""The recordings that this program makes: of the objects in its windows, until they are stopped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from liven.app.time_travel.recorded_key import feed_name, key_of
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.copying.recipe import has_channels_inside
from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.objects.node import Node
from liven.runtime.os_error_text import explain_os_error
from liven.runtime.problems import Kind, Problem
from liven.runtime.reference.model import Object

if TYPE_CHECKING:
    from liven.liveobjects.feeds.recorder.recording import Recording

_RECORDER: Final = "program"
"""The name of this program as a recorder; a second one that records at the same time gets a number."""
_NO_CHANNEL: Final = "only objects on a shared channel can be recorded, and this one has none"


class Recorders:
    """The running recordings of one program, by the objects that they record."""

    def __init__(
        self, node: Node, known: TypeKnowledge, root: Path, identity: Callable[[object], str]
    ) -> None:
        """`root` is the folder of feeds, `identity` a key of a recipe."""
        self._node = node
        self._known = known
        self._root = root
        self._identity = identity
        self._running: dict[str, tuple[str, Recording]] = {}

    def title_of(self, thing: Object) -> str:
        """Return the title of the recording of an object; empty if there is none."""
        return self._running.get(self._key(thing), ("", None))[0]

    def why_not(self, thing: Object) -> str:
        """Return the reason why an object cannot be recorded; empty if it can."""
        return "" if has_channels_inside(thing) else _NO_CHANNEL

    def toggle(self, thing: Object, title: str) -> str:
        """Begin or stop recording an object; return a sentence about it."""
        key = self._key(thing)
        if key in self._running:
            title, recording = self._running.pop(key)
            recording.close()
            return f"“{title}” is no longer recorded. View › History shows what was."
        why = self.why_not(thing)
        if why:
            return f"“{title}” cannot be recorded: {why}."
        from liven.liveobjects.feeds.recorder.recording import Recording, RecordingOptions  # rarely needed

        options = RecordingOptions(FeedFolder(self._root / feed_name(title, key)), _RECORDER, title)
        try:
            recording = Recording(
                self._node.service(ChannelSystem),
                self._known.catalogue,
                options,
                lambda what, advice: self._say(title, what, advice),
                lambda why: self._ended(key, why),
            )
        except OSError as error:
            return f"“{title}” cannot be recorded: {explain_os_error(error)}."
        except FeedError as error:
            return f"“{title}” cannot be recorded: {error}."
        try:
            recording.begin(thing)
        except FeedError as error:
            recording.close()
            return f"“{title}” cannot be recorded: {error}."
        self._running[key] = title, recording
        return f"“{title}” is being recorded, with everything inside it. Everybody who has it open sees that."

    def close(self) -> None:
        """End all recordings in order."""
        running, self._running = self._running, {}
        for _, recording in running.values():
            recording.close()

    def _key(self, thing: Object) -> str:
        return key_of(thing, self._identity)

    def _ended(self, key: str, why: str) -> None:
        title, _ = self._running.pop(key, ("", None))
        self._say(title, f"the recording ended: {why}", "what was recorded is kept")

    def _say(self, title: str, what: str, advice: str) -> None:
        self._node.problems.report(Problem(Kind.RAISED, (title,), what, advice))
