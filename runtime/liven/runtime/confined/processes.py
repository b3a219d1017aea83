"""The processes of confined libraries: one for each library, started when needed and ended when idle.

A library whose process ends again and again is started less and less often, and in the end not at all for a
while, so that a crash in a loop costs nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from liven.runtime.confined import messages
from liven.runtime.confined.process import ConfinedProcess, Ending, Start
from liven.runtime.confined.remote_object import RemoteObject
from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.errors import DereferenceError
from liven.runtime.library.classes.confined_classes import ConfinedSource
from liven.runtime.objects.node import Node
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.problems import Path
from liven.runtime.reference.model import Reference
from liven.runtime.sandbox import Protection
from liven.runtime.sandbox.limits import Limits
from liven.runtime.user_folders import UserFolders
from liven.types.codec import Codecs
from liven.types.codec import Limits as ValueLimits
from liven.types.terms.endpoint_types import ObjectType

IDLE: Final = 10.0
"""The seconds that a process without objects is kept."""
MOST_PROCESSES: Final = 16
"""The most that run at one time: each takes the memory of a small program."""
_REMEMBERED: Final = 60.0
"""The seconds for which an unwanted end counts."""
_DELAYS: Final = (0.0, 0.0, 1.0, 3.0, 8.0)
"""The seconds to wait before a start, by the number of unwanted ends before; with more ends there is none."""


@dataclass(frozen=True, slots=True)
class ConfinedPrograms:
    """The choices of a program for the confined libraries that it runs."""

    program: str = "liven.runtime.process.confined_program"
    """The module that runs them."""
    view: str = ""
    """The view of an object in another process, `module:function`; empty in a program without a screen."""
    limits: Limits = field(default_factory=Limits)


class Processes:
    """Builds objects in confined processes."""

    def __init__(
        self,
        node: Node,
        programs: ConfinedPrograms,
        folders: UserFolders,
        protection: Callable[[], Protection] = Protection.of_this_kernel,
    ) -> None:
        self._node = node
        self._programs = programs
        self._below = folders.cache / "confined"
        self._private = (folders.config, folders.data, folders.state, folders.runtime)
        self._protection = protection
        self._codecs = Codecs(ValueLimits(messages.LARGEST, most_items=messages.MOST_ITEMS))
        self._running: dict[str, ConfinedProcess] = {}
        self._ends: dict[str, deque[float]] = {}
        self._sweeping: Entry | None = None
        node.confinement = self

    @property
    def running(self) -> tuple[ConfinedProcess, ...]:
        """The processes that run now."""
        return tuple(self._running.values())

    def build(
        self, source: ConfinedSource, reference: Reference, path: Path, kind: ObjectType
    ) -> Reply[ProxyHandle]:
        """Build an object in the process of its library, which is started if it does not run."""
        reply: Reply[ProxyHandle] = Reply()
        library = source.installed.library
        if missing := self._protection().missing:
            what = f"library {library} may run confined only, and this kernel lacks {missing}"
            advice = "install it if you trust it: liven library add PATH"
            reply.fail(DereferenceError(path, what, advice))
            return reply
        ends = self._recent_ends(source.sha256)
        if source.sha256 not in self._running and ends >= len(_DELAYS):
            what = f"library {library} ended {ends} times in a minute, so it is not started again just now"
            reply.fail(DereferenceError(path, what, "wait a minute, or tell its author"))
            return reply
        if source.sha256 not in self._running and len(self._running) >= MOST_PROCESSES:
            what = f"{MOST_PROCESSES} libraries run in processes of their own already"
            reply.fail(DereferenceError(path, what, "close objects of other libraries and try again"))
            return reply
        delay = 0.0 if source.sha256 in self._running else _DELAYS[ends]
        if delay:
            waiting = self._node.dispatcher.call_later(
                delay, lambda: self._build(source, reference, path, kind, reply)
            )
            reply.on_cancel(waiting.cancel)
        else:
            self._build(source, reference, path, kind, reply)
        return reply

    def close(self) -> None:
        """End all processes."""
        if self._sweeping is not None:
            self._sweeping.cancel()
        running, self._running = self._running, {}
        for process in running.values():
            process.close()

    def _build(
        self,
        source: ConfinedSource,
        reference: Reference,
        path: Path,
        kind: ObjectType,
        reply: Reply[ProxyHandle],
    ) -> None:
        try:
            process = self._process(source)
        except OSError as error:
            what = f"its process could not be started: {error.strerror or error}"
            reply.fail(DereferenceError(path, what, "close other programs and try again"))
            return
        made = RemoteObject(self._node, process, self._codecs, path, kind, self._programs.view)
        asked = made.build(reference, self._node.person)
        reply.on_cancel(asked.cancel)
        asked.then(lambda _: _pass_on(asked, reply))

    def _process(self, source: ConfinedSource) -> ConfinedProcess:
        known = self._running.get(source.sha256)
        if known is not None and known.open:
            return known
        start = Start(
            self._programs.program,
            source.installed.path,
            source.sha256,
            self._below,
            self._programs.limits,
            self._private,
        )

        def ended(ending: Ending) -> None:
            self._ended(source.sha256, made, ending)

        made = ConfinedProcess(self._node.dispatcher, start, self._node.errands.run, ended)
        self._running[source.sha256] = made
        if self._sweeping is None:
            self._sweeping = self._node.dispatcher.call_later(IDLE, self._sweep)
        return made

    def _ended(self, sha256: str, process: ConfinedProcess, ending: Ending) -> None:
        del ending  # its objects have said it
        if self._running.get(sha256) is process:
            del self._running[sha256]
        if not self._running and self._sweeping is not None:
            self._sweeping.cancel()
            self._sweeping = None
        self._ends.setdefault(sha256, deque(maxlen=len(_DELAYS))).append(self._node.dispatcher.now())

    def _recent_ends(self, sha256: str) -> int:
        now = self._node.dispatcher.now()
        return sum(now - at < _REMEMBERED for at in self._ends.get(sha256, ()))

    def _sweep(self) -> None:
        """End the processes that were without objects at the last look already."""
        self._sweeping = None
        for sha256, process in tuple(self._running.items()):
            if len(process) == 0:
                del self._running[sha256]
                process.close()
        if self._running:
            self._sweeping = self._node.dispatcher.call_later(IDLE, self._sweep)


def _pass_on(asked: Reply[Any], reply: Reply[Any]) -> None:
    if asked.error is not None:
        reply.fail(asked.error)
    elif reply.settled:
        asked.value().close()
    else:
        reply.resolve(asked.value())
