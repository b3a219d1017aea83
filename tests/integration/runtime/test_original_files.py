"""Open every file of the original: each ends in a running object or in one problem with the reason."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from liven.runtime.dispatcher import HandCranked
from liven.runtime.errors import DereferenceError
from liven.runtime.problems import Problems
from liven.runtime.process.session import Session
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.xml import read
from liven.runtime.user_folders import UserFolders

CORPUS = os.environ.get("LIVEN_CORPUS", "")


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    problems = Problems()
    session = Session.start(HandCranked(problems.report), problems, UserFolders.below(tmp_path))
    yield session
    session.close()


@pytest.mark.slow
@pytest.mark.skipif(not CORPUS, reason="corpus: absent (LIVEN_CORPUS names no folder of original files)")
def test_every_original_file_ends_in_an_object_or_in_one_reason(session: Session) -> None:
    crank = session.node.dispatcher
    assert isinstance(crank, HandCranked)
    opened = 0
    for path in sorted(Path(CORPUS).rglob("*.liveobject")):
        try:
            thing = read(path.read_bytes()).object
        except ReadError:
            continue
        if thing is None:
            continue
        session.node.problems.clear()
        reply = session.loader.dereference(thing)
        crank.wait(lambda reply=reply: reply.settled)  # type: ignore[misc]
        if reply.error is None:
            reply.value().close()
        else:
            assert isinstance(reply.error, DereferenceError), path
            assert reply.error.what
            assert [problem.where for problem in session.node.problems] == [reply.error.where]
        opened += 1
    assert opened > 250
    session.loader.close()
    assert not session.node.running
