"""Syntax trees are made in several threads at once, as when two windows open new code."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator

import pytest

from liven.runtime.library.trial.syntax_tree import parsed

CODE = b"\n".join(
    b"def f%d(a, b=[1, (2, 3)]):\n    return {x: (y + 1) * 2 for x, y in zip(a, b) if x > %d}"
    % (number, number)
    for number in range(300)
)


class Slow:
    """Garbage that runs code when it is collected, which lets other threads run."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        for _ in range(20):
            pass


@pytest.fixture
def restless() -> Iterator[None]:
    """Switch threads and collect garbage as often as possible."""
    switch, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(50, 2, 2)
    yield
    sys.setswitchinterval(switch)
    gc.set_threshold(*thresholds)


@pytest.mark.usefixtures("restless")
def test_several_threads_read_trees_at_once() -> None:
    faults: list[Exception] = []

    def read() -> None:
        for _ in range(8):
            kept = [Slow() for _ in range(50)]
            del kept
            try:
                assert len(parsed(CODE, "many.py").body) == 300
            except SystemError as error:
                faults.append(error)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
