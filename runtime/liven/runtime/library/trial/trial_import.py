"""The first import of new code, in a child process, which contains exits, crashes,
loops and memory exhaustion.

`probe` starts the child and waits; the child imports the bundle, scans it, and writes down what it declares.
Run as a module, this file is the child.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from liven.runtime.library.errors import CodeError, UnfinishedError, UnprotectedError
from liven.runtime.library.fetching.bundle import DATA
from liven.runtime.library.store import Installed
from liven.runtime.library.trial.probe_report import (
    Declared,
    ProbeReport,
    ProbeReportError,
    parsed,
    read_report,
)
from liven.runtime.sandbox import Protection
from liven.runtime.sandbox.environment import clean_environment
from liven.runtime.sandbox.kernel_calls import end_with_parent
from liven.runtime.sandbox.limits import Limits

SECONDS = 5
"""Seconds of processor time, which stop a loop. A busy machine is no reason to refuse code."""
PATIENCE = 25.0
"""Seconds by the clock, which stop code that waits for something, because a person waits for it."""
MEMORY = 2 << 30
"""Bytes of address space that the child may take: Python with numpy takes half of it."""
_MOST_OUTPUT = 4 << 20


def probe(
    installed: Installed, *, seconds: int = SECONDS, patience: float = PATIENCE, memory: int = MEMORY
) -> tuple[Declared, ...]:
    """Return the declarations of the library; raise CodeError, with the reason,
    if its code cannot be imported. One that a recipe brought is confined while it is imported."""
    if installed.fetched and (missing := Protection.of_this_kernel().missing):
        raise UnprotectedError(installed.library, missing)
    with tempfile.TemporaryFile() as answer, tempfile.TemporaryFile() as errors:
        confined = "confined" if installed.fetched else "free"
        words = [str(installed.path), str(memory), str(seconds), str(answer.fileno()), confined]
        child = subprocess.Popen(
            [sys.executable, "-P", "-X", "faulthandler", "-m", __name__, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            pass_fds=(answer.fileno(),),
            start_new_session=True,
            env=clean_environment(os.environ) if installed.fetched else None,
        )
        try:
            code: int | None = child.wait(patience)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            _end(child)
        late = _late(code, seconds, patience)
        if late:
            reason = f"importing it {late}; `liven library verify` tries again"
            raise UnfinishedError(installed.library, reason, _tail(errors))
        assert code is not None
        return _answer(installed, code, _tail(answer), _tail(errors))


def _late(code: int | None, seconds: int, patience: float) -> str:
    """Return which time limit was exceeded; empty if the child ended otherwise."""
    if code is None:
        return f"did not end within {patience:g} seconds"
    return f"took more than {seconds} seconds of processor time" if code == -signal.SIGXCPU else ""


def _end(child: subprocess.Popen[bytes]) -> None:
    """End the child and every process it started, even if it ended by itself."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        child.kill()
    child.wait()


def _tail(stream: Any) -> str:
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - _MOST_OUTPUT))
    return bytes(stream.read()).decode("utf-8", "replace")


def _answer(installed: Installed, code: int, told: str, errors: str) -> tuple[Declared, ...]:
    if code < 0:
        raise CodeError(installed.library, f"importing it crashed Python ({_signal(-code)})", errors)
    try:
        answer = read_report(parsed(told))
    except ProbeReportError as error:
        ended = f"importing it ended the program (exit code {code})"
        spoiled = f"importing it corrupted the report of the child process: {error}"
        reason = ended if code or not told.strip() else spoiled
        raise CodeError(installed.library, reason, errors) from None
    if answer.problem:
        raise CodeError(installed.library, answer.problem, answer.detail)
    return answer.declares


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a signal without a name
        return f"signal {number}"


def main(path: str, memory: str, seconds: str, answer: str, confined: str) -> int:
    """Run as the child: import, scan, report."""
    _limit(int(memory), int(seconds))
    if confined == "confined":
        end_with_parent(signal.SIGKILL)
        Protection.of_this_kernel().confine([Path(path)], [], Limits(memory=int(memory)))
    told = _told(Path(path))
    with os.fdopen(int(answer), "w", encoding="utf-8") as stream:
        json.dump(told.as_record(), stream)
    return 0


def _limit(memory: int, seconds: int) -> None:
    try:
        import resource
    except ImportError:  # not a Unix: only the clock stops it
        return
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_MOST_OUTPUT, _MOST_OUTPUT))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _told(path: Path) -> ProbeReport:
    from liven.runtime.library.trial.declarations import declared_by

    try:
        return ProbeReport(declared_by(path))
    except CodeError as error:
        return ProbeReport((), error.reason, _trace(error, path))
    except MemoryError:
        return ProbeReport((), "importing it takes too much memory")


def _trace(error: CodeError, path: Path) -> str:
    """Return the traceback in the library's code, without our own frames; empty if no line of it raised."""
    import traceback

    cause = error.__cause__
    if cause is None:
        return ""
    frames = [
        (frame, line)
        for frame, line in traceback.walk_tb(cause.__traceback__)
        if str(frame.f_globals.get("__name__")).partition(".")[0] not in ("liven", "importlib")
    ]
    if not frames:
        return ""
    told = traceback.TracebackException.from_exception(cause)
    told.stack = traceback.StackSummary.extract(iter(frames))
    return "".join(told.format()).replace(f"{path / DATA}{os.sep}", "")[-20_000:]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
