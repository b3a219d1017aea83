"""The same objects on the event loops of Qt and asyncio and on the hand-cranked dispatcher have the same
history."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

import pytest
from PySide6.QtCore import QCoreApplication, QEventLoop
from pytestqt.qtbot import QtBot

from liven.app.qt_dispatcher import QtDispatcher
from liven.runtime.dispatcher import HandCranked
from liven.runtime.dispatcher.asyncio_dispatcher import AsyncioDispatcher
from liven.runtime.dispatcher.dispatcher import Dispatcher
from liven.runtime.objects.context import Context
from liven.runtime.objects.node import Node
from liven.runtime.objects.proxy_builder import Blueprint
from liven.runtime.objects.value_bridge import ValueBridges
from liven.runtime.problems import Problems
from liven.runtime.testing.dispatcher_conformance import give_up_after
from liven.types.declare import Dual, TermBuilder, interface, proxy
from liven.types.declare.annotation.reader import declaration_of
from liven.types.formalism.registry import Formalisms
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import ObjectType


@interface
class Asks(Protocol):
    def ask(self, n: int) -> int: ...
    def tick(self, n: int) -> None: ...


@interface
class Tells(Protocol):
    def tell(self, text: str) -> None: ...


@proxy(id="0000000000000000000000000000E001")
class Server:
    door: Dual[Asks, Tells]

    def __init__(self, context: Context) -> None:
        self.context, self.log = context, list[str]()

    async def ask(self, n: int) -> int:
        self.log.append(f"asked {n}")
        await self.context.sleep(0.001 * (3 - n))
        self.log.append(f"answers {n}")
        return await self.context.work(lambda: n * n)

    def tick(self, n: int) -> None:
        self.log.append(f"tick {n}")
        self.door.peer.tell(f"heard {n}")

    def on_end(self) -> None:
        self.log.append("server ended")


@proxy(id="0000000000000000000000000000E002")
class Client:
    door: Dual[Tells, Asks]

    def __init__(self, context: Context) -> None:
        self.context, self.log, self.answers = context, list[str](), 0

    def door_connected(self) -> None:
        self.context.spawn(self.story())

    async def story(self) -> None:
        for n in range(3):
            self.door.peer.tick(n)
        replies = [self.door.peer.ask(n) for n in range(3)]
        for n, reply in enumerate(replies):
            self.log.append(f"{n} squared is {await reply}")  # type: ignore[misc]  # a reply, to the runtime
            self.answers += 1

    def tell(self, text: str) -> None:
        self.log.append(text)

    def door_disconnected(self) -> None:
        self.log.append("client is alone")


def history(dispatcher: Dispatcher, run: Callable[[Callable[[], bool]], None]) -> list[str]:
    """Return the events until the client has its answers and the server is released."""
    problems, formalisms, log = Problems(), Formalisms(), list[str]()
    problems.listen(lambda problem: log.append(f"{problem}\n{problem.detail}"))
    node = Node(dispatcher, problems, Matcher(formalisms), ValueBridges())
    handles = []
    for cls in (Server, Client):
        kind = TermBuilder(formalisms).of(cls)
        assert isinstance(kind, ObjectType)
        handles.append(Blueprint.of(declaration_of(cls)).build(node, (cls.__name__,), kind, {}))
        handles[-1].proxy().instance.log = log  # type: ignore[attr-defined]  # one history for both
    server, client = handles
    node.connect(server.endpoint("door"), client.endpoint("door"))
    run(lambda: client.proxy().instance.answers == 3)  # type: ignore[attr-defined]
    server.close()
    client.close()
    return log


def on_crank() -> list[str]:
    crank = HandCranked()

    def run(until: Callable[[], bool]) -> None:
        crank.advance(0.01)  # those who sleep, wake; then workers take the time that they take
        crank.wait(until)

    return history(crank, run)


def on_asyncio() -> list[str]:
    loop = asyncio.new_event_loop()

    async def wait(until: Callable[[], bool]) -> None:
        check = give_up_after()
        while not until():
            check()
            await asyncio.sleep(0.0005)

    dispatcher = AsyncioDispatcher(loop, _refuse)
    try:
        return history(dispatcher, lambda until: loop.run_until_complete(wait(until)))
    finally:
        dispatcher.close()
        loop.close()


def on_qt() -> list[str]:
    dispatcher = QtDispatcher(_refuse)

    def run(until: Callable[[], bool]) -> None:
        check = give_up_after()
        while not until():
            check()
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)

    try:
        return history(dispatcher, run)
    finally:
        dispatcher.close()


def _refuse(problem: object) -> None:
    raise AssertionError(problem)


EXPECTED = [
    *("tick 0", "tick 1", "tick 2", "asked 0", "asked 1", "asked 2", "heard 0", "heard 1", "heard 2"),
    *("answers 2", "answers 1", "answers 0"),
    *("0 squared is 0", "1 squared is 1", "2 squared is 4"),
    *("client is alone", "server ended"),
]


@pytest.mark.parametrize("loop", [on_crank, on_asyncio, on_qt])
def test_objects_have_the_same_history_on_every_event_loop(
    loop: Callable[[], list[str]], qtbot: QtBot
) -> None:
    assert loop() == EXPECTED
