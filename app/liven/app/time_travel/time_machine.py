"""The means of a window to go back in time: the recordings of an object, and sandboxes to show them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from liven.app.time_travel.channel_names import channel_of
from liven.app.time_travel.recorders import Recorders
from liven.app.time_travel.recording_finder import FoundRecording, history_of, pasts_of
from liven.app.time_travel.sandbox_show import SandboxShow
from liven.liveobjects.channel.process.user_keys import UserKeys
from liven.liveobjects.feeds.replay.source.recorders import Recorded, recorded
from liven.liveobjects.feeds.replay.source.source import Source
from liven.liveobjects.feeds.replay.target.sandbox import BuildsClasses
from liven.liveobjects.view.contract import ViewHost
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.objects.node import Node
from liven.runtime.objects.reply import Reply
from liven.runtime.reference.model import Object


def present_moment() -> int:
    """Return the present moment, in microseconds since 1970 UTC."""
    return time.time_ns() // 1000


class TimeMachine:
    """The recordings of one user. Disks are read in workers."""

    def __init__(
        self,
        root: Path,
        node: Node,
        known: TypeKnowledge,
        classes: BuildsClasses | None,
        identity: Callable[[object], str],
        histories: Path | None = None,
    ) -> None:
        """`root` is the folder of feeds, `node` the live one. `classes` gives the code of libraries,
        `identity` a key of a recipe, and `histories` is the folder of what this program keeps by itself."""
        self.root = root
        self.node = node
        self.recorders = Recorders(node, known, root, identity)
        self._known = known
        self._classes = classes
        self._identity = identity
        self._histories = histories

    def find(self, thing: Object) -> Reply[list[FoundRecording]]:
        """Return the history of an object, together with its own recording, and other recordings; the best
        first."""
        return self.node.errand(lambda: pasts_of(self.root, self._histories, thing, self._identity))

    def history(self, thing: Object) -> Reply[FoundRecording | None]:
        """Return the history of an object that this program keeps by itself."""
        return self.node.errand(lambda: history_of(self._histories, channel_of(thing)))

    def source(self, recording: FoundRecording) -> Reply[Recorded]:
        """Open the logs of a recording, as far as they go now."""
        return self.node.errand(lambda: recorded(recording.folders, recording.by_author))

    def show(self, source: Source, thing: Object, host: ViewHost) -> SandboxShow:
        """Return an object in a sandbox, not yet built."""
        return SandboxShow(
            source,
            thing,
            self.node.dispatcher,
            self._known,
            self._classes,
            host,
            lambda: self.node.service(UserKeys),
        )
