"""Whole sessions, each with a home of its own, under hand-cranked dispatchers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from liven.runtime.dispatcher import HandCranked
from liven.runtime.errors import DereferenceError
from liven.runtime.folders import Folders
from liven.runtime.own_module import take_in
from liven.runtime.problems import Problems
from liven.runtime.proxy import ProxyHandle
from liven.runtime.reference.model import Document, Object
from liven.runtime.reference.xml import read, write
from liven.runtime.session import Session


@dataclass
class Machine:
    """One person's machine."""

    home: Path
    crank: HandCranked
    problems: Problems
    session: Session

    def learn(self, name: str, source: str) -> None:
        """Takes in an author's module."""
        path = self.home / f"{name}.py"
        path.write_text(source)
        take_in(path, self.session.known)

    def save(self, thing: Object, name: str) -> Path:
        """Writes a file."""
        path = self.home / f"{name}.liveobject"
        path.write_bytes(write(Document(thing)))
        return path

    def open(self, thing: Path | Object) -> ProxyHandle:
        """Opens a file or a reference, and waits until it runs."""
        reply = self._asked(thing)
        return reply.value()  # type: ignore[no-any-return]

    def refused(self, thing: Path | Object) -> DereferenceError:
        """What opening it fails with."""
        error = self._asked(thing).error
        assert isinstance(error, DereferenceError), error
        return error

    def instance(self, handle: ProxyHandle) -> Any:
        """The author's own object."""
        return handle.proxy().instance

    def _asked(self, thing: Path | Object) -> Any:
        found = read(thing.read_bytes()).object if isinstance(thing, Path) else thing
        assert found is not None
        reply = self.session.loader.dereference(found)
        self.crank.wait(lambda: reply.settled)
        return reply


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Callable[[str], Machine]]:
    """Makes machines by name."""
    made: list[Machine] = []

    def make(name: str) -> Machine:
        home = tmp_path / name
        home.mkdir()
        problems = Problems()
        crank = HandCranked(problems.report)
        made.append(Machine(home, crank, problems, Session.start(crank, problems, Folders.below(home))))
        return made[-1]

    yield make
    for one in made:
        one.session.close()
        one.crank.settle()
