"""A program with channels over real sockets and a log on disk, for measurements."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from liven.app.network.settings import engine_config, read_settings
from liven.liveobjects.channel.composition import Channels
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.session.typed_line import class_in
from liven.runtime.dispatcher.asyncio_dispatcher import AsyncioDispatcher
from liven.runtime.objects.proxy_builder import Blueprints
from liven.runtime.problems import Problems
from liven.runtime.process.session import Session
from liven.runtime.user_folders import UserFolders
from liven.types.declare import TermBuilder
from liven.types.declare.annotation.reader import declaration_of
from liven.types.declare.annotation.shapes import GivenUse
from liven.types.declare.declaration import ProxyDeclaration
from liven.types.terms.value_types import OptionalOf


class Program:
    """One program, below LIVEN_HOME. Its log may be in a folder of its own, so that it shares only the
    network with others: programs of one user read each other's logs."""

    def __init__(self, data: Path | None = None) -> None:
        self.loop = asyncio.new_event_loop()
        problems = Problems()
        problems.listen(lambda problem: print(problem, file=sys.stderr))
        dispatcher = AsyncioDispatcher(self.loop, problems.report)
        folders = UserFolders.of_user(os.environ)
        config = engine_config(folders, read_settings(folders, {**os.environ, "LIVEN_SERVICE_IDLE": "2"}))
        there = folders if data is None else replace(folders, data=data)
        channels = self.channels = Channels(config, there, limits=None)  # it measures what is possible
        self.session = Session.start(dispatcher, problems, folders, defaults=channels.defaults)
        channels.bring_into(self.session.node)
        self._terms = TermBuilder(self.session.known.formalisms)
        self._blueprints = Blueprints()
        self._held: list[object] = []

    def build(self, cls: type, *classes: Any, **values: object) -> Any:
        """Return an object of a proxy class."""
        declaration = declaration_of(cls)
        assert isinstance(declaration, ProxyDeclaration)
        kind = self._terms.object(declaration.use(tuple(GivenUse(term) for term in classes)))
        blueprint = self._blueprints.of(declaration, classes)
        handle = blueprint.build(self.session.node, (cls.__name__,), kind, values)
        self._held.append(handle)
        return handle

    def joined(self, client: type, channel: type, *classes: Any, name: str) -> Any:
        """Return the client's instance, on a channel of that name."""
        one, other = self.build(client), self.build(channel, *classes, name=name)
        self.session.node.connect(one.endpoint("channel"), other.endpoint("Channel"))
        return one.proxy().instance

    def replicated(self, client: type, *, name: str) -> Any:
        """Return the same on a shared channel of the client's own classes."""
        one = self.build(client)
        message = class_in(one.endpoint("channel").type, "receive", "message")
        state = class_in(one.endpoint("channel").type, "initialize", "checkpoint")
        assert isinstance(state, OptionalOf)
        other = self.build(SharedChannel, message, state.item, name=name)
        self.session.node.connect(one.endpoint("channel"), other.endpoint("Channel"))
        return one.proxy().instance

    def turn(self, seconds: float) -> None:
        """Let the loop run for so long."""
        self.loop.run_until_complete(asyncio.sleep(seconds))

    def until(self, true: Callable[[], bool], patience: float = 60.0) -> None:
        """Let the loop run until the condition holds; raise TimeoutError."""
        limit = time.monotonic() + patience
        while not true():
            if time.monotonic() > limit:
                raise TimeoutError(f"not reached within {patience} s")
            self.turn(0.01)


def start(script: str, home: str, *words: str) -> subprocess.Popen[str]:
    """Start a script of this folder in a process of its own."""
    folder = Path(__file__).resolve().parent
    return subprocess.Popen(
        [sys.executable, str(folder / script), *words],
        env={**os.environ, "LIVEN_HOME": home, "PYTHONPATH": str(folder.parent)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def asked(process: subprocess.Popen[str], line: str) -> str:
    """Return the answer of a script to a line."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()
    return process.stdout.readline()


def end(*processes: subprocess.Popen[str]) -> None:
    """Kill the scripts."""
    for process in processes:
        process.kill()
        process.communicate()
