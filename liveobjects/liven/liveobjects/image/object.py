"""The shared image: one picture, and how it came."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from liven.liveobjects.channel.api.backpressure import check_room
from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.image.model import ImageModel
from liven.liveobjects.image.picture_header import measure
from liven.liveobjects.image.state import Album, Change, Show
from liven.liveobjects.image.upload import Sending
from liven.liveobjects.image.wire import Frame, NoFrameError, gesture, operation, packed, unpacked
from liven.runtime.fold import Editor, Gesture, Replayed, UndoList, kept_steps, proven, read_steps
from liven.runtime.objects.context import Context
from liven.runtime.objects.reply import Reply
from liven.types.declare import Dual, ExportedUI, proxy


@proxy(
    id="88D82BF52EA1496696002257989DE3D3",
    alias="liven:image-2d",
    view="liven.liveobjects.image.view:make",
)
class ImageObject:
    """A picture that all who have it open see; whoever puts another in, puts it in for all."""

    UI: ExportedUI
    channel: Dual[CheckpointedClient[Frame, Frame], ChannelService[Frame]]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.ready = False
        self.editor: Editor[Album, Change] = Editor(ImageModel(), context.person, self._send)
        self._sending: list[Sending] = []

    @property
    def sending(self) -> Sending | None:
        """The picture that is sent from here now."""
        return self._sending[0] if self._sending else None

    def put(self, data: bytes, name: str) -> Reply[None]:
        """Sends a picture, given as the bytes of its file, after those that are being sent. The reply is
        settled when all can see it; cancelled, no more of it is sent. NoPictureError for what is none."""
        made = Sending(self.editor, data, name, measure(data), self.context.call_soon)
        self._sending.append(made)
        made.done.then(lambda _: self._sent(made))
        self._go_on()
        return made.done

    def channel_connected(self) -> None:
        self.context.show_beside("channel", proven(self.editor, _replayed, packed))

    def initialize(self, checkpoint: Frame | None) -> None:
        self.ready = True
        self.editor.start(None if checkpoint is None else unpacked(checkpoint))
        self._go_on()

    def receive(self, message: Frame) -> None:
        """A frame that says nothing is told, and passed over by all alike."""
        try:
            self.editor.receive(gesture(message))
        except NoFrameError as error:
            self.context.report(f"somebody's frame was passed over: {error}")
        self._go_on()

    def checkpoint(self) -> Frame:
        return packed(self.editor.confirmed)

    def channel_disconnected(self) -> None:
        self.ready = False

    def kept_undo(self) -> bytes:
        return kept_steps(self.editor.undo_list.steps)

    def take_undo(self, kept: bytes) -> None:
        self.editor.undo_list = UndoList(*read_steps(kept, (Show,)))

    def when_undo_changes(self, call: Callable[[], object]) -> None:
        self.editor.undo_changed = call

    def on_end(self) -> None:
        """What is being sent is not."""
        for sending in tuple(self._sending):
            sending.fail("the image ended")

    def _go_on(self) -> None:
        if self.ready and self._sending:
            self._sending[0].go_on()

    def _sent(self, made: Sending) -> None:
        self._sending.remove(made)
        if not self.context.ended:
            self._go_on()

    def _send(self, made: Gesture[Change]) -> None:
        check_room(self.context, "channel")
        self.channel.peer.send(operation(made))


def _replayed() -> Replayed[Any, Any]:
    return Replayed(ImageModel(), unpacked, gesture)
