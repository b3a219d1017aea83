"""A program that is controlled and queried over pipes, one line at a time."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Mapping

PATIENCE = 40.0


class DrivenProgram:
    """One such process."""

    def __init__(self, command: list[str], environment: Mapping[str, str]) -> None:
        self.patience = PATIENCE
        self.process = subprocess.Popen(
            [sys.executable, *command],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def do(self, order: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(order + "\n")
        self.process.stdin.flush()

    def ask(self, question: str) -> str:
        assert self.process.stdout is not None
        self.do(question)
        return self.process.stdout.readline().rstrip("\n")

    def until(self, question: str, good: Callable[[str], bool] | str) -> str:
        """Ask until the answer is right; fail with the last answer."""
        end = time.monotonic() + self.patience
        wanted = (lambda answer: answer == good) if isinstance(good, str) else good
        while not wanted(answer := self.ask(question)):
            assert time.monotonic() < end, f"{question}: {answer!r}"
            assert self.process.poll() is None, f"the program ended with {self.process.returncode}"
            time.sleep(0.1)
        return answer
