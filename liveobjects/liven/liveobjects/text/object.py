"""The note as a shared object."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable
from contextlib import suppress

from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.channel.objects.presence import Presence, PresenceClient
from liven.liveobjects.presence.object_presence import ObjectPresence
from liven.liveobjects.presence.participant import local_participant
from liven.liveobjects.shared_object import ChannelObject
from liven.liveobjects.text.caret import CARET, Caret
from liven.liveobjects.text.document import Document
from liven.liveobjects.text.model import Note
from liven.liveobjects.text.undo_codec import decode, encode
from liven.liveobjects.text.wire import is_plain, packed, unpacked
from liven.liveobjects.text.yjs_update import BrokenUpdateError
from liven.runtime.fold.state_proof import Proof
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, ExportedUI, proxy

PLAIN_WRITER = 1
"""The writer of plain texts: every replica must insert them under the same name."""


class TextFold:
    """The text alone, as the channel orders the edits."""

    def __init__(self) -> None:
        self.document = Document()

    def initialize(self, checkpoint: str | None) -> None:
        """Begin with a checkpoint."""
        self.document = Document(None if checkpoint is None else note_state(checkpoint))

    def receive(self, message: str) -> None:
        """Merge an edit. Skip an invalid one, as the object does."""
        with suppress(BrokenUpdateError):
            self.document.merge(note_update(self.document, message))

    def digest(self) -> bytes:
        """Return a hash of characters, looks, and the amount merged from each writer."""
        return _digest(self.document)


@proxy(
    id="E3EA16F4ECC84B3B998E01F3B78E9AC9",
    alias="liven:text",
    view="liven.liveobjects.text.view:make",
)
class TextObject(ChannelObject):
    """A note that several people edit at once."""

    UI: ExportedUI
    presence: Dual[PresenceClient[Caret], Presence[Caret]]
    channel: Dual[CheckpointedClient[str, str], ChannelService[str]]

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.note = Note(lambda update: self._send(packed(update)))
        self.watchers: list[Callable[[], object]] = []
        """Called when another person's caret has moved."""
        self._window = uuid.uuid4()
        self._writing = False
        self._others: ObjectPresence[Caret] = ObjectPresence(
            context, self.presence, CARET, self._carets_changed
        )

    @property
    def carets(self) -> tuple[Caret, ...]:
        """The carets of the others."""
        return tuple(one for one in self._others.others.values() if one.window != self._window)

    def show_caret(self, where: Callable[[], tuple[int, int]]) -> None:
        """Show the others this person's caret and receive theirs. `where` returns the caret and the other
        end of the selection whenever it is sent. A note that nobody works in joins nobody."""
        self._writing = True
        self._others.join("channel")
        self._others.show(lambda: self._caret(*where()))

    def hide_caret(self) -> None:
        """Hide this person's caret."""
        self._writing = False
        self._others.hide()

    def _caret(self, at: int, anchor: int) -> Caret:
        who, shown = local_participant(self.context), self.note.shown
        places = shown.pin(at), shown.pin(anchor)
        return Caret(self._window, who.name, who.colour, *places)

    def shown(self, member: str, value: Caret) -> None:
        self._others.shown(member, value)

    def gone(self, member: str) -> None:
        self._others.gone(member)

    def presence_connected(self) -> None:
        self._others.connected()

    def presence_disconnected(self) -> None:
        self._others.disconnected()

    def channel_connected(self) -> None:
        if self._writing:
            self._others.join("channel")
        self.context.show_beside("channel", Proof(lambda: _digest(self.note.confirmed), TextFold))

    def initialize(self, checkpoint: str | None) -> None:
        """Begin with a checkpoint. An invalid one ends this replica with a problem."""
        state = None if checkpoint is None else note_state(checkpoint)
        self.note.start(state)
        self.ready = True

    def receive(self, message: str) -> None:
        """Apply an edit in the channel's order. Report an invalid one; every replica skips it."""
        try:
            self.note.receive(note_update(self.note.confirmed, message))
        except BrokenUpdateError as error:
            self.context.report(f"an invalid edit was skipped: {error}")

    def checkpoint(self) -> str:
        return packed(self.note.checkpoint())

    def shown_checkpoint(self) -> str:
        """Return the text that is shown, with your own edits that are not confirmed yet."""
        return packed(self.note.shown.whole())

    def undo_data(self) -> bytes:
        return encode(*self.note.steps)

    def restore_undo(self, kept: bytes) -> None:
        self.note.remember(*decode(kept))

    def on_undo_change(self, call: Callable[[], object]) -> None:
        self.note.undo_changed = call

    def channel_disconnected(self) -> None:
        super().channel_disconnected()
        self._others.leave()

    def _carets_changed(self) -> None:
        for watcher in tuple(self.watchers):
            watcher()


def _digest(document: Document) -> bytes:
    merged = repr(document.merged()).encode()
    return hashlib.blake2b(merged, key=document.digest(), digest_size=16).digest()


def note_update(document: Document, message: str) -> bytes:
    """Return the bytes of a message. A plain text replaces the whole note by a change that is the same
    everywhere."""
    return document.replaced(message, PLAIN_WRITER) if is_plain(message) else unpacked(message)


def note_state(checkpoint: str) -> bytes:
    """Return the bytes of a checkpoint, which may be a plain text."""
    if not is_plain(checkpoint):
        return unpacked(checkpoint)
    return Document().replaced(checkpoint, PLAIN_WRITER)
