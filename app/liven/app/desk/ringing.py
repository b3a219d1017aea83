"""The second start's side of the doorbell: hands its files to the program that runs.

Whoever has a terminal asks to be told what cannot be opened; for the others, such as an icon, a window says
it. Nothing heavy is imported here: handing over is quick.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Sequence
from pathlib import Path

NAME = "desktop.sock"
LONGEST = 64 * 1024
PATIENCE = 10.0
"""Seconds until a program that does not answer is taken for one that is stuck."""


class StuckError(OSError):
    """A program has the door but does not answer."""


def ring(
    runtime: Path, files: Sequence[str], patience: float = PATIENCE, *, tell: bool = True
) -> list[str] | None:
    """Hands files to the running program: what it could not open; None if none runs. StuckError when it does
    not answer. Without `tell` it says in windows of its own what it cannot open."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC) as door:
        door.settimeout(patience)
        try:
            door.connect(str(runtime / NAME))
        except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
            return None
        try:
            door.sendall(json.dumps({"open": list(files), "tell": tell}).encode() + b"\n")
            with door.makefile("rb") as answers:
                answer = answers.readline(LONGEST)
        except (TimeoutError, ConnectionError) as error:
            raise StuckError(
                f"the program that runs does not answer ({error}); end it, or use --new-process"
            ) from None
    return _problems(answer)


def _problems(answer: bytes) -> list[str] | None:
    """What an answer says could not be opened; None for one that takes nothing over."""
    if not answer.startswith(b'{"ok": true'):
        return None
    try:
        return [str(problem) for problem in json.loads(answer).get("problems", ())]
    except ValueError:
        return []
