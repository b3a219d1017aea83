"""Workers that are done before anything else happens, so that no test depends on who is quicker."""

from __future__ import annotations

import threading
from collections.abc import Callable

from liven.runtime.dispatcher.workers import Workers


class ImmediateWorkers(Workers):
    """Does each job when it is given, in a thread of its own as ever, which is waited for. What the job finds
    comes back with the next turn."""

    def run(self, job: Callable[[], object]) -> None:
        thread = threading.Thread(target=job, name="liven-worker", daemon=True)
        thread.start()
        thread.join()
