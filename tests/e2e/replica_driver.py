"""A process with one replica on a shared channel over the real engine, told by lines on its input what to do.

    flow      sends as fast as its own operations come back; `rest` ends it
    hang N    does nothing else for N seconds, like a handler that does not return
    tell      answers a line of JSON: what its state is, what it saw, and what its engine held at most

Each operation carries its author and a number: one that comes twice, out of turn or after a gap is a fault.
The state is how many came of whom and a hash over all of them in their order.

    replica_driver.py NAME WINDOW_CAP     (its folders are below LIVEN_HOME)
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import os
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from liven.app.network.settings import engine_config, read_settings
from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.channel.composition import Channels
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.runtime.dispatcher.asyncio_dispatcher import AsyncioDispatcher
from liven.runtime.objects.context import Context
from liven.runtime.objects.proxy_builder import Blueprints
from liven.runtime.problems import Problem, Problems
from liven.runtime.process.session import Session
from liven.runtime.user_folders import UserFolders
from liven.types.declare import Dual, TermBuilder, proxy
from liven.types.declare.annotation.reader import declaration_of
from liven.types.declare.annotation.shapes import GivenUse
from liven.types.declare.declaration import ProxyDeclaration
from liven.types.terms.value_types import TEXT

_CHANNEL = "home/e2e/tally"
_UNDER_WAY = 300
_FILLING = "." * 2000


@proxy(id="0A0B0C0D0E0F40008000000000000079", alias="test:tally")
class Tally:
    """Counts the operations of each author and hashes them in order."""

    channel: Dual[CheckpointedClient[str, str], ChannelService[str]]

    def __init__(self, context: Context, name: str) -> None:
        self.context, self.name = context, name
        self.counts: dict[str, int] = {}
        self.chain = ""
        self.begun: list[bool] = []
        self.faults: list[str] = []
        self.sent = 0
        self.flows = False
        context.call_later(0.01, self.send_more)

    def initialize(self, checkpoint: str | None) -> None:
        self.begun.append(checkpoint is not None)
        self.counts, self.chain = json.loads(checkpoint) if checkpoint else ({}, "")

    def receive(self, message: str) -> None:
        author, number, _ = message.split(" ")
        if int(number) != self.counts.get(author, 0) + 1:
            self.faults.append(f"{number} of {author} after {self.counts.get(author, 0)}")
        self.counts[author] = int(number)
        self.chain = hashlib.blake2b((self.chain + message).encode(), digest_size=16).hexdigest()

    def checkpoint(self) -> str:
        return json.dumps([self.counts, self.chain])

    def send_more(self) -> None:
        while self.flows and self.begun and self.sent - self.counts.get(self.name, 0) < _UNDER_WAY:
            self.sent += 1
            self.channel.peer.send(f"{self.name} {self.sent} {_FILLING}")
        self.context.call_later(0.005, self.send_more)


class Measured(Channels):
    """Channels that publish the figures of their engine."""

    def measure(self) -> Mapping[str, int]:
        return self._measured() or {}


class Heard(logging.Handler):
    """A log handler that records removals from groups."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        facts = getattr(record, "facts", {})
        if facts.get("event") in ("missed", "evicted"):
            self.lines.append(facts)


def _complain(problem: Problem) -> None:
    sys.stderr.write(f"{problem}\n")


class Driver:
    """The process."""

    def __init__(self, name: str, cap: int) -> None:
        self._loop = asyncio.new_event_loop()
        self._heard = Heard()
        logging.getLogger("liven.multicast").addHandler(self._heard)
        problems = Problems()
        problems.listen(_complain)
        dispatcher = AsyncioDispatcher(self._loop, problems.report)
        folders = UserFolders.of_user(os.environ)
        config = engine_config(folders, read_settings(folders, os.environ))
        config = replace(config, settings={"window_floor": cap, "window_cap": cap}, publish=False)
        kept = replace(folders, data=Path(os.environ["LIVEN_HOME"]) / name)
        self._problems: list[str] = []
        problems.listen(lambda problem: self._problems.append(problem.what))
        self._channels = Measured(config, kept, limits=None)
        session = Session.start(dispatcher, problems, folders, defaults=self._channels.defaults)
        self._channels.bring_into(session.node)
        self._terms = TermBuilder(session.known.formalisms)
        self._node = session.node
        one = self._build(Tally, name=name)
        other = self._build(SharedChannel, TEXT, TEXT, name=_CHANNEL)
        session.node.connect(one.endpoint("channel"), other.endpoint("Channel"))
        self._held = (one, other)
        self._tally: Tally = one.proxy().instance
        self._most = {"pending_bytes": 0, "cached_bytes": 0, "memory_bytes": 0}

    def _build(self, cls: type, *classes: Any, **values: object) -> Any:
        declaration = declaration_of(cls)
        assert isinstance(declaration, ProxyDeclaration)
        kind = self._terms.object(declaration.use(tuple(GivenUse(term) for term in classes)))
        return Blueprints().of(declaration, classes).build(self._node, (cls.__name__,), kind, values)

    async def _measure(self) -> None:
        while True:
            stats = self._channels.measure()
            self._most = {name: max(most, stats.get(name, 0)) for name, most in self._most.items()}
            await asyncio.sleep(0.005)

    async def _obey(self) -> None:
        measuring = asyncio.ensure_future(self._measure())
        reader = asyncio.StreamReader()
        await self._loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        while line := (await reader.readline()).decode().strip():
            self._tally.flows = line == "flow" if line in ("flow", "rest") else self._tally.flows
            if line.startswith("hang "):
                time.sleep(float(line.split()[1]))
            if line == "tell":
                sys.stdout.write(json.dumps(self._facts()) + "\n")
                sys.stdout.flush()
        measuring.cancel()

    def _facts(self) -> dict[str, object]:
        tally, shared = self._tally, self._held[1].proxy().instance
        replica = shared._session._replica
        return {
            "unconfirmed": None if replica is None else replica.channel.unacknowledged,
            "stores": replica is not None and replica.channel.is_stored,
            "problems": self._problems,
            "counts": tally.counts,
            "chain": tally.chain,
            "begun": tally.begun,
            "faults": tally.faults,
            "under way": tally.sent - tally.counts.get(tally.name, 0),
            "told": self._heard.lines,
            "most": self._most,
        }

    def run(self) -> None:
        """Obey commands until the input ends."""
        self._loop.run_until_complete(self._obey())


if __name__ == "__main__":
    Driver(sys.argv[1], int(sys.argv[2])).run()
