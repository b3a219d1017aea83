"""The window as an object: what its recipe gives it to show, or what people put into it.

With a channel, what is put in is seen by all who have the window, is kept, and can be taken back. Without
one, as in the files of the original program, it is seen here alone, until the window is closed.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from liven.liveobjects.channel.api.backpressure import check_room
from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.desktop.object import Showable
from liven.liveobjects.window.content import Content
from liven.liveobjects.window.model import Inside, Put, WindowModel
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
from liven.runtime.folder.folder_type import AnyObject
from liven.runtime.objects.context import Context
from liven.runtime.objects.ui_endpoint import Shown
from liven.types.declare import Dual, ExportedUI, ImportedUI, Ref, UInt64, proxy, value
from liven.types.explanation import Explanation


class UnseenError(RefusedError):
    """What was put in has nothing to show; `found` is why."""

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
    """What is in a window: a recipe, as XML text, and what it is called; both empty for nothing."""

    reference: str
    name: str


@proxy(
    id="C3073050408D40529B63DD5BD932319D",
    alias="liven:window",
    view="liven.liveobjects.window.view.window_view:make",
)
class WindowObject:
    """A caption over one object. The recipe stays as it is, whatever is put in."""

    UI: ExportedUI
    ui: ImportedUI
    channel: Dual[CheckpointedClient[WindowOperation, WindowState], ChannelService[WindowOperation]]

    def __init__(
        self,
        context: Context,
        caption: str = "",
        loader: Ref[AnyObject] | None = None,  # noqa: ARG002 the original's files give one; we need none
    ) -> None:
        self.context = context
        self.caption = caption
        self._shared = False
        self.ready = False
        self.watchers: list[Callable[[], object]] = []
        self.editor: Editor[Inside, Put] = Editor(WindowModel(), context.person, self._send)
        self.editor.listen(self)
        self._content = Content(context, self._tell)

    # for views

    @property
    def shared(self) -> bool:
        """Whether it has a channel, be it at work or not."""
        return self._shared or (not self.context.ended and self.context.connected("channel"))

    @property
    def content(self) -> Shown | None:
        """What is shown in the window."""
        if self._content.shown is not None:
            return self._content.shown
        given = self.context.shown("ui")
        return given if isinstance(given, Shown) else None

    @property
    def is_own(self) -> bool:
        """Whether what is shown is what the recipe gives, and was not put in."""
        return self._content.shown is None

    @property
    def loading(self) -> bool:
        """Whether something that was put in is being built."""
        return self._content.loading

    @property
    def trouble(self) -> str:
        """Why what was put in cannot be seen; empty if nothing is wrong."""
        return self._content.trouble

    @property
    def inside(self) -> Inside:
        """What was put in."""
        return Inside(self._content.reference, self._content.name)

    @property
    def step(self) -> str:
        """By what step of a path problems mean what was put in; empty for nothing."""
        return self._content.step

    def put(self, recipe: str, name: str) -> None:
        """Puts another object in place of what is there; UnseenError for what cannot be seen, RefusedError
        for what cannot be put in now."""
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
        """Whether it could be shown here; nothing changes."""
        return bool(self.context.may_fit(recipe, Showable))

    def take_out(self) -> None:
        """Shows again what the recipe gives; RefusedError where nothing can be taken out now."""
        if self.shared and self.ready and not self.editor.state.reference:
            raise RefusedError("nothing was put in")
        if self.shared:
            self._edit(f"Take out {self.editor.state.name or 'what was put in'}", Put("", ""))
        else:
            self._content.end()

    def again(self) -> None:
        """Begins anew what was put in, as after it failed."""
        held = self.inside
        if held.reference:
            self._content.begin(held.reference, held.name)

    def ui_connected(self) -> None:
        self._tell()

    def ui_disconnected(self) -> None:
        self._tell()

    def on_end(self) -> None:
        """What was put in ends too."""
        self._content.close()

    # as a client of its channel

    def channel_connected(self) -> None:
        self._shared = True
        self.context.show_beside("channel", proven(self.editor, _replayed))

    def initialize(self, checkpoint: WindowState | None) -> None:
        self.ready = True
        self.editor.start(None if checkpoint is None else _unpacked(checkpoint))
        self._tell()

    def receive(self, message: WindowOperation) -> None:
        self.editor.receive(_gesture(message))

    def checkpoint(self) -> WindowState:
        state = self.editor.confirmed
        return WindowState(state.reference, state.name)

    def channel_disconnected(self) -> None:
        self.ready = False
        self._tell()

    def kept_undo(self) -> bytes:
        return kept_steps(self.editor.undo_list.steps)

    def take_undo(self, kept: bytes) -> None:
        self.editor.undo_list = UndoList(*read_steps(kept, (Put,)))

    def when_undo_changes(self, call: Callable[[], object]) -> None:
        self.editor.undo_changed = call

    # what its own editor tells

    def changed(self, before: Inside, after: Inside) -> None:
        """Something else is in it."""
        del before
        if not after.reference:
            self._content.end()
        elif after.reference != self._content.reference:
            self._content.begin(after.reference, after.name)

    def told(self, message: str) -> None:
        """The view tells the person."""

    def _edit(self, name: str, *changes: Put) -> None:
        if not self.ready:
            raise RefusedError("the window has not begun yet; its channel is not connected")
        self.editor.edit(name, *changes)

    def _send(self, made: Gesture[Put]) -> None:
        check_room(self.context, "channel")
        changes = list(made.changes)
        self.channel.peer.send(WindowOperation(made.origin, made.number, made.author, made.name, changes))

    def _tell(self) -> None:
        for watcher in tuple(self.watchers):
            watcher()


def _unpacked(checkpoint: WindowState) -> Inside:
    return Inside(checkpoint.reference, checkpoint.name if checkpoint.reference else "")


def _gesture(message: WindowOperation) -> Gesture[Put]:
    changes = tuple(message.changes)
    return Gesture(message.origin, message.number, message.author, message.name, changes)


def _replayed() -> Replayed[Any, Any]:
    return Replayed(WindowModel(), _unpacked, _gesture)
