"""The shared desktop: a replica of what lies on it, and the objects that run on it."""

from __future__ import annotations

from collections.abc import Callable

from liven.liveobjects.channel.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.channel.proof import Proof
from liven.liveobjects.desktop.model import DesktopModel
from liven.liveobjects.desktop.state import Change, Desktop
from liven.liveobjects.desktop.undo_wire import kept, read
from liven.liveobjects.desktop.wire import (
    DesktopOperation,
    DesktopState,
    gesture,
    operation,
    packed,
    unpacked,
)
from liven.liveobjects.fold import Editor, Gesture, UndoList, applied
from liven.runtime.context import Context
from liven.runtime.folder.interface import AnyObject
from liven.types.declare import Dual, ExportedUI, Ref, object_type, proxy


@object_type
class Showable:
    """What may lie on a desktop: an object that can be seen in a window."""

    UI: ExportedUI


class Plane:
    """What lies on a desktop, alone, as the order makes it."""

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
    """A plane that all who have it open share."""

    UI: ExportedUI
    channel: Dual[CheckpointedClient[DesktopOperation, DesktopState], ChannelService[DesktopOperation]]

    def __init__(
        self, context: Context, background_color: str = "", loader: Ref[AnyObject] | None = None
    ) -> None:
        self.context = context
        self.background_color = background_color
        self.loader = loader
        self.ready = False
        self.editor: Editor[Desktop, Change] = Editor(DesktopModel(), context.person, self._send)

    def channel_connected(self) -> None:
        editor = self.editor
        self.context.show_beside("channel", Proof(lambda: editor.model.digest(editor.confirmed), Plane))

    def initialize(self, checkpoint: DesktopState | None) -> None:
        self.ready = True
        self.editor.start(None if checkpoint is None else unpacked(checkpoint))

    def receive(self, message: DesktopOperation) -> None:
        self.editor.receive(gesture(message))

    def checkpoint(self) -> DesktopState:
        return packed(self.editor.confirmed)

    def kept_undo(self) -> bytes:
        return kept(*self.editor.undo_list.steps)

    def take_undo(self, kept: bytes) -> None:
        self.editor.undo_list = UndoList(*read(kept))

    def when_undo_changes(self, call: Callable[[], object]) -> None:
        self.editor.undo_changed = call

    def channel_disconnected(self) -> None:
        self.ready = False

    def _send(self, made: Gesture[Change]) -> None:
        self.channel.peer.send(operation(made))
