"""The store of one process: when the shared log is written, forced to disk and compacted.

Writes are immediate, forcing runs in a worker. When the disk is full or fails, people see one problem until
it works again. Meanwhile writes wait in memory, up to a bound, and nothing is reported as durable.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from liven.liveobjects.channel.store.channel_store import ChannelStore
from liven.liveobjects.channel.store.other_processes import OtherProcesses
from liven.liveobjects.channel.store.place import FolderPlace
from liven.liveobjects.channel.store.records import Record, StoreFullError, Sync, key_of
from liven.liveobjects.channel.store.reserve import Reserve
from liven.liveobjects.channel.store.shared_log import SharedLog, is_tear
from liven.runtime.dispatcher.dispatcher import Dispatcher
from liven.runtime.problems import Kind, Problem, Report

SOON_SECONDS: Final = 0.2
"""Seconds until written data is forced to disk with `Sync.SOON`."""
RETRY_SECONDS: Final = 5.0
"""Seconds between two attempts to write to a failing disk."""
RECORD_SECONDS: Final = 60.0
"""Seconds after which a log in use records anew where it ends, so that an older copy of it is recognized."""
WAITING_MOST: Final = 64 * 1024 * 1024
"""Bytes that may wait in memory for a failing disk."""
Run: TypeAlias = Callable[[Callable[[], object]], object]
"""Runs a job elsewhere, soon. The job must not raise."""
_WHERE: Final = ("channels", "store")


class Store:
    """The store of all channels of one process."""

    def __init__(
        self,
        folder: Path,
        dispatcher: Dispatcher,
        run: Run,
        report: Report,
        *,
        sync: Sync = Sync.SOON,
        other_processes: OtherProcesses | None = None,
    ) -> None:
        self._dispatcher = dispatcher
        self._run = run
        self._report = report
        self._waiting: deque[tuple[Record, ...]] = deque()
        self._waiting_bytes = 0
        self._unsynced: list[Record] = []
        self._callbacks: deque[tuple[int, Callable[[], object]]] = deque()
        self._written = 0
        self._durable = 0
        self._syncing = self._timer = self._ill = self._closed = False
        self._doubtful = False
        """True if the disk may have lost `_unsynced`, so that forcing it again proves nothing."""
        self._trying: list[Callable[[], object]] = []
        self._reserve = Reserve(folder)
        self.failing = False
        """True while the disk refuses data that waits for it."""
        self._open: dict[bytes, ChannelStore] = {}
        self.sync = sync
        self.other_processes = other_processes
        """The logs of the user's other processes; None for a store on its own."""
        self.log = SharedLog(folder)
        self._reserve.fill()
        self._place = FolderPlace.settled(folder, self.log.segments.end)
        self._recorded_at = dispatcher.now()
        if self.log.damaged_parts and not is_tear(self.log.damaged_parts):
            places = ", ".join(
                f"{scar.segment:08x} at {scar.damage.offset}" for scar in self.log.damaged_parts
            )
            self._tell(f"parts of the log in {folder} are damaged: {places}", "the readable parts were kept")

    @property
    def place(self) -> bytes:
        """The identity of the folder, as long as it stays where it is: a copy has another one."""
        return self._place.identity

    def names(self) -> list[str]:
        """Return the channels in the store."""
        self.flush()
        return self.log.names()

    def keeps(self, name: str) -> bool:
        """True if anything of a channel is stored, without reading it."""
        self.flush()
        index = self.log.channels.get(key_of(name))
        return index is not None and index.name is not None

    def open(self, name: str) -> ChannelStore:
        """Return the store of one channel; the same object for repeated calls."""
        key = key_of(name)
        known = self._open.get(key)
        if known is None:
            known = self._open[key] = ChannelStore(self, self.log, key, name)
        return known

    def write(self, records: Sequence[Record]) -> None:
        """Append records, all or none, for its channels. Raises StoreFullError if no more may wait.

        Unless every write is forced at once, records are written at the end of the turn, after objects have
        received. Nothing is reported as durable before.
        """
        size = sum(len(record.payload) for record in records)
        if self._waiting_bytes + size > WAITING_MOST:
            self.flush()
        if self._waiting and self._waiting_bytes + size > WAITING_MOST:
            raise StoreFullError(f"the disk takes no data, and {self._waiting_bytes / 1e6:.1f} MB wait")
        self._written += 1
        self._waiting.append(tuple(records))
        self._waiting_bytes += size
        if len(self._waiting) > 1:
            return
        if self.sync is Sync.SOON:
            self._dispatcher.call_soon(self._drain)
        else:
            self._drain()

    def write_at_once(self, records: Sequence[Record], done: Callable[[], object]) -> None:
        """Write records ahead of data that the disk refuses, into space that was kept for that. `done` is
        called when they are on disk. Raises StoreFullError like `write`."""
        if self.failing and not self._doubtful and self._has_written_ahead(records):
            self._force(done, lambda: self._write_in_turn(records, done))
        else:
            self._write_in_turn(records, done)

    def _write_in_turn(self, records: Sequence[Record], done: Callable[[], object]) -> None:
        self.write(records)
        self.when_durable(done)

    def _has_written_ahead(self, records: Sequence[Record]) -> bool:
        self._reserve.release()
        try:
            self.log.write(records)
        except OSError:
            return False
        return True

    def _force(self, done: Callable[[], object], failed: Callable[[], object]) -> None:
        """Force everything written to disk, in a worker."""
        job = self.log.segments.sync_job()

        def work() -> None:
            try:
                if self.sync is not Sync.NEVER:
                    job()
            except OSError:
                self._dispatcher.post(failed)
            else:
                self._dispatcher.post(done)

        self._run(work)

    def flush(self) -> None:
        """Write what waits for the end of the turn. Data that the disk refused waits until it works again."""
        if self._waiting and not self._ill:
            self._drain()

    def waiting(self, channel: bytes) -> list[Record]:
        """Return the records of a channel that wait for a disk which refuses them, oldest first."""
        return [each for records in self._waiting for each in records if each.channel == channel]

    def when_durable(self, callback: Callable[[], object]) -> None:
        """Call back when everything written so far was forced to disk, as the policy requires."""
        self._callbacks.append((self._written, callback))
        self._settle()

    def put_aside(self, job: Callable[[bool], bytes], done: Callable[[bytes | None], object]) -> None:
        """Write a file in a worker. `done` gets the pointer, or None after a problem was reported."""

        def work() -> None:
            try:
                pointer = job(self.sync is not Sync.NEVER)
            except OSError as error:
                text = str(error)
                self._dispatcher.post(lambda: self._failed(text, done))
            else:
                self._dispatcher.post(lambda: done(pointer))

        self._run(work)

    def close(self) -> None:
        """Write and force everything to disk, and close the files."""
        if self._closed:
            return
        if self._doubtful:
            self._rewrite()
        else:
            self._drain()
        self._closed = True
        if not self._waiting and self.sync is not Sync.NEVER:
            try:
                self.log.segments.sync_job()()
            except OSError as error:
                self._tell(
                    f"the log could not be forced to the disk: {error}", "the last changes may be lost"
                )
        self._place.record(self.log.segments.end)
        self.log.close()

    def _failed(self, text: str, done: Callable[[bytes | None], object]) -> None:
        self._tell(
            f"a checkpoint could not be written: {text}", "the previous one and all operations are safe"
        )
        done(None)

    def _drain(self) -> None:
        """Write waiting records until the disk refuses."""
        if self._closed:
            return
        while self._waiting:
            records = self._waiting[0]
            try:
                self.log.write(records)
            except OSError as error:
                self._report_failure(f"cannot write to the log of channels: {error}")
                return
            self._waiting.popleft()
            self._waiting_bytes -= sum(len(record.payload) for record in records)
            if self.sync is not Sync.NEVER:
                self._unsynced += records
        self._ill = self._ill and (self._doubtful or bool(self._waiting))
        self._tell_channels()
        self._compact()
        self._sync_some_time()

    def _compact(self) -> None:
        try:
            self.log.compact()
        except OSError as error:
            self._report_failure(f"cannot compact the log of channels: {error}")
        copied, self.log.copied = self.log.copied, []
        if self.sync is not Sync.NEVER:
            self._unsynced += copied
        else:
            self.log.remove_dead(list(self.log.dead_segments), self.log.orphans)
            self.log.orphans.clear()
            self._durable = self._written - len(self._waiting)
            self._settle()

    def _sync_some_time(self) -> None:
        if self.sync is Sync.NEVER or self._syncing or self._timer or self._doubtful or not self._unsynced:
            return
        if self.sync is Sync.EACH:
            self._sync()
        else:
            self._timer = True
            self._dispatcher.call_later(SOON_SECONDS, self._sync)

    def _sync(self) -> None:
        self._timer = False
        if self._closed:
            return
        self._syncing = True
        upto = self._written - len(self._waiting)
        records, self._unsynced = self._unsynced, []
        dead_segments, orphans = list(self.log.dead_segments), list(self.log.orphans)
        self.log.orphans.clear()
        job, end = self.log.segments.sync_job(), self.log.segments.end
        is_recorded = self._dispatcher.now() < self._recorded_at + RECORD_SECONDS
        if not is_recorded:
            self._recorded_at = self._dispatcher.now()

        def work() -> None:
            try:
                job()
                if not (is_recorded or self._closed):
                    self._place.record(end)
            except OSError as error:
                text = str(error)
                self._dispatcher.post(lambda: self._not_synced(records, orphans, text))
            else:
                self._dispatcher.post(lambda: self._synced(upto, dead_segments, orphans))

        self._run(work)

    def _synced(self, upto: int, dead_segments: list[int], orphans: list[tuple[bytes, int]]) -> None:
        self._syncing = False
        self._durable = upto
        if not self._closed:
            self.log.remove_dead(dead_segments, orphans)
        self._settle()
        self._sync_some_time()

    def _not_synced(self, records: list[Record], orphans: list[tuple[bytes, int]], text: str) -> None:
        """Write everything again elsewhere: after a failure, nobody knows what is on disk."""
        self._syncing = False
        self._doubtful = True
        self._unsynced = records + self._unsynced
        self.log.orphans += orphans
        self._report_failure(f"the disk did not take the log of channels: {text}", again=self._rewrite)

    def _rewrite(self) -> None:
        try:
            self.log.rewrite(self._unsynced)
        except OSError as error:
            self._report_failure(f"cannot write to the log of channels: {error}", again=self._rewrite)
        else:
            self._doubtful = False
            self._drain()

    def _report_failure(self, what: str, again: Callable[[], object] | None = None) -> None:
        """Report one problem until the disk works again, and retry after a while."""
        if not self._ill:
            self._tell(what, "free some space; until then others confirm changes without this computer")
        self._ill = True
        self._tell_channels()
        again = again or self._drain
        if again not in self._trying:
            self._trying.append(again)
            self._dispatcher.call_later(RETRY_SECONDS, lambda: self._try(again))

    def _tell_channels(self) -> None:
        """Tell the channels if the disk began to refuse data, or takes it again."""
        failing = self._ill and (self._doubtful or bool(self._waiting))
        if failing != self.failing:
            self.failing = failing
            if not failing:
                self._reserve.fill()
            for channel in list(self._open.values()):
                channel.disk_changed()

    def _try(self, again: Callable[[], object]) -> None:
        self._trying.remove(again)
        if not self._closed:
            again()

    def _settle(self) -> None:
        while self._callbacks and self._callbacks[0][0] <= self._durable:
            self._callbacks.popleft()[1]()

    def _tell(self, what: str, advice: str) -> None:
        self._report(Problem(Kind.RAISED, _WHERE, what, advice))
