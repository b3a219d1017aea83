"""The shared folder as an object: others ask it as they ask any folder, and people see what is in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from liven.liveobjects.channel.api.backpressure import check_room
from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.folder.browsable import Watcher
from liven.liveobjects.folder.model import FolderModel
from liven.liveobjects.folder.state import Change, Content, Put, Rename, Take
from liven.liveobjects.folder.wire import (
    FolderOperation,
    FolderState,
    gesture,
    operation,
    packed,
    unpacked,
)
from liven.runtime.fold import (
    Editor,
    Gesture,
    RefusedError,
    Replayed,
    UndoList,
    kept_steps,
    proven,
    read_steps,
)
from liven.runtime.folder.folder_type import AnyObject, Folder, FolderClient
from liven.runtime.folder.served_folder import ServedFolder
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, ExportedUI, Ref, proxy

_LOADING = "Loading…"
_NOT_BEGUN = "the folder has not begun yet; its channel is not connected"


@proxy(
    id="A23A3D5432FB40BAB87181FD0943299A",
    alias="liven:shared-folder",
    view="liven.liveobjects.folder.view:make",
)
class SharedFolder(ServedFolder):
    """Recipes by name, which all who have it open see and change."""

    UI: ExportedUI
    Endpoint: Dual[Folder, FolderClient]
    channel: Dual[CheckpointedClient[FolderOperation, FolderState], ChannelService[FolderOperation]]

    def __init__(
        self,
        context: Context,
        loader: Ref[AnyObject] | None = None,  # noqa: ARG002 the original's files give one; we need none
    ) -> None:
        self.context = context
        self.ready = False
        self.editor: Editor[Content, Change] = Editor(FolderModel(), context.person, self._send)
        self.editor.listen(self)

    # for views

    @property
    def content(self) -> Content:
        return self.editor.state

    @property
    def state_in_words(self) -> str:
        return "" if self.ready else _LOADING

    @property
    def read_only(self) -> bool:
        return False

    def watch(self, watcher: Watcher) -> None:
        self.editor.listen(watcher)

    def unwatch(self, watcher: Watcher) -> None:
        self.editor.unlisten(watcher)

    def change(self, name: str, *changes: Change) -> None:
        if not self.ready:
            raise RefusedError(_NOT_BEGUN)
        self.editor.edit(name, *changes)

    def when_settled(self, call: Callable[[], object]) -> None:
        self.editor.when_settled(call)

    def undo(self) -> str | None:
        return self.editor.undo()

    def redo(self) -> str | None:
        return self.editor.redo()

    # as a folder

    def items(self) -> Mapping[str, str]:
        state = self.editor.state.items
        return {name: state[name] for name in sorted(state)}

    def is_read_only(self) -> bool:
        return False

    def add(self, key: str, object: Ref[AnyObject]) -> None:  # noqa: A002 the original's name
        self._do(f"Put in {key}", Put(key, object.xml))

    def remove(self, key: str) -> None:
        self._do(f"Take out {key}", Take(key))

    def Endpoint_connected(self) -> None:
        """It can be asked once its channel has begun."""
        if self.ready:
            self.Endpoint.peer.ready()

    # as a client of its channel

    def channel_connected(self) -> None:
        self.context.show_beside("channel", proven(self.editor, _replayed, packed))

    def initialize(self, checkpoint: FolderState | None) -> None:
        first, self.ready = not self.ready, True
        self.editor.start(None if checkpoint is None else unpacked(checkpoint))
        if first and self.context.connected("Endpoint"):
            self.Endpoint.peer.ready()

    def receive(self, message: FolderOperation) -> None:
        self.editor.receive(gesture(message))

    def checkpoint(self) -> FolderState:
        return packed(self.editor.confirmed)

    def channel_disconnected(self) -> None:
        self.ready = False

    # what its own editor tells

    def changed(self, before: Content, after: Content) -> None:
        """Whoever is connected hears what came and went."""
        if not self.ready or not self.context.connected("Endpoint"):
            return
        differing = sorted(after.items.changed_since(before.items))
        for name in differing:
            if name in before.items:
                self.Endpoint.peer.removed(name)
        for name in differing:
            if name in after.items:
                self.Endpoint.peer.added(name, Ref(after.items[name]))

    def told(self, message: str) -> None:
        """The view tells the person."""

    def kept_undo(self) -> bytes:
        return kept_steps(self.editor.undo_list.steps)

    def take_undo(self, kept: bytes) -> None:
        self.editor.undo_list = UndoList(*read_steps(kept, (Put, Take, Rename)))

    def when_undo_changes(self, call: Callable[[], object]) -> None:
        self.editor.undo_changed = call

    def _do(self, name: str, change: Change) -> None:
        """What another object asks for; a refusal is a problem, since it waits for no answer."""
        try:
            self.change(name, change)
        except RefusedError as why:
            self.context.report(f"{name}: {why}", "nothing was changed")

    def _send(self, made: Gesture[Change]) -> None:
        check_room(self.context, "channel")
        self.channel.peer.send(operation(made))


def _replayed() -> Replayed[Any, Any]:
    return Replayed(FolderModel(), unpacked, gesture)
