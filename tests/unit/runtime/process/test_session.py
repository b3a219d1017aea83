from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import pytest

from liven.runtime.capability import Consent
from liven.runtime.dispatcher import HandCranked, Watchdog
from liven.runtime.errors import DereferenceError
from liven.runtime.objects.context import Context
from liven.runtime.objects.probe import Probe
from liven.runtime.objects.promise_monitor import PromiseMonitors, everyone
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.proxy_builder import Blueprint
from liven.runtime.problems import Kind, Problem, Problems
from liven.runtime.process.session import Session
from liven.runtime.reference.model import Reference
from liven.runtime.user_folders import UserFolders
from liven.types.catalogue import register
from liven.types.declare import Declarations, Exports, TermBuilder, interface, proxy
from liven.types.declare.annotation.reader import declaration_of
from liven.types.terms.endpoint_types import ObjectType


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
    end = time.monotonic() + 60
    while time.monotonic() < end:
        pass


@pytest.fixture
def session(crank: HandCranked, problems: Problems, tmp_path: Path) -> Iterator[Session]:
    session = Session.start(crank, problems, UserFolders.below(tmp_path), consent=Consent((tmp_path,)))
    yield session
    session.close()


def stubborn(session: Session, cls: type = Stubborn) -> tuple[ProxyHandle, Probe]:
    kind = TermBuilder(session.known.formalisms).of(cls)
    assert isinstance(kind, ObjectType)
    handle = Blueprint.of(declaration_of(cls)).build(session.node, (cls.__name__.lower(),), kind, {})
    return handle, Probe.joined_to(session.node, handle.endpoint("end"))


@contextmanager
def impatience(session: Session, problems: Problems) -> Iterator[None]:
    """A watchdog that is impatient only while something spins: on a busy machine, it might mistake any
    other handler for an endless one."""
    session.watchdog.close()
    watchdog = Watchdog(session.node.queue, problems.report, report_after=0.1, stop_after=0.3)
    watchdog.start()
    try:
        yield
    finally:
        watchdog.close()


def test_a_session_has_folders_and_a_registry(session: Session, crank: HandCranked) -> None:
    for thing in (Reference("liven:memory-folder"), Reference("liven:registry")):
        reply = session.loader.dereference(thing)
        crank.wait(lambda reply=reply: reply.settled)  # type: ignore[misc]
        assert list(reply.value().endpoints) == ["Endpoint"]
        reply.value().close()


def test_closing_leaves_no_thread(crank: HandCranked, problems: Problems, tmp_path: Path) -> None:
    session = Session.start(crank, problems, UserFolders.below(tmp_path), monitored=everyone)
    assert isinstance(session.node.monitors, PromiseMonitors)
    assert any(thread.name == "liven-watchdog" for thread in threading.enumerate())
    session.close()
    assert not any(thread.name == "liven-watchdog" for thread in threading.enumerate())


def told_of(where: tuple[str, ...], problems: Problems) -> list[Problem]:
    """Return how a handler was found slow and how its object ended; on a busy machine,
    others may be slow as well."""
    slow = [one for one in problems if one.kind is Kind.SLOW and one.where == where and not one.is_over]
    return slow + [one for one in problems if one.kind is not Kind.SLOW and one.where[:1] == where[:1]]


def test_a_handler_that_does_not_end_is_interrupted_and_the_others_go_on(
    session: Session, problems: Problems
) -> None:
    (_held, first), (_kept, second) = stubborn(session), stubborn(session)
    with impatience(session, problems):
        first.send("work", {"seconds": 60.0})
    slow, stopped = told_of(("stubborn", "end.work"), problems)
    assert stopped.kind is Kind.INTERRUPTED
    assert "while time.monotonic() < end" in slow.detail
    assert stopped.where == ("stubborn",)
    assert first.heard[-1] == ("disconnect",)
    second.send("work", {"seconds": 0.0})
    assert second.end.connected


def test_a_constructor_that_does_not_end_is_reported_as_interrupted(
    session: Session, crank: HandCranked, problems: Problems
) -> None:
    register(
        session.known.catalogue, Declarations(__name__, (declaration_of(Unborn),)), session.known.matcher
    )
    thing = Reference("0000000000000000000000000000D102")
    reply = session.loader.dereference(thing, at=("unborn",))
    with impatience(session, problems):
        crank.wait(lambda: reply.settled)
    assert isinstance(reply.error, DereferenceError)
    _slow, stopped = told_of(("unborn", "its constructor"), problems)
    assert (stopped.kind, stopped.where) == (Kind.INTERRUPTED, ("unborn",))
    assert "its constructor did not end and was interrupted" in stopped.what
    assert "context.work" in stopped.advice
    assert "while time.monotonic() < end" in stopped.detail


def test_cleaning_up_that_does_not_end_is_interrupted_and_the_object_is_gone(
    session: Session, problems: Problems
) -> None:
    handle, probe = stubborn(session, Undying)
    probe.send("work", {"seconds": 1000.0})
    with impatience(session, problems):
        handle.close()
    _slow, stopped = told_of(("undying", "cleaning up"), problems)
    assert (stopped.kind, stopped.where) == (Kind.INTERRUPTED, ("undying",))
    assert probe.heard[-1] == ("disconnect",)
    assert not any(one.path == ("undying",) for one in session.node.running.values())
