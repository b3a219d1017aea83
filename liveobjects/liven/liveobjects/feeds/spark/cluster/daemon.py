"""One of Spark's processes that keep running, such as a master or a worker."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from liven.liveobjects.feeds.spark.virtual_machine import NoSparkError, reason_of_end
from liven.runtime.files import read_regular

_BOUND_EXEC: Final = "liven.liveobjects.feeds.spark.cluster.bound_exec"
_LONGEST_LOG: Final = 16 << 20
_LOOK_EVERY: Final = 0.02
_END_WITHIN: Final = 15.0


@dataclass(frozen=True, slots=True)
class Daemon:
    """A running process. It ends when the thread that started it does."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    @classmethod
    def start(
        cls,
        name: str,
        command: Sequence[str],
        log: Path,
        environment: Mapping[str, str],
        keep: Sequence[int] = (),
    ) -> Daemon:
        """Start it. Its output goes to the file `log`, and it holds the descriptors in `keep`."""
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", _BOUND_EXEC, str(os.getpid()), *command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=dict(environment),
                pass_fds=keep,
                process_group=0,  # Ctrl+C in a terminal is for us, and we end it in order
            )
        return cls(name, process, log)

    @property
    def running(self) -> bool:
        """True until it has ended."""
        return self.process.poll() is None

    def wait_for(self, pattern: str, within: float) -> re.Match[str]:
        """Return the first match in its messages; raise NoSparkError if it ends or takes too long."""
        limit = time.monotonic() + within
        while True:
            ended = not self.running  # looked at first, as the message may be its last
            found = re.search(pattern, self._messages())
            if found:
                return found
            if ended:
                raise NoSparkError(f"the {self.name} did not start: {self.reason_of_end()}")
            if time.monotonic() > limit:
                raise NoSparkError(
                    f"the {self.name} was not ready after {within:.0f} s; its messages: {self.log}"
                )
            time.sleep(_LOOK_EVERY)

    def reason_of_end(self) -> str:
        """Return the sentence for a process that ended unasked."""
        return reason_of_end(self.process.poll(), self.log)

    def ask_to_end(self) -> None:
        """Ask it to end in order."""
        if self.running:
            self.process.terminate()

    def end(self, within: float = _END_WITHIN) -> None:
        """End it, by force if it takes too long."""
        self.ask_to_end()
        try:
            self.process.wait(within)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _messages(self) -> str:
        return read_regular(self.log, _LONGEST_LOG).decode(errors="replace")
