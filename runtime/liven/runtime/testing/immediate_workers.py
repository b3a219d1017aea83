"""Workers that finish each job at once, so that no test depends on which thread is faster."""

from __future__ import annotations

import threading
from collections.abc import Callable

from liven.runtime.dispatcher.workers import Workers


class ImmediateWorkers(Workers):
    """Runs each job at once in a thread of its own, and waits for it.

    The result arrives in the next turn.
    """

    def run(self, job: Callable[[], object]) -> None:
        thread = threading.Thread(target=job, name="liven-worker", daemon=True)
        thread.start()
        thread.join()
