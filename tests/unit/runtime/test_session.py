from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from liven.runtime.author import Blueprint
from liven.runtime.context import Context
from liven.runtime.dispatcher import HandCranked, Watchdog
from liven.runtime.errors import DereferenceError
from liven.runtime.folders import Folders
from liven.runtime.monitoring import Monitors, everyone
from liven.runtime.probe import Probe
from liven.runtime.problems import Kind, Problem, Problems
from liven.runtime.proxy import ProxyHandle
from liven.runtime.reference.model import Reference
from liven.runtime.session import Session
from liven.types.catalogue import learn
from liven.types.declare import Declarations, Exports, Terms, interface, proxy
from liven.types.declare.reading import declaration_of
from liven.types.structure import ObjectType


@interface
class Works(Protocol):
    def work(self, seconds: float) -> None: ...


@proxy(id="0000000000000000000000000000D101")
class Stubborn:
    end: Exports[Works]

    def __init__(self) -> None:
        self.done: list[float] = []

    def work(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pass
        self.done.append(seconds)


@proxy(id="0000000000000000000000000000D102")
class Unborn:
    end: Exports[Works]

    def __init__(self) -> None:
        spin()

    def work(self, seconds: float) -> None: ...


@proxy(id="0000000000000000000000000000D103")
class Undying:
    end: Exports[Works]

    def __init__(self, context: Context) -> None:
        self.context = context

    async def work(self, seconds: float) -> None:
        try:
            await self.context.sleep(seconds)
        finally:
            spin()


def spin() -> None:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        pass


@pytest.fixture
def session(crank: HandCranked, problems: Problems, tmp_path: Path) -> Iterator[Session]:
    session = Session.start(crank, problems, Folders.below(tmp_path))
    yield session
    session.close()


def stubborn(session: Session, cls: type = Stubborn) -> tuple[ProxyHandle, Probe]:
    kind = Terms(session.known.formalisms).of(cls)
    assert isinstance(kind, ObjectType)
    handle = Blueprint.of(declaration_of(cls)).build(session.node, (cls.__name__.lower(),), kind, {})
    return handle, Probe.joined_to(session.node, handle.endpoint("end"))


@pytest.fixture
def impatient(session: Session, problems: Problems) -> Iterator[Session]:
    """A session whose watchdog does not wait for long."""
    session.watchdog.close()
    watchdog = Watchdog(session.node.turn, problems.report, report_after=0.1, stop_after=0.3)
    watchdog.start()
    yield session
    watchdog.close()


def test_a_session_has_folders_and_a_registry(session: Session, crank: HandCranked) -> None:
    for thing in (Reference("liven:memory-folder"), Reference("liven:registry")):
        reply = session.loader.dereference(thing)
        crank.wait(lambda reply=reply: reply.settled)  # type: ignore[misc]
        assert list(reply.value().endpoints) == ["Endpoint"]
        reply.value().close()


def test_closing_leaves_no_thread(crank: HandCranked, problems: Problems, tmp_path: Path) -> None:
    session = Session.start(crank, problems, Folders.below(tmp_path), monitored=everyone)
    assert isinstance(session.node.monitors, Monitors)
    assert any(thread.name == "liven-watchdog" for thread in threading.enumerate())
    session.close()
    assert not any(thread.name == "liven-watchdog" for thread in threading.enumerate())


def told_of(name: str, problems: Problems) -> list[Problem]:
    """The problems of one object; a machine under load may be slow elsewhere as well."""
    return [problem for problem in problems if problem.where[:1] == (name,)]


def test_a_handler_that_does_not_end_is_interrupted_and_the_others_go_on(
    impatient: Session, problems: Problems
) -> None:
    (_held, first), (_kept, second) = stubborn(impatient), stubborn(impatient)
    first.send("work", {"seconds": 20.0})
    slow, stopped = told_of("stubborn", problems)
    assert (slow.kind, stopped.kind) == (Kind.SLOW, Kind.INTERRUPTED)
    assert slow.where == ("stubborn", "end.work")
    assert "while time.monotonic() < end" in slow.detail
    assert stopped.where == ("stubborn",)
    assert first.heard[-1] == ("disconnect",)
    second.send("work", {"seconds": 0.0})
    assert second.end.connected


def test_a_constructor_that_does_not_end_is_reported_as_interrupted(
    impatient: Session, crank: HandCranked, problems: Problems
) -> None:
    learn(
        impatient.known.catalogue,
        Declarations(__name__, (declaration_of(Unborn),)),
        impatient.known.matcher,
    )
    thing = Reference("0000000000000000000000000000D102")
    reply = impatient.loader.dereference(thing, at=("unborn",))
    crank.wait(lambda: reply.settled)
    assert isinstance(reply.error, DereferenceError)
    slow, stopped = told_of("unborn", problems)
    assert (slow.kind, slow.where) == (Kind.SLOW, ("unborn", "its constructor"))
    assert (stopped.kind, stopped.where) == (Kind.INTERRUPTED, ("unborn",))
    assert "its constructor did not end and was interrupted" in stopped.what
    assert "context.work" in stopped.advice
    assert "while time.monotonic() < end" in stopped.detail


def test_cleaning_up_that_does_not_end_is_interrupted_and_the_object_is_gone(
    impatient: Session, problems: Problems
) -> None:
    handle, probe = stubborn(impatient, Undying)
    probe.send("work", {"seconds": 1000.0})
    handle.close()
    slow, stopped = told_of("undying", problems)
    assert (slow.kind, slow.where) == (Kind.SLOW, ("undying", "cleaning up"))
    assert (stopped.kind, stopped.where) == (Kind.INTERRUPTED, ("undying",))
    assert probe.heard[-1] == ("disconnect",)
    assert not any(one.path == ("undying",) for one in impatient.node.running.values())
