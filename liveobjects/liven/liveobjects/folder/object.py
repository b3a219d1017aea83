"""The shared folder as an object. Other objects use it like any folder; people see it in a view."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.folder.browsable import Watcher
from liven.liveobjects.folder.model import FolderModel
from liven.liveobjects.folder.state import Change, Content, Put, Take
from liven.liveobjects.folder.wire import (
    WIRE,
    FolderOperation,
    FolderState,
)
from liven.liveobjects.shared_object import SharedObject
from liven.runtime.fold import (
    RefusedError,
)
from liven.runtime.folder.folder_type import AnyObject, Folder, FolderClient
from liven.runtime.folder.served_folder import ServedFolder
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, ExportedUI, Ref, proxy

_LOADING = "Loading…"
_NOT_BEGUN = "the folder is not ready yet: its channel is not connected"


@proxy(
    id="A23A3D5432FB40BAB87181FD0943299A",
    alias="liven:shared-folder",
    view="liven.liveobjects.folder.view:make",
)
class SharedFolder(SharedObject[Content, Change, FolderOperation, FolderState], ServedFolder):
    """Recipes by name, shared by everybody with the folder open."""

    UI: ExportedUI
    Endpoint: Dual[Folder, FolderClient]
    channel: Dual[CheckpointedClient[FolderOperation, FolderState], ChannelService[FolderOperation]]

    def __init__(
        self,
        context: Context,
        loader: Ref[AnyObject] | None = None,  # noqa: ARG002 the original's files give one; we need none
    ) -> None:
        super().__init__(context, FolderModel, WIRE)
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

    def also(self, name: str, *changes: Change) -> None:
        if not self.ready:
            raise RefusedError(_NOT_BEGUN)
        self.editor.also(name, *changes)

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
        """Report ready to the client if the channel is ready."""
        if self.ready:
            self.Endpoint.peer.ready()

    # as a client of its channel

    def initialize(self, checkpoint: FolderState | None) -> None:
        first = not self.ready
        super().initialize(checkpoint)
        if first and self.context.connected("Endpoint"):
            self.Endpoint.peer.ready()

    # as a listener of its editor

    def changed(self, before: Content, after: Content) -> None:
        """Tell the connected client what was added and removed."""
        if not self.ready or not self.context.connected("Endpoint"):
            return
        differing = sorted(after.items.changed_since(before.items))
        for name in differing:
            if name in before.items:
                self.Endpoint.peer.removed(name)
        for name in differing:
            if name in after.items:
                self.Endpoint.peer.added(name, Ref(after.items[name]))

    def notify(self, message: str) -> None:
        """Ignore messages: the view shows them."""

    def _do(self, name: str, change: Change) -> None:
        """Do what another object asks for. Report a refusal as a problem, since the object expects no
        answer."""
        try:
            self.change(name, change)
        except RefusedError as why:
            self.context.report(f"{name}: {why}", "nothing was changed")
