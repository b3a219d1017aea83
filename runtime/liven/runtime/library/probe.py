"""The first import of new code, in a child process: what exits, crashes, loops or eats memory ends there.

`probe` starts the child and waits; the child imports the bundle, scans it, and writes down what it
declares. Run as a module, this file is the child.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from liven.runtime.library.errors import CodeError
from liven.runtime.library.store import Installed

SECONDS = 5.0
MEMORY = 2 << 30
"""Bytes of address space that the child may take: Python with numpy takes half of it."""
_MOST_OUTPUT = 4 << 20


@dataclass(frozen=True, slots=True)
class Declared:
    """One class that a library declares, as its probe told."""

    kind: str
    id: str
    """In canonical spelling; empty for a class that has none."""
    alias: str
    module: str
    """The included module that declares it."""
    name: str
    """The class's name there."""
    lines: tuple[str, ...] = ()
    """Its structure, for people."""


def probe(installed: Installed, *, seconds: float = SECONDS, memory: int = MEMORY) -> tuple[Declared, ...]:
    """What the library declares; raises CodeError if its code cannot be imported, and says why."""
    with tempfile.TemporaryFile() as answer, tempfile.TemporaryFile() as errors:
        words = [str(installed.path), str(memory), str(answer.fileno())]
        child = subprocess.Popen(
            [sys.executable, "-X", "faulthandler", "-m", __name__, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            pass_fds=(answer.fileno(),),
            start_new_session=True,
        )
        try:
            code: int | None = child.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            _end(child)
        return _answer(installed, code, _tail(answer), _tail(errors), seconds)


def _end(child: subprocess.Popen[bytes]) -> None:
    """Ends the child and whatever it started, also when it ended by itself."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        child.kill()
    child.wait()


def _tail(stream: Any) -> str:
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - _MOST_OUTPUT))
    return bytes(stream.read()).decode("utf-8", "replace")


def _answer(
    installed: Installed, code: int | None, told: str, errors: str, seconds: float
) -> tuple[Declared, ...]:
    if code is None:
        raise CodeError(installed.library, f"importing it did not end within {seconds:g} s", errors)
    if code < 0:
        name = signal.Signals(-code).name
        raise CodeError(installed.library, f"importing it crashed Python ({name})", errors)
    try:
        answer = json.loads(told)
    except ValueError:
        reason = f"importing it ended the program (exit code {code})"
        raise CodeError(installed.library, reason, errors) from None
    if "problem" in answer:
        raise CodeError(installed.library, answer["problem"], answer["detail"])
    return tuple(_declared(row) for row in answer["declares"])


def _declared(row: dict[str, Any]) -> Declared:
    return Declared(**{**row, "lines": tuple(row["lines"])})


def main(path: str, memory: str, answer: str) -> int:
    """The child: imports, scans, tells."""
    _limit(int(memory))
    told = _told(Path(path))
    with os.fdopen(int(answer), "w", encoding="utf-8") as stream:
        json.dump(told, stream)
    return 0


def _limit(memory: int) -> None:
    try:
        import resource
    except ImportError:  # not a Unix: the time limit alone holds
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_MOST_OUTPUT, _MOST_OUTPUT))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _told(path: Path) -> dict[str, Any]:
    from liven.runtime.library.scanning import declared_by

    try:
        return {"declares": [asdict(one) for one in declared_by(path)]}
    except CodeError as error:
        return {"problem": error.reason, "detail": _trace(error)}
    except MemoryError:
        return {"problem": "importing it takes too much memory", "detail": ""}


def _trace(error: BaseException) -> str:
    import traceback

    return "".join(traceback.format_exception(error.__cause__ or error))[-20_000:]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
