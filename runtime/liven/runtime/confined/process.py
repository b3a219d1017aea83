"""One confined process, as the program that started it sees it: messages, objects, its end.

Nothing that it sends is believed: a message that is not one of ours ends it, with a sentence.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol, TypeAlias

from liven.runtime.confined import messages
from liven.runtime.confined.intake import Intake
from liven.runtime.confined.watch import Watch, Watched
from liven.runtime.dispatcher.dispatcher import Dispatcher
from liven.runtime.foreign_text import shown_line, shown_lines, shown_value
from liven.runtime.library.temporary_folder import TemporaryFolder
from liven.runtime.problems import Kind
from liven.runtime.sandbox.environment import clean_environment
from liven.runtime.sandbox.limits import Limits
from liven.runtime.tunnel.frames import FrameError
from liven.runtime.tunnel.link import Link
from liven.types.codec import CodecError

_MOST_READ = 1 << 15
"""Bytes of messages handled in one turn of the loop."""
_LAST_WORDS = 4000
"""Bytes of its error output that are shown to the author."""
_LEAVE = 2.0
"""Seconds that it has to end by itself."""

InWorker: TypeAlias = Callable[[Callable[[], object]], object]


@dataclass(frozen=True, slots=True)
class Ending:
    """Why a confined process is no more, in words that follow its name."""

    why: str
    kind: Kind = Kind.RAISED
    detail: str = ""


class BadMessageError(ValueError):
    """A message that no confined process sends."""


class Resident(Protocol):
    """A part of the process, held here: an object or a view. It gets the messages for its number."""

    def came(self, name: str, rest: list[Any]) -> None:
        """Take a message; raise BadMessageError, BadEventError or CodecError."""

    def silent(self, silent: bool) -> None:
        """The process does not answer, or answers again."""

    def gone(self, ending: Ending) -> None:
        """The process has ended."""


@dataclass(frozen=True, slots=True)
class Start:
    """The program, the library and the limits of a process to start."""

    program: str
    """The module of its program."""
    library: Path
    sha256: str
    below: Path
    """Its own folder is made below this one."""
    limits: Limits
    private: tuple[Path, ...] = ()
    """Folders that it must not see. They are closed; this guards against a program installed around them."""


class ConfinedProcess:
    """A process of one library. `ended` is called once, after every resident was told."""

    def __init__(
        self, dispatcher: Dispatcher, start: Start, in_worker: InWorker, ended: Callable[[Ending], object]
    ) -> None:
        """Start it; raise OSError. Call this on the thread that lives as long as the program: the kernel ends
        the process with the thread that started it."""
        self._dispatcher = dispatcher
        self._in_worker = in_worker
        self._ended: Callable[[Ending], object] | None = ended
        self._residents: dict[int, Resident] = {}
        self._number = 0
        self._ready = False
        self._reason: Ending | None = None
        self._intake = Intake(dispatcher.now())
        self._folder = TemporaryFolder(start.below, "confined-")
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  it lives as long as the process
        ours, theirs = socket.socketpair()
        self.hand_over, theirs_too = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            with theirs, theirs_too:
                self._child = self._started(start, theirs, theirs_too)
        except OSError:
            for one in (ours, self.hand_over, self._errors, self._folder):
                one.close()
            raise
        self.hand_over.setblocking(False)
        self.hand_over.shutdown(socket.SHUT_RD)  # else it could hide open files in there
        self._link = Link(
            dispatcher, ours, self._came, self._gone, most_read=_MOST_READ, largest=messages.LARGEST
        )
        watched = Watched(self._child.pid, self._folder.path, start.limits, self._ping, self._tell, self.end)
        self._watch = Watch(dispatcher, watched)

    def _started(self, start: Start, link: socket.socket, pictures: socket.socket) -> subprocess.Popen[bytes]:
        descriptors = (link.fileno(), pictures.fileno())
        words = [str(one) for one in (*descriptors, os.getpid(), start.library, start.sha256)]
        limits = [str(start.limits.memory), str(start.limits.descriptors), str(start.limits.file_size)]
        private = [str(path.resolve()) for path in start.private]
        own = self._folder.path
        return subprocess.Popen(
            [sys.executable, "-P", "-X", "faulthandler", "-m", start.program, *words, *limits, *private],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            pass_fds=descriptors,
            start_new_session=True,
            cwd=own,
            env=clean_environment(os.environ, own),
        )

    @property
    def pid(self) -> int:
        """Its number."""
        return self._child.pid

    @property
    def folder(self) -> Path:
        """Its own folder."""
        return self._folder.path

    @property
    def open(self) -> bool:
        """True until it ends."""
        return self._ended is not None and self._link.open

    @property
    def is_silent(self) -> bool:
        """True while it does not answer."""
        return self._watch.is_silent

    def __len__(self) -> int:
        return len(self._residents)

    def admit(self, resident: Resident) -> int:
        """Give a part of the process a number."""
        self._number += 1
        self._residents[self._number] = resident
        return self._number

    def dismiss(self, number: int) -> None:
        """Forget a part."""
        self._residents.pop(number, None)

    def send(self, name: str, *rest: object) -> None:
        """Send a message; raise FrameError if it is too large."""
        self._link.send(name, *rest)

    def ask(self) -> None:
        """Ask for a sign of life, after something that it should answer."""
        self._watch.ask()

    def end(self, why: str = "", kind: Kind = Kind.INTERRUPTED) -> None:
        """End the process at once."""
        self._reason = self._reason or Ending(why, kind)
        self._gone("")

    def close(self) -> None:
        """Let it end in order, because it is not needed any more; then see to it that it has."""
        self._ended = None
        self._residents.clear()
        self._leave()
        child, folder, errors = self._child, self._folder, self._errors

        def finish() -> None:
            _wait(child, _LEAVE)
            errors.close()
            folder.close()

        self._in_worker(finish)

    def _ping(self, number: int) -> None:
        self._link.send(messages.PING, number)

    def _tell(self, silent: bool) -> None:
        for resident in tuple(self._residents.values()):
            resident.silent(silent)

    def _came(self, message: list[Any]) -> None:
        try:
            self._count()
            self._take(message)
        except (BadMessageError, CodecError, FrameError, ValueError, TypeError) as error:
            self.end(f"it sent a message that makes no sense: {shown_line(str(error)[:200])}", Kind.PEER)

    def _count(self) -> None:
        now = self._dispatcher.now()
        pause = self._intake.take(now)
        if self._intake.flooded(now):
            self.end("it flooded this program with messages", Kind.OVERFLOW)
        elif pause:
            self._link.pause()
            self._dispatcher.call_later(pause, self._link.resume)

    def _take(self, message: list[Any]) -> None:
        if not self.open:
            return
        name, *rest = message
        match name, rest:
            case messages.READY, [messages.PROTOCOL]:
                self._ready = True
            case messages.PONG, [int(number)]:
                self._watch.pong(number)
            case (
                (messages.BUILT | messages.UNBUILT | messages.ENDED | messages.PROBLEM),
                [int(number), *more],
            ):
                self._deliver(name, number, more)
            case ((messages.EVENT | messages.VIEW), [int(number), *more]):
                self._deliver(name, number, more)
            case _:
                raise BadMessageError(shown_value(message))

    def _deliver(self, name: str, number: int, more: list[Any]) -> None:
        resident = self._residents.get(number)
        if resident is not None:  # else it was dismissed while this was on its way
            resident.came(name, more)
        elif not 0 <= number <= self._number:
            raise BadMessageError(f"{name} for number {number}, which was never given")

    def _leave(self) -> None:
        self._watch.close()
        self._link.close()
        self.hand_over.close()

    def _gone(self, why: str) -> None:
        """End it for good and tell everybody, once its exit code is known."""
        ended, self._ended = self._ended, None
        if ended is None:
            return
        self._leave()
        reason = self._reason or (Ending(why, Kind.PEER) if why else None)
        child, errors, folder = self._child, self._errors, self._folder

        def finish() -> None:
            code = _wait(child, 0.0 if reason is not None else _LEAVE)
            ending = reason or _ending_of(code)
            ending = Ending(ending.why, ending.kind, _tail(errors))
            self._dispatcher.post(lambda: self._farewell(ending, ended))
            errors.close()
            folder.close()

        self._in_worker(finish)

    def _farewell(self, ending: Ending, ended: Callable[[Ending], object]) -> None:
        residents, self._residents = list(self._residents.values()), {}
        for resident in residents:
            resident.gone(ending)
        ended(ending)


def _wait(child: subprocess.Popen[bytes], patience: float) -> int:
    """Wait for the end of a process, kill it after `patience`, and return its exit code."""
    try:
        return child.wait(patience) if patience else _kill(child)
    except subprocess.TimeoutExpired:
        return _kill(child)


def _kill(child: subprocess.Popen[bytes]) -> int:
    if child.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        child.kill()
    return child.wait()


def _ending_of(code: int) -> Ending:
    if code >= 0:
        return Ending(f"its process ended itself (exit code {code})")
    try:
        name = signal.Signals(-code).name
    except ValueError:  # a signal without a name
        name = f"signal {-code}"
    return Ending(f"its process crashed ({name})")


def _tail(stream: IO[bytes]) -> str:
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - _LAST_WORDS))
    return shown_lines(stream.read().decode("utf-8", "replace"))
