"""The shared note."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable
from contextlib import suppress

from liven.liveobjects.channel.api.backpressure import check_room
from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.channel.objects.presence import Presence, PresenceClient
from liven.liveobjects.presence.object_presence import Beside
from liven.liveobjects.presence.person import who_is_here
from liven.liveobjects.text.caret import CARET, Caret
from liven.liveobjects.text.document import Document
from liven.liveobjects.text.model import Note
from liven.liveobjects.text.undo_codec import kept, read
from liven.liveobjects.text.wire import is_plain, packed, unpacked
from liven.liveobjects.text.yjs_update import BrokenUpdateError
from liven.runtime.fold.state_proof import Proof
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, ExportedUI, proxy

PLAIN_WRITER = 1
"""Plain texts are taken in by every replica alike, so all must write them in one name."""


class Page:
    """The text alone, as the order makes it."""

    def __init__(self) -> None:
        self.document = Document()

    def initialize(self, checkpoint: str | None) -> None:
        """Begins with a state."""
        self.document = Document(None if checkpoint is None else _state(checkpoint))

    def receive(self, message: str) -> None:
        """Merges an edit; one that cannot be read is passed over, as by the object."""
        with suppress(BrokenUpdateError):
            self.document.merge(_update(self.document, message))

    def digest(self) -> bytes:
        """A hash of characters, look, and how much was merged of whom."""
        return _digest(self.document)


@proxy(
    id="E3EA16F4ECC84B3B998E01F3B78E9AC9",
    alias="liven:text",
    view="liven.liveobjects.text.view:make",
)
class TextObject:
    """A note that all who have it open write at once."""

    UI: ExportedUI
    presence: Dual[PresenceClient[Caret], Presence[Caret]]
    channel: Dual[CheckpointedClient[str, str], ChannelService[str]]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.ready = False
        self.note = Note(self._send)
        self.watchers: list[Callable[[], object]] = []
        """Called when others' carets are elsewhere."""
        self._window = uuid.uuid4()
        self._writing = False
        self._beside: Beside[Caret] = Beside(context, self.presence, CARET, self._carets_changed)

    @property
    def carets(self) -> tuple[Caret, ...]:
        """Where others write."""
        return tuple(one for one in self._beside.others.values() if one.window != self._window)

    def show_caret(self, where: Callable[[], tuple[int, int]]) -> None:
        """Shows the others where one writes, and sees where they do: `where` gives the caret, and the other
        end of what is selected, whenever that is said. A note that only lies there joins nobody."""
        self._writing = True
        self._beside.join("channel")
        self._beside.show(lambda: self._caret(*where()))

    def hide_caret(self) -> None:
        """One does not write here any more."""
        self._writing = False
        self._beside.leave()

    def _caret(self, at: int, anchor: int) -> Caret:
        who, shown = who_is_here(self.context), self.note.shown
        places = shown.pin(at), shown.pin(anchor)
        return Caret(self._window, who.name, who.colour, *places)

    def shown(self, member: str, value: Caret) -> None:
        self._beside.shown(member, value)

    def gone(self, member: str) -> None:
        self._beside.gone(member)

    def presence_connected(self) -> None:
        self._beside.connected()

    def presence_disconnected(self) -> None:
        self._beside.disconnected()

    def channel_connected(self) -> None:
        if self._writing:
            self._beside.join("channel")
        self.context.show_beside("channel", Proof(lambda: _digest(self.note.confirmed), Page))

    def initialize(self, checkpoint: str | None) -> None:
        """The channel's beginning. A checkpoint that cannot be read ends this replica, with a problem."""
        state = None if checkpoint is None else _state(checkpoint)
        self.note.start(state)
        self.ready = True

    def receive(self, message: str) -> None:
        """An edit in the channel's order. One that cannot be read is told, and passed over by all alike."""
        try:
            self.note.receive(_update(self.note.confirmed, message))
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
        self._beside.leave()

    def _carets_changed(self) -> None:
        for watcher in tuple(self.watchers):
            watcher()

    def _send(self, update: bytes) -> None:
        check_room(self.context, "channel")
        self.channel.peer.send(packed(update))


def _digest(document: Document) -> bytes:
    merged = repr(document.merged()).encode()
    return hashlib.blake2b(merged, key=document.digest(), digest_size=16).digest()


def _update(document: Document, message: str) -> bytes:
    """A plain text replaces what there is, by the same change at every replica."""
    return document.replaced(message, PLAIN_WRITER) if is_plain(message) else unpacked(message)


def _state(checkpoint: str) -> bytes:
    if not is_plain(checkpoint):
        return unpacked(checkpoint)
    return Document().replaced(checkpoint, PLAIN_WRITER)
