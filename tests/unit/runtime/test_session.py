from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from liven.runtime.author import Blueprint
from liven.runtime.dispatcher import HandCranked, Watchdog
from liven.runtime.folders import Folders
from liven.runtime.monitoring import Monitors, everyone
from liven.runtime.probe import Probe
from liven.runtime.problems import Kind, Problems
from liven.runtime.proxy import ProxyHandle
from liven.runtime.reference.model import Reference
from liven.runtime.session import Session
from liven.types.declare import Exports, Terms, interface, proxy
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


@pytest.fixture
def session(crank: HandCranked, problems: Problems, tmp_path: Path) -> Iterator[Session]:
    session = Session.start(crank, problems, Folders.below(tmp_path))
    yield session
    session.close()


def stubborn(session: Session) -> tuple[ProxyHandle, Probe]:
    kind = Terms(session.known.formalisms).of(Stubborn)
    assert isinstance(kind, ObjectType)
    handle = Blueprint.of(declaration_of(Stubborn)).build(session.node, ("stubborn",), kind, {})
    return handle, Probe.joined_to(session.node, handle.endpoint("end"))


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


def test_a_handler_that_does_not_end_is_interrupted_and_the_others_go_on(
    session: Session, problems: Problems
) -> None:
    session.watchdog.close()
    watchdog = Watchdog(session.node.turn, problems.report, report_after=0.02, stop_after=0.06)
    watchdog.start()
    (_held, first), (_kept, second) = stubborn(session), stubborn(session)
    first.send("work", {"seconds": 20.0})
    watchdog.close()
    slow, stopped = problems
    assert (slow.kind, stopped.kind) == (Kind.SLOW, Kind.INTERRUPTED)
    assert slow.where == ("stubborn", "end.work")
    assert "while time.monotonic() < end" in slow.detail
    assert stopped.where == ("stubborn",)
    assert first.heard[-1] == ("disconnect",)
    second.send("work", {"seconds": 0.0})
    assert second.end.connected
