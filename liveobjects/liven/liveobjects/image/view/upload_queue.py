"""Giving pictures to the images that were just laid down for them.

An image begins empty, like every object; what it shows comes to it over its channel. Whoever dropped the
picture holds the image until all have it, also when it is out of view by then. One that does not go on makes
way for those that wait.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPointF

from liven.liveobjects.image.view.dropped_pictures import Offered
from liven.liveobjects.image.view.upload_job import LayDown, UploadJob
from liven.liveobjects.view.contract import ViewHost
from liven.runtime.objects.context import Context
from liven.runtime.objects.proxy import ProxyHandle

AT_ONCE = 3
"""So many pictures are read and sent at one time; the others wait for their turn."""
MOST_LATE = 3
"""So many that are late are waited for still; of more, the oldest is given up: each is a whole picture."""
MOST = 500
"""Pictures that are taken at one go."""
_STEP = 28.0
"""How far one of several pictures lies from the next."""


class Giving:
    """The pictures that are on their way to images of one desktop or folder."""

    def __init__(
        self,
        context: Context,
        host: ViewHost,
        keep: int = 0,
        changed: Callable[[], object] = lambda: None,
    ) -> None:
        """So many images are held on to when they have their pictures, where nobody else runs them yet.
        `changed` is called when others are read than before."""
        self._changed = changed
        self._context = context
        self._host = host
        self._kept: deque[ProxyHandle] = deque(maxlen=keep)
        self._waiting: deque[UploadJob] = deque()
        self._busy: list[UploadJob] = []
        self._late: list[UploadJob] = []

    @property
    def busy(self) -> int:
        """How many have a turn now."""
        return len(self._busy)

    @property
    def unread(self) -> list[UploadJob]:
        """Those of which nothing lies there yet, for they are read or wait for that."""
        return [one for one in (*self._late, *self._busy, *self._waiting) if not one.is_read]

    def stop(self) -> bool:
        """Stops all that are on their way, and says so; false if none is."""
        unread, under_way = len(self.unread), [*self._late, *self._busy]
        self._waiting.clear()
        for gift in under_way:
            gift.stop()
        if unread:
            self._host.show_message(
                f"Stopped: {_many(unread)} not laid down. Nothing here has changed by that."
            )
        return bool(under_way)

    def close(self) -> None:
        """Holds on to none any more."""
        while self._kept:
            self._kept.popleft().close()

    def take(self, offered: list[Offered], lay_down: LayDown, spot: QPointF | None = None) -> None:
        """Reads pictures, beside the loop, lays an image down for each, and gives it the picture; the first
        at `spot`, where somebody pointed to one."""
        if len(offered) > MOST:
            self._host.show_message(f"These are {len(offered):,} pictures; {MOST} are the most at one go.")
            return
        for number, one in enumerate(offered):
            at = QPointF(_STEP * number, _STEP * number)
            there = None if spot is None else spot + at
            self._waiting.append(UploadJob(self._context, self._host, one, at, lay_down, there))
        self._go_on()

    def _go_on(self) -> None:
        """A few at a time: of hundreds of photographs, no memory holds all."""
        while self._waiting and len(self._busy) < AT_ONCE and not self._context.ended:
            gift = self._waiting.popleft()
            self._busy.append(gift)
            gift.over = partial(self._over, gift)
            gift.late = partial(self._came_late, gift)
            gift.read = self._changed
            gift.begin()
        self._changed()

    def _over(self, gift: UploadJob, handle: ProxyHandle | None) -> None:
        for gifts in (self._busy, self._late):
            if gift in gifts:
                gifts.remove(gift)
        if handle is not None:
            self._keep(handle)
        self._go_on()

    def _came_late(self, gift: UploadJob) -> None:
        """It goes on when it can; its turn is another's."""
        self._busy.remove(gift)
        self._late.append(gift)
        self._host.show_message(gift.why_late)
        if len(self._late) > MOST_LATE:
            self._late[0].give_up()
        self._go_on()

    def _keep(self, handle: ProxyHandle) -> None:
        if len(self._kept) == self._kept.maxlen:
            oldest = self._kept.popleft() if self._kept else handle
            oldest.close()
            if oldest is handle:
                return
        self._kept.append(handle)


def _many(pictures: int) -> str:
    return "1 picture was" if pictures == 1 else f"{pictures} pictures were"
