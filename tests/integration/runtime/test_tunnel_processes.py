"""An endpoint reference is sent as text to another process, and connected from there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from liven.runtime.dispatcher import HandCranked
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import Probe
from liven.runtime.objects.value_bridge import ValueBridges
from liven.runtime.problems import Problems
from liven.runtime.tunnel import Tunnels
from liven.types.formalism.registry import Formalisms
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType
from liven.types.terms.value_types import INT64, record

CALLER = EndpointType(
    inputs=(("tick", record(n=INT64)),),
    outputs=(("count", record(n=INT64)),),
)

SERVER = """
import asyncio, sys
from pathlib import Path
from typing import Protocol

from liven.runtime.objects.proxy_builder import Blueprint
from liven.runtime.objects.context import Context
from liven.runtime.dispatcher.asyncio_dispatcher import AsyncioDispatcher
from liven.runtime.objects.node import Node
from liven.runtime.problems import Problems
from liven.runtime.tunnel import Tunnels
from liven.runtime.objects.value_bridge import ValueBridges
from liven.types.declare import Dual, TermBuilder, interface, proxy
from liven.types.declare.annotation.reader import declaration_of
from liven.types.formalism.registry import Formalisms
from liven.types.matching import Matcher

@interface
class Counting(Protocol):
    def count(self, n: int) -> None: ...

@interface
class Ticks(Protocol):
    def tick(self, n: int) -> None: ...

@proxy(id="C0")
class Counter:
    end: Dual[Counting, Ticks]

    def __init__(self, context: Context) -> None:
        print(context.offer("end").address, flush=True)

    def count(self, n: int) -> None:
        for number in range(n):
            self.end.peer.tick(number)

    def end_disconnected(self) -> None:
        print("disconnected", flush=True)

loop = asyncio.new_event_loop()
problems, formalisms = Problems(), Formalisms()
node = Node(AsyncioDispatcher(loop, problems.report), problems, Matcher(formalisms), ValueBridges())
Tunnels(node, formalisms, Path(sys.argv[1]))
kind = TermBuilder(formalisms).of(Counter)
held = Blueprint.of(declaration_of(Counter)).build(node, ("counter",), kind, {})
loop.run_forever()
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", SERVER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


@pytest.fixture
def crank() -> HandCranked:
    return HandCranked()


@pytest.fixture
def caller(crank: HandCranked, server: subprocess.Popen[str], tmp_path: Path) -> Iterator[Probe]:
    problems, formalisms = Problems(), Formalisms()
    node = Node(crank, problems, Matcher(formalisms), ValueBridges())
    tunnels = Tunnels(node, formalisms, tmp_path)
    probe = Probe(node, CALLER, "caller")
    assert server.stdout is not None
    reply = tunnels.connect(probe.external, server.stdout.readline())
    crank.wait(lambda: reply.settled)
    assert reply.value().open
    yield probe
    assert len(problems) == 0
    tunnels.close()


def test_events_pass_between_processes(caller: Probe, crank: HandCranked) -> None:
    caller.send("count", {"n": 1000})
    crank.wait(lambda: len(caller.heard) == 1001)
    assert caller.heard[1:] == [("tick", {"n": number}) for number in range(1000)]


def test_a_killed_process_is_a_disconnect(
    caller: Probe, crank: HandCranked, server: subprocess.Popen[str]
) -> None:
    os.kill(server.pid, signal.SIGKILL)
    crank.wait(lambda: ("disconnect",) in caller.heard)
    assert not caller.end.connected
    assert not caller.handle.ended


def test_the_end_of_the_caller_disconnects_the_other_process(
    caller: Probe, server: subprocess.Popen[str]
) -> None:
    caller.close()
    assert server.stdout is not None
    assert server.stdout.readline() == "disconnected\n"
