"""The program of a confined process: it gives up its rights, loads one library, and runs its objects.

Arguments: the descriptors of the link and of the pictures, the starter's process id, the library's folder and
hash, three limits, and the folders that it must not see.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.confined import messages
from liven.runtime.confined.hosted_objects import HostedObjects
from liven.runtime.dispatcher.asyncio_dispatcher import AsyncioDispatcher
from liven.runtime.dispatcher.dispatcher import Dispatcher
from liven.runtime.dispatcher.watchdog import Watchdog
from liven.runtime.library.fetching.bundle_import import Modules
from liven.runtime.library.store import Installed, Store
from liven.runtime.objects.node import Node
from liven.runtime.objects.value_bridge import ValueBridges
from liven.runtime.problems import Problem, Problems
from liven.runtime.process.builtin_objects import learn_stock
from liven.runtime.sandbox import Protection
from liven.runtime.sandbox.kernel_calls import end_with_parent
from liven.runtime.sandbox.limits import Limits
from liven.runtime.tunnel.link import Link
from liven.types.catalogue import register
from liven.types.declare import scan

STOP_AFTER = 6.0
"""Seconds after which a handler that does not end is interrupted: before the starter ends the process."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """The command line."""

    link: int
    pictures: int
    parent: int
    library: Path
    sha256: str
    limits: Limits
    private: tuple[Path, ...]

    @classmethod
    def read(cls, words: list[str]) -> Arguments:
        """Read the words after the program's name."""
        link, pictures, parent, library, sha256, memory, descriptors, file_size, *private = words
        limits = Limits(memory=int(memory), descriptors=int(descriptors), file_size=int(file_size))
        return cls(
            int(link),
            int(pictures),
            int(parent),
            Path(library),
            sha256,
            limits,
            tuple(Path(one) for one in private),
        )

    def confine(self) -> None:
        """Give up this process's rights, for good. Call it before there is a second thread."""
        end_with_parent(signal.SIGKILL)
        if os.getppid() != self.parent:
            raise SystemExit("the program that started this process has ended")
        protection = Protection.of_this_kernel()
        protection.confine([self.library], [Path.cwd()], self.limits, private=self.private)


class Screen(Protocol):
    """The part of a program that shows views; a program without a screen has none."""

    def came(self, view: int, rest: list[Any]) -> None:
        """Take a message about a view."""


class ConfinedProgram:
    """Everything that a confined process consists of. `screen` makes its screen from the objects and the
    link; `stop` ends the loop."""

    def __init__(self, arguments: Arguments, dispatcher: Dispatcher, stop: Callable[[], object]) -> None:
        self._stop = stop
        self.problems = Problems()
        self.known = learn_stock(TypeKnowledge.stock())
        self.node = Node(dispatcher, self.problems, self.known.matcher, ValueBridges())
        self._modules = Modules()
        self.screen: Screen | None = None
        stream = socket.socket(fileno=arguments.link)
        self.link = Link(dispatcher, stream, self._came, lambda _: stop())
        self.objects = HostedObjects(self.node, self.known, self.link)
        self.problems.listen(self._report, at_once=True)
        self._load(Store(arguments.library.parent.parent).at(arguments.library), arguments.sha256)
        self._watchdog = Watchdog(self.node.queue, self.problems.report, stop_after=STOP_AFTER)
        self._watchdog.start()
        self.link.send(messages.READY, messages.PROTOCOL)

    def _load(self, installed: Installed, sha256: str) -> None:
        for module in self._modules.load(installed, sha256):
            for entry in register(self.known.catalogue, scan(module), self.known.matcher):
                self.objects.offer(entry)

    def _came(self, message: list[Any]) -> None:
        name, *rest = message
        if name == messages.PING:
            self.link.send(messages.PONG, rest[0])
        elif name == messages.VIEW:
            if self.screen is not None:
                self.screen.came(rest[0], rest[1:])
        else:
            self.objects.came(name, rest)

    def _report(self, problem: Problem) -> None:
        """Pass a problem on; on the dispatcher's thread, because the link has no lock."""
        if self.node.queue.thread == _this_thread():
            self.objects.report(problem)
        else:
            self.node.dispatcher.post(lambda: self.objects.report(problem))


def _this_thread() -> int:
    from threading import get_ident

    return get_ident()


def main(words: list[str]) -> int:
    """Run without a screen until the starter closes the link."""
    arguments = Arguments.read(words)
    loop = asyncio.new_event_loop()  # it needs a pair of sockets, which is refused afterwards
    arguments.confine()
    dispatcher = AsyncioDispatcher(loop, lambda _: None)
    program = ConfinedProgram(arguments, dispatcher, loop.stop)
    loop.run_forever()
    program.link.close()
    os._exit(0)  # without waiting for threads of the library


if __name__ == "__main__":
    main(sys.argv[1:])
