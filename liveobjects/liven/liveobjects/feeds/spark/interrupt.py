"""Ctrl+C during a job on Spark.

pyspark's own handler cancels the jobs by a call to Java from within whatever call it interrupts, which fails
and prints the stacks of both. Here the first Ctrl+C only asks the job to end, from a thread of its own."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def own_interrupts() -> Iterator[None]:
    """Give Ctrl+C back its meaning at the end: pyspark leaves its handler behind."""
    if not _is_main():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def heeded_interrupts(cancel: Callable[[], object]) -> Iterator[None]:
    """Call `cancel` in another thread at the first Ctrl+C; raise KeyboardInterrupt here at the second."""
    if not _is_main():  # only the main thread gets signals
        yield
        return
    asked = threading.Event()

    def interrupted(_number: int, _frame: FrameType | None) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()
        threading.Thread(target=cancel, name="liven-cancel", daemon=True).start()

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()
