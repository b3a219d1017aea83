"""A store that a test can close, break and open again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from liven.liveobjects.channel.store import Store, Sync
from liven.runtime.problems import Problem
from liven.runtime.testing import HandCranked


class BreakableStore:
    """A folder with a store in it. Jobs of workers run when the crank is turned, or when a test calls
    `work`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.problems: list[Problem] = []
        self.crank = HandCranked(self.problems.append)
        self.jobs: list[Callable[[], object]] = []
        self.held = False
        self._stores: list[Store] = []

    def open(self, sync: Sync = Sync.EACH) -> Store:
        """Open the store, as a starting process does."""
        store = Store(self.folder, self.crank, self._run, self.problems.append, sync=sync)
        self._stores.append(store)
        return store

    def crash(self) -> None:
        """End every process without notice."""
        for store in self._stores:
            store.log.close()
        self._stores.clear()
        self.crank = HandCranked(self.problems.append)
        self.jobs.clear()

    def again(self, sync: Sync = Sync.EACH) -> Store:
        """Open the store after a crash."""
        self.crash()
        return self.open(sync)

    def work(self) -> None:
        """Run the jobs of workers."""
        while self.jobs:
            self.jobs.pop(0)()
        self.crank.settle()

    def _run(self, job: Callable[[], object]) -> None:
        if self.held:
            self.jobs.append(job)
        else:
            job()
