"""The image as a shared object."""

from __future__ import annotations

from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.image.model import ImageModel
from liven.liveobjects.image.picture_header import measure
from liven.liveobjects.image.state import Album, Change
from liven.liveobjects.image.upload import Upload
from liven.liveobjects.image.wire import WIRE, Frame, NoFrameError
from liven.liveobjects.shared_object import SharedObject
from liven.runtime.objects.context import Context
from liven.runtime.objects.reply import Reply
from liven.types.declare import Dual, ExportedUI, proxy


@proxy(
    id="88D82BF52EA1496696002257989DE3D3",
    alias="liven:image-2d",
    view="liven.liveobjects.image.view:make",
)
class ImageObject(SharedObject[Album, Change, Frame, Frame]):
    """A picture that all its viewers share. A new picture replaces it for all."""

    UI: ExportedUI
    channel: Dual[CheckpointedClient[Frame, Frame], ChannelService[Frame]]

    def __init__(self, context: Context) -> None:
        super().__init__(context, ImageModel, WIRE)
        self._sending: list[Upload] = []

    @property
    def sending(self) -> Upload | None:
        """The picture that is being sent from here."""
        return self._sending[0] if self._sending else None

    def put(self, data: bytes, name: str) -> Reply[None]:
        """Send a picture, given as the bytes of its file, after the earlier ones. The reply is settled when
        everybody can see it; cancelling the reply stops the upload. Raise NoPictureError for bytes that are
        not an accepted picture."""
        made = Upload(self.editor, data, name, measure(data), self.context.call_soon)
        self._sending.append(made)
        made.done.then(lambda _: self._sent(made))
        self._go_on()
        return made.done

    def initialize(self, checkpoint: Frame | None) -> None:
        super().initialize(checkpoint)
        self._go_on()

    def receive(self, message: Frame) -> None:
        """Apply a frame. Report an invalid one; every replica skips it."""
        try:
            super().receive(message)
        except NoFrameError as error:
            self.context.report(f"an invalid frame was skipped: {error}")
        self._go_on()

    def on_end(self) -> None:
        """Stop all uploads."""
        for sending in tuple(self._sending):
            sending.fail("the image ended")

    def _go_on(self) -> None:
        if self.ready and self._sending:
            self._sending[0].go_on()

    def _sent(self, made: Upload) -> None:
        self._sending.remove(made)
        if not self.context.ended:
            self._go_on()
