"""The desktop object: one replica of a shared desktop, connected to its channel."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.channel.api.recording import watch_recorders, who_records
from liven.liveobjects.channel.objects.presence import Presence, PresenceClient
from liven.liveobjects.desktop.drawings.ink import USUAL_WIDTH, Ink, decoded
from liven.liveobjects.desktop.drawings.recipes import INK, SHAPE
from liven.liveobjects.desktop.drawings.shape import BOX, Shape
from liven.liveobjects.desktop.model import DesktopModel
from liven.liveobjects.desktop.state import Change, Desktop
from liven.liveobjects.desktop.wire import (
    GAZE,
    WIRE,
    DesktopOperation,
    DesktopState,
    Gaze,
)
from liven.liveobjects.presence.object_presence import ObjectPresence
from liven.liveobjects.presence.participant import Participant, local_participant
from liven.liveobjects.shared_object import SharedObject
from liven.runtime.folder.folder_type import AnyObject
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, ExportedUI, Ref, object_type, proxy


@object_type
class Showable:
    """The type of objects that can be put on a desktop: those with a user interface."""

    UI: ExportedUI


@proxy(
    id="6EA1F1ABADC579E0EBFBF56B1D717C79",
    alias="liven:frame",
    view="liven.liveobjects.desktop.view.items.frame_view:make",
)
class FrameObject:
    """A named area of a desktop. Its name and place are those of the item."""

    UI: ExportedUI

    def __init__(self, context: Context) -> None:
        self.context = context


@proxy(
    id="3D0E6A1F1F0B4B58A1C5E3A5C77F2B61",
    alias=SHAPE,
    view="liven.liveobjects.desktop.view.drawings.drawing_view:make",
)
class ShapeObject:
    """A shape. The recipe holds all of it, except the text, which is the name of the item."""

    UI: ExportedUI

    def __init__(
        self, context: Context, outline: str = BOX, hue: str = "", fill: str = "tint", line: str = "solid"
    ) -> None:
        self.context = context
        self.drawing = Shape(outline, hue, fill, line)


@proxy(
    id="C8A7F0F54E7B4B1F9E4E6C1B2A90D35D",
    alias=INK,
    view="liven.liveobjects.desktop.view.drawings.drawing_view:make",
)
class InkObject:
    """A stroke of a pen. The recipe holds all of it."""

    UI: ExportedUI

    def __init__(self, context: Context, points: str = "", hue: str = "", width: str = USUAL_WIDTH) -> None:
        self.context = context
        self.drawing = Ink(decoded(points), hue, width)


@proxy(
    id="570482D150074A5381C8F5FD8C348503",
    alias="liven:desktop",
    view="liven.liveobjects.desktop.view:make",
)
class DesktopObject(SharedObject[Desktop, Change, DesktopOperation, DesktopState]):
    """A plane shared by everyone who has it open."""

    UI: ExportedUI
    presence: Dual[PresenceClient[Gaze], Presence[Gaze]]
    channel: Dual[CheckpointedClient[DesktopOperation, DesktopState], ChannelService[DesktopOperation]]

    def __init__(
        self, context: Context, background_color: str = "", loader: Ref[AnyObject] | None = None
    ) -> None:
        super().__init__(context, DesktopModel, WIRE)
        self.background_color = background_color
        self.loader = loader
        self.watchers: list[Callable[[], object]] = []
        """Called when the presence of others changes, and when the desktop is loaded or disconnected."""
        self.window = uuid.uuid4()
        self._stop_watching: Callable[[], object] = lambda: None
        self._others: ObjectPresence[Gaze] = ObjectPresence(context, self.presence, GAZE, self._tell_watchers)

    @property
    def gazes(self) -> tuple[Gaze, ...]:
        """The presence of all other windows on this desktop."""
        return tuple(one for one in self._others.others.values() if one.window != self.window)

    @property
    def recorders(self) -> tuple[str, ...]:
        """The names of those who record this desktop."""
        return who_records(self.context, "channel")

    def show_gaze(self, mine: Callable[[], Gaze | None]) -> None:
        """Publish this window's presence. `mine` is called whenever it is sent."""
        self._others.show(mine)

    def who(self) -> Participant:
        """Return the person who uses this program."""
        return local_participant(self.context)

    def shown(self, member: str, value: Gaze) -> None:
        self._others.shown(member, value)

    def gone(self, member: str) -> None:
        self._others.gone(member)

    def presence_connected(self) -> None:
        self._others.connected()

    def presence_disconnected(self) -> None:
        self._others.disconnected()

    def channel_connected(self) -> None:
        self._others.join("channel")
        self._stop_watching = watch_recorders(self.context, "channel", self._tell_watchers)
        super().channel_connected()

    def initialize(self, checkpoint: DesktopState | None) -> None:
        super().initialize(checkpoint)
        self._tell_watchers()

    def channel_disconnected(self) -> None:
        super().channel_disconnected()
        self._stop_watching()
        self._others.leave()
        self._tell_watchers()

    def _tell_watchers(self) -> None:
        for watcher in tuple(self.watchers):
            watcher()
