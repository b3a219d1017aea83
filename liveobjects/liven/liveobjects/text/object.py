"""The shared note."""

from __future__ import annotations

from collections.abc import Callable

from liven.liveobjects.channel.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.text.document import BrokenUpdateError, Document
from liven.liveobjects.text.note import Note
from liven.liveobjects.text.undo_wire import kept, read
from liven.liveobjects.text.wire import is_plain, packed, unpacked
from liven.runtime.context import Context
from liven.types.declare import Dual, ExportedUI, proxy

PLAIN_WRITER = 1
"""Plain texts are taken in by every replica alike, so all must write them in one name."""


@proxy(
    id="E3EA16F4ECC84B3B998E01F3B78E9AC9",
    alias="liven:text",
    view="liven.liveobjects.text.view:make",
)
class TextObject:
    """A note that all who have it open write at once."""

    UI: ExportedUI
    channel: Dual[CheckpointedClient[str, str], ChannelService[str]]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.ready = False
        self.note = Note(self._send)

    def initialize(self, checkpoint: str | None) -> None:
        """The channel's beginning. A checkpoint that cannot be read ends this replica, with a problem."""
        state = None if checkpoint is None else _state(checkpoint)
        self.note.start(state)
        self.ready = True

    def receive(self, message: str) -> None:
        """An edit in the channel's order. One that cannot be read is told, and passed over by all alike."""
        try:
            self.note.receive(self._update(message))
        except BrokenUpdateError as error:
            self.context.report(f"somebody's edit was passed over: {error}")

    def checkpoint(self) -> str:
        return packed(self.note.checkpoint())

    def kept_undo(self) -> bytes:
        return kept(*self.note.steps)

    def take_undo(self, kept: bytes) -> None:
        self.note.remember(*read(kept))

    def when_undo_changes(self, call: Callable[[], object]) -> None:
        self.note.undo_changed = call

    def channel_disconnected(self) -> None:
        self.ready = False

    def _update(self, message: str) -> bytes:
        """A plain text replaces what there is, by the same change at every replica."""
        if not is_plain(message):
            return unpacked(message)
        confirmed = self.note.confirmed
        return confirmed.replaced(message, PLAIN_WRITER)

    def _send(self, update: bytes) -> None:
        self.channel.peer.send(packed(update))


def _state(checkpoint: str) -> bytes:
    if not is_plain(checkpoint):
        return unpacked(checkpoint)
    return Document().replaced(checkpoint, PLAIN_WRITER)
