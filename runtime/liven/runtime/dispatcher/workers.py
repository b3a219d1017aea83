"""Workers: a few threads for blocking work. They touch no object; their results are posted back."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

MOST_THREADS = 16
_IDLE_SECONDS = 5.0


class Workers:
    """Runs jobs in daemon threads, started when needed and ended when idle. A job must not raise."""

    def __init__(self, most: int = MOST_THREADS) -> None:
        self._most = most
        self._jobs: deque[Callable[[], object]] = deque()
        self._changed = threading.Condition()
        self._idle = 0
        self.threads = 0

    def run(self, job: Callable[[], object]) -> None:
        """Run `job` soon, in the order of the requests, with a limited number at a time."""
        with self._changed:
            self._jobs.append(job)
            if self._idle >= len(self._jobs) or self.threads >= self._most:
                self._changed.notify()
                return
            self.threads += 1
        threading.Thread(target=self._work, name="liven-worker", daemon=True).start()

    def _work(self) -> None:
        while (job := self._next()) is not None:
            job()
            del job  # an idle thread must keep nothing alive

    def _next(self) -> Callable[[], object] | None:
        with self._changed:
            self._idle += 1
            wanted = self._changed.wait_for(lambda: self._jobs, _IDLE_SECONDS)
            self._idle -= 1
            if wanted:
                return self._jobs.popleft()
            self.threads -= 1
            return None
