"""The queue of dropped pictures on their way into new images.

An image begins empty, like every object, and receives its content over its channel. The program in which the
picture was dropped keeps the image open until everybody has the picture, even out of view. A job without
progress makes way for the waiting ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPointF

from liven.liveobjects.image.view.dropped_pictures import DroppedPicture
from liven.liveobjects.image.view.upload_job import AddImage, UploadJob
from liven.liveobjects.view.contract import ViewHost
from liven.runtime.objects.context import Context
from liven.runtime.objects.proxy import ProxyHandle

AT_ONCE = 3
"""The most pictures that are read and sent at one time."""
MOST_LATE = 3
"""The most late jobs to wait for; beyond that the oldest is given up, since each holds a whole picture in
memory."""
MOST = 500
"""The most pictures in one drop."""
_STEP = 28.0
"""The offset between two pictures of one drop."""


class UploadQueue:
    """The uploads of one desktop or folder."""

    def __init__(
        self,
        context: Context,
        host: ViewHost,
        keep: int = 0,
        changed: Callable[[], object] = lambda: None,
    ) -> None:
        """Keep up to `keep` finished images open while nobody else runs them. `changed` is called when the
        set of pictures being read changes."""
        self._changed = changed
        self._context = context
        self._host = host
        self._kept: deque[ProxyHandle] = deque(maxlen=keep)
        self._waiting: deque[UploadJob] = deque()
        self._busy: list[UploadJob] = []
        self._late: list[UploadJob] = []

    @property
    def busy(self) -> int:
        """The number of running jobs."""
        return len(self._busy)

    @property
    def unread(self) -> list[UploadJob]:
        """The jobs whose images do not exist yet: being read, or waiting for that."""
        return [one for one in (*self._late, *self._busy, *self._waiting) if not one.is_read]

    def stop(self) -> bool:
        """Stop all jobs and say so. Return false if there is none."""
        unread, under_way = len(self.unread), [*self._late, *self._busy]
        empty = sum(job.is_read for job in self._waiting)
        self._waiting.clear()
        for job in under_way:
            job.stop()
        if unread:
            self._host.show_message(f"Stopped: {_many(unread)} not added. Nothing has changed here.")
        if empty:
            self._host.show_message(f"Stopped: {_many(empty)} not sent; its image stays empty.")
        return bool(under_way)

    def close(self) -> None:
        """Release all images."""
        while self._kept:
            self._kept.popleft().close()

    def take(self, dropped: list[DroppedPicture], add_image: AddImage, spot: QPointF | None = None) -> None:
        """Read pictures in workers, add an image for each, and upload them; the first one at `spot` if a
        place was pointed at."""
        if len(dropped) > MOST:
            self._host.show_message(f"{len(dropped):,} pictures at once are too many; the limit is {MOST}.")
            return
        for number, one in enumerate(dropped):
            at = QPointF(_STEP * number, _STEP * number)
            there = None if spot is None else spot + at
            self._waiting.append(UploadJob(self._context, self._host, one, at, add_image, there))
        self._go_on()

    def _go_on(self) -> None:
        """Start a few jobs at a time: hundreds of photographs would not fit in memory."""
        while self._waiting and len(self._busy) < AT_ONCE and not self._context.ended:
            job = self._waiting.popleft()
            self._busy.append(job)
            job.over = partial(self._over, job)
            job.late = partial(self._came_late, job)
            job.read = self._changed
            job.begin()
        self._changed()

    def _over(self, job: UploadJob, handle: ProxyHandle | None) -> None:
        for jobs in (self._busy, self._late):
            if job in jobs:
                jobs.remove(job)
        if handle is not None:
            self._keep(handle)
        self._go_on()

    def _came_late(self, job: UploadJob) -> None:
        """Give the turn of a stalled job to another one; it continues when it can."""
        self._busy.remove(job)
        self._late.append(job)
        self._host.show_message(job.why_late)
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
