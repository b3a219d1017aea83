"""Sending a picture: slice after slice, a few on their way at a time.

What others do goes between the slices, so a large picture keeps nobody waiting; and since the next slice goes
out when one has come back, the channel is never given more than it carries.
"""

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
"""Slices on their way at one time, and gestures made in one turn."""


class Sending:
    """One picture on its way. `done` is settled when all see it, or with the reason why they never will."""

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
        """Sends what there is room for; called when it may begin, and whenever something came back."""
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
        """Sends no more of it, and tells the others."""
        if self.done.settled or self._asked_to_show:
            return
        self._fail("it was cancelled")
        if self._begun and self._about.picture in self._editor.state.pictures:
            self._editor.also("Stop sending", Abandon(self._about.picture))

    def fail(self, why: str) -> None:
        """It cannot go on."""
        self._fail(why)

    def _step(self) -> bool:
        """Does the next thing; false when there is nothing to do before something comes back."""
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
            self._fail("newer pictures took its place")
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
        self.done.fail(CallFailedError(f"{self.name or 'the picture'} was not put in: {why}"))
