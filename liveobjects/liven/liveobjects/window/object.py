"""The window as an object: it shows the object that its recipe connects, or one that people put in.

With a channel, all its viewers see an object that was put in; it is stored and can be undone.
Without one, as in the files of the original program, it shows only here until the window is closed."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import partial

from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.desktop.object import Showable
from liven.liveobjects.shared_object import SharedObject, Wire, gesture_of, operation_of
from liven.liveobjects.window.content import Content
from liven.liveobjects.window.model import Inside, Put, WindowModel
from liven.runtime.fold import (
    RefusedError,
)
from liven.runtime.folder.folder_type import AnyObject
from liven.runtime.objects.context import Context
from liven.runtime.objects.ui_endpoint import Shown
from liven.types.declare import Dual, ExportedUI, ImportedUI, Ref, UInt64, proxy, value
from liven.types.explanation import Explanation


class UnseenError(RefusedError):
    """The object that was put in has no view; `found` explains why."""

    def __init__(self, found: Explanation) -> None:
        super().__init__(found.render())
        self.found = found


@value(id="3345549513F04573BBEE2403B2F47899", alias="liven:window-operation")
class WindowOperation:
    """One gesture of one person."""

    origin: uuid.UUID
    number: UInt64
    author: str
    name: str
    changes: list[Put]


@value(id="87DADC01C6A3432A8449C9F7EAE90687", alias="liven:window-state")
class WindowState:
    """The state of a window: a recipe as XML text and a name; both empty for none."""

    reference: str
    name: str


@proxy(
    id="C3073050408D40529B63DD5BD932319D",
    alias="liven:window",
    view="liven.liveobjects.window.view.window_view:make",
)
class WindowObject(SharedObject[Inside, Put, WindowOperation, WindowState]):
    """A caption over one object. The recipe of the window stays as it is, whatever is put in."""

    UI: ExportedUI
    ui: ImportedUI
    channel: Dual[CheckpointedClient[WindowOperation, WindowState], ChannelService[WindowOperation]]

    def __init__(
        self,
        context: Context,
        caption: str = "",
        loader: Ref[AnyObject] | None = None,  # noqa: ARG002 the original's files give one; we need none
    ) -> None:
        super().__init__(context, WindowModel, _WIRE)
        self.caption = caption
        self._shared = False
        self.watchers: list[Callable[[], object]] = []
        self.editor.listen(self)
        self._content = Content(context, self._tell)

    # for views

    @property
    def shared(self) -> bool:
        """True if the window has a channel, ready or not."""
        return self._shared or (not self.context.ended and self.context.connected("channel"))

    @property
    def content(self) -> Shown | None:
        """The object to show."""
        if self._content.shown is not None:
            return self._content.shown
        given = self.context.shown("ui")
        return given if isinstance(given, Shown) else None

    @property
    def is_own(self) -> bool:
        """True if the shown object comes from the window's recipe."""
        return self._content.shown is None

    @property
    def loading(self) -> bool:
        """True while the object that was put in is being built."""
        return self._content.loading

    @property
    def trouble(self) -> str:
        """The reason why the object that was put in cannot be shown; empty if nothing is wrong."""
        return self._content.trouble

    @property
    def inside(self) -> Inside:
        """The object that was put in."""
        return Inside(self._content.reference, self._content.name)

    @property
    def step(self) -> str:
        """The path step of the inner object in problem reports; empty if there is none."""
        return self._content.step

    def put(self, recipe: str, name: str) -> None:
        """Replace the inner object. Raise UnseenError if it has no view, and RefusedError if it cannot be
        put in now."""
        fits = self.context.may_fit(recipe, Showable)
        if not fits:
            raise UnseenError(fits)
        why = self._content.fault(recipe)
        if why:
            raise RefusedError(why)
        if self.shared:
            there = self.editor.state.reference
            if recipe == there:
                raise RefusedError("that is in it already")
            out = (Put("", ""),) if there else ()
            self._edit(f"Put {name or 'something'} in the window", *out, Put(recipe, name))
        else:
            self._content.begin(recipe, name)

    def accepts(self, recipe: str) -> bool:
        """Return true if an object with this recipe could show here."""
        return bool(self.context.may_fit(recipe, Showable))

    def take_out(self) -> None:
        """Show the recipe's own object again. Raise RefusedError if there is nothing to remove."""
        if self.shared and self.ready and not self.editor.state.reference:
            raise RefusedError("nothing was put in")
        if self.shared:
            self._edit(f"Take out {self.editor.state.name or 'the object'}", Put("", ""))
        else:
            self._content.end()

    def again(self) -> None:
        """Start the inner object again, for example after a failure."""
        held = self.inside
        if held.reference:
            self._content.begin(held.reference, held.name)

    def ui_connected(self) -> None:
        self._tell()

    def ui_disconnected(self) -> None:
        self._tell()

    def on_end(self) -> None:
        """End the inner object too."""
        self._content.close()

    # as a client of its channel

    def channel_connected(self) -> None:
        self._shared = True
        super().channel_connected()

    def initialize(self, checkpoint: WindowState | None) -> None:
        super().initialize(checkpoint)
        self._tell()

    def channel_disconnected(self) -> None:
        super().channel_disconnected()
        self._tell()

    # as a listener of its editor

    def changed(self, before: Inside, after: Inside) -> None:
        """Run the object that is in the window now."""
        del before
        if not after.reference:
            self._content.end()
        elif after.reference != self._content.reference:
            self._content.begin(after.reference, after.name)

    def notify(self, message: str) -> None:
        """Ignore messages: the view shows them."""

    def _edit(self, name: str, *changes: Put) -> None:
        if not self.ready:
            raise RefusedError("the window is not ready yet: its channel is not connected")
        self.editor.edit(name, *changes)

    def _tell(self) -> None:
        for watcher in tuple(self.watchers):
            watcher()


def _pack(state: Inside) -> WindowState:
    return WindowState(state.reference, state.name)


def _unpack(checkpoint: WindowState) -> Inside:
    return Inside(checkpoint.reference, checkpoint.name if checkpoint.reference else "")


_WIRE: Wire[Inside, Put, WindowOperation, WindowState] = Wire(
    partial(operation_of, WindowOperation), gesture_of, _pack, _unpack, (Put,)
)
