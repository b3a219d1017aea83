"""The upload of a picture: slice after slice, a few in flight at a time.

Other people's changes go between the slices, so a large picture delays nobody. The next slice is sent when
one has come back, so the channel is never overloaded."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Final

from liven.liveobjects.image.model import LONGEST_NAME, SLICE
from liven.liveobjects.image.picture_header import Header
from liven.liveobjects.image.state import Abandon, Album, Begin, Change, Show, Slice
from liven.runtime.errors import CallFailedError
from liven.runtime.fold import Editor, RefusedError
from liven.runtime.objects.reply import Reply

AT_ONCE: Final = 4
"""The most slices in flight, and the most gestures per turn of the event loop."""


class Upload:
    """One picture being sent. `done` is settled when everybody sees it, or with the reason why that
    failed."""

    def __init__(
        self,
        editor: Editor[Album, Change],
        data: bytes,
        name: str,
        header: Header,
        later: Callable[[Callable[[], object]], object],
    ) -> None:
        self.done: Reply[None] = Reply(self.cancel)
        self.name = name[:LONGEST_NAME]
        self._editor = editor
        self._data = data
        self._later = later
        self._begun = self._asked_to_show = self._busy = False
        self._about = Begin(uuid.uuid4().hex, self.name, header.kind, header.width, header.height, len(data))

    def go_on(self) -> None:
        """Send as many slices as there is room for. Called at the start and whenever a slice has come
        back."""
        if self._busy:
            return
        self._busy = True
        try:
            for _ in range(AT_ONCE):
                if self.done.settled or not self._step():
                    return
            self._later(self.go_on)
        except RefusedError as why:
            self._fail(str(why))
        finally:
            self._busy = False

    def cancel(self) -> None:
        """Stop sending and tell the other replicas."""
        if self.done.settled or self._asked_to_show:
            return
        self._fail("it was cancelled")
        if self._begun and self._about.picture in self._editor.state.pictures:
            self._editor.also("Stop sending", Abandon(self._about.picture))

    def fail(self, why: str) -> None:
        """End the upload with an error."""
        self._fail(why)

    def _step(self) -> bool:
        """Take the next step. Return false if it must wait for a slice to come back."""
        key = self._about.picture
        if not self._begun:
            self._begun = True
            self._editor.also(f"Send {self.name}", self._about)
            return True
        if self._asked_to_show:
            if not self._editor.pending or self._editor.confirmed.shown == key:
                self.done.resolve(None)
            return False
        picture = self._editor.state.pictures.get(key)
        if picture is None:
            self._fail("newer pictures replaced it")
            return False
        if not picture.whole:
            return self._send_slice(picture.got)
        confirmed = self._editor.confirmed.pictures.get(key)
        if confirmed is None or not confirmed.whole:
            return False
        self._asked_to_show = True
        self._editor.edit(f"Show {self.name or 'a picture'}", Show(key))
        return True

    def _send_slice(self, at: int) -> bool:
        if self._editor.pending >= AT_ONCE:
            return False
        self._editor.also("Send", Slice(self._about.picture, at, self._data[at : at + SLICE]))
        return True

    def _fail(self, why: str) -> None:
        self.done.fail(CallFailedError(f"{self.name or 'the picture'} was not added: {why}"))
