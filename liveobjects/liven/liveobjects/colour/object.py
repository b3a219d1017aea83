"""Colours as objects: the Color and Color_UI of the original program."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from liven.liveobjects.channel.api.backpressure import check_room
from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient, Value, ValueClient
from liven.liveobjects.shared_object import ChannelObject
from liven.runtime.fold.state_proof import Proof
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, ExportedUI, UInt8, proxy, value

_MOST_STEPS = 200


@value(id="2E5E63EE344A4F709DA9766CDC73CEF2", alias="liven:color")
class Colour:
    """Red, green, blue and opacity."""

    r: UInt8
    g: UInt8
    b: UInt8
    a: UInt8

    @property
    def text(self) -> str:
        """The colour as #rrggbb, for people."""
        return f"#{self.r:02x}{self.g:02x}{self.b:02x}"


FIRST = Colour(128, 128, 128, 255)


@proxy(id="579CBBAB3C7A46E2BD5A91D8A5280FFB", alias="liven:color")
class ColourValue:
    """A constant colour, set in its recipe, as a stream with one value."""

    Endpoint: Dual[Value[Colour], ValueClient[Colour]]

    def __init__(
        self,
        context: Context,
        R: UInt8 = 0,  # noqa: N803 the original's names
        G: UInt8 = 0,  # noqa: N803
        B: UInt8 = 0,  # noqa: N803
        A: UInt8 = 255,  # noqa: N803
    ) -> None:
        self.context = context
        self.colour = Colour(R, G, B, A)

    def get(self) -> Colour:
        return self.colour

    def set(self, value: Colour) -> None:
        self.context.report(f"this colour is constant; {value.text} was ignored")

    def Endpoint_connected(self) -> None:
        self.Endpoint.peer.set(self.colour)


class ColourFold:
    """The colour alone, as the channel orders it."""

    def __init__(self) -> None:
        self.colour = FIRST

    def initialize(self, checkpoint: Colour | None) -> None:
        """Begin with a checkpoint."""
        self.colour = checkpoint or FIRST

    def receive(self, message: Colour) -> None:
        """Apply a message."""
        self.colour = message

    def digest(self) -> bytes:
        """Return the colour as bytes."""
        return _digest(self.colour)


@proxy(
    id="369286FE08334A4BAF34D57BBFFC1D0A",
    alias="liven:color-ui",
    view="liven.liveobjects.colour.view:make",
)
class ColourObject(ChannelObject):
    """A colour that people choose together: the last choice wins."""

    UI: ExportedUI
    channel: Dual[CheckpointedClient[Colour, Colour], ChannelService[Colour]]

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.colour = FIRST
        self.watchers: list[Callable[[], object]] = []
        self._undo: deque[tuple[Colour, Colour]] = deque(maxlen=_MOST_STEPS)
        self._redo: deque[tuple[Colour, Colour]] = deque(maxlen=_MOST_STEPS)

    def choose(self, colour: Colour) -> None:
        """Choose this colour for everybody. It shows once the channel has ordered it. Raise RefusedError
        while the channel is full."""
        if self.ready and colour != self.colour:
            check_room(self.context, "channel")
            self._undo.append((self.colour, colour))
            self._redo.clear()
            self.channel.peer.send(colour)

    def undo(self) -> bool:
        """Return to the colour before your last choice, if your choice still shows."""
        return self._step(self._undo, self._redo)

    def redo(self) -> bool:
        """Choose again what was undone."""
        return self._step(self._redo, self._undo)

    def channel_connected(self) -> None:
        self.context.show_beside("channel", Proof(lambda: _digest(self.colour), ColourFold))

    def initialize(self, checkpoint: Colour | None) -> None:
        self.ready = True
        self._be(checkpoint or FIRST)

    def receive(self, message: Colour) -> None:
        self._be(message)

    def checkpoint(self) -> Colour:
        return self.colour

    def _step(self, these: deque[tuple[Colour, Colour]], those: deque[tuple[Colour, Colour]]) -> bool:
        if self.ready:
            check_room(self.context, "channel")
        while these and self.ready:
            before, after = these.pop()
            if after == self.colour:
                those.append((after, before))
                self.channel.peer.send(before)
                return True
        return False

    def _be(self, colour: Colour) -> None:
        self.colour = colour
        for watcher in tuple(self.watchers):
            watcher()


def _digest(colour: Colour) -> bytes:
    return bytes((colour.r, colour.g, colour.b, colour.a))
