"""The desktop object: one replica of a shared desktop, connected to its channel."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from liven.liveobjects.channel.api.backpressure import check_room
from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.channel.objects.presence import Presence, PresenceClient
from liven.liveobjects.desktop.model import DesktopModel
from liven.liveobjects.desktop.state import KINDS, Change, Desktop, Item, Link, Place
from liven.liveobjects.desktop.wire import (
    GAZE,
    DesktopOperation,
    DesktopState,
    Gaze,
    gesture,
    operation,
    packed,
    unpacked,
)
from liven.liveobjects.presence.object_presence import Beside
from liven.liveobjects.presence.person import Who, who_is_here
from liven.runtime.fold import Editor, Gesture, UndoList, applied, kept_steps, proven, read_steps
from liven.runtime.folder.folder_type import AnyObject
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, ExportedUI, Ref, object_type, proxy


@object_type
class Showable:
    """The type of objects that can be put on a desktop: those with a user interface."""

    UI: ExportedUI


class DesktopReplay:
    """A desktop without local edits: the state that the channel's order of operations produces."""

    def __init__(self) -> None:
        self.model = DesktopModel()
        self.state = self.model.empty()

    def initialize(self, checkpoint: DesktopState | None) -> None:
        self.state = self.model.empty() if checkpoint is None else unpacked(checkpoint)

    def receive(self, message: DesktopOperation) -> None:
        self.state, _, _ = applied(self.model, self.state, gesture(message).changes)

    def digest(self) -> bytes:
        return self.model.digest(self.state)


@proxy(
    id="570482D150074A5381C8F5FD8C348503",
    alias="liven:desktop",
    view="liven.liveobjects.desktop.view:make",
)
class DesktopObject:
    """A plane shared by everyone who has it open."""

    UI: ExportedUI
    presence: Dual[PresenceClient[Gaze], Presence[Gaze]]
    channel: Dual[CheckpointedClient[DesktopOperation, DesktopState], ChannelService[DesktopOperation]]

    def __init__(
        self, context: Context, background_color: str = "", loader: Ref[AnyObject] | None = None
    ) -> None:
        self.context = context
        self.background_color = background_color
        self.loader = loader
        self.ready = False
        self.editor: Editor[Desktop, Change] = Editor(DesktopModel(), context.person, self._send)
        self.watchers: list[Callable[[], object]] = []
        """Called when others look elsewhere, and when what lies here begins or ends to be known."""
        self.window = uuid.uuid4()
        self._beside: Beside[Gaze] = Beside(context, self.presence, GAZE, self._tell_watchers)

    @property
    def gazes(self) -> tuple[Gaze, ...]:
        """The presence of all other windows on this desktop."""
        return tuple(one for one in self._beside.others.values() if one.window != self.window)

    def show_gaze(self, mine: Callable[[], Gaze | None]) -> None:
        """Publish this window's presence. `mine` is called whenever it is sent."""
        self._beside.show(mine)

    def who(self) -> Who:
        """Return the person who uses this program."""
        return who_is_here(self.context)

    def shown(self, member: str, value: Gaze) -> None:
        self._beside.shown(member, value)

    def gone(self, member: str) -> None:
        self._beside.gone(member)

    def presence_connected(self) -> None:
        self._beside.connected()

    def presence_disconnected(self) -> None:
        self._beside.disconnected()

    def channel_connected(self) -> None:
        self._beside.join("channel")
        self.context.show_beside("channel", proven(self.editor, DesktopReplay, packed))

    def initialize(self, checkpoint: DesktopState | None) -> None:
        self.ready = True
        self.editor.start(None if checkpoint is None else unpacked(checkpoint))
        self._tell_watchers()

    def receive(self, message: DesktopOperation) -> None:
        self.editor.receive(gesture(message))

    def checkpoint(self) -> DesktopState:
        return packed(self.editor.confirmed)

    def kept_undo(self) -> bytes:
        return kept_steps(self.editor.undo_list.steps)

    def take_undo(self, kept: bytes) -> None:
        self.editor.undo_list = UndoList(*read_steps(kept, (*KINDS, Item, Link, Place)))

    def when_undo_changes(self, call: Callable[[], object]) -> None:
        self.editor.undo_changed = call

    def channel_disconnected(self) -> None:
        self.ready = False
        self._beside.leave()
        self._tell_watchers()

    def _tell_watchers(self) -> None:
        for watcher in tuple(self.watchers):
            watcher()

    def _send(self, made: Gesture[Change]) -> None:
        check_room(self.context, "channel")
        self.channel.peer.send(operation(made))
