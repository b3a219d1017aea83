"""The time limit of loading, when it pauses, and progress and cancelling."""

from __future__ import annotations

import pytest
from tests.unit.runtime.loader.conftest import external, folder, run, source

from liven.runtime.dispatcher import HandCranked
from liven.runtime.errors import CancelledReplyError, DereferenceError
from liven.runtime.loader import Loader, Progress
from liven.runtime.objects.node import Node
from liven.runtime.objects.reply import Reply
from liven.runtime.problems import Problems
from liven.runtime.reference.model import (
    Reference,
)

pytestmark = pytest.mark.usefixtures("learned")


def test_the_time_limit_pauses_while_a_person_is_asked(
    loader: Loader, node: Node, crank: HandCranked
) -> None:
    answer: Reply[bool] = Reply()
    node.questions.counting(lambda _: answer)("may it run?")
    reply = loader.dereference(external("x", Reference("test:mute-folder")), time_limit=2.0)
    crank.advance(3600.0)
    assert not reply.settled
    answer.resolve(True)
    crank.advance(1.9)
    assert not reply.settled, "all of its time begins with the answer"
    crank.advance(2.2)
    assert isinstance(reply.error, DereferenceError)
    assert "not ready after 2 s" in reply.error.what


def test_a_cancelled_question_does_not_pause_the_time_limit(
    loader: Loader, node: Node, crank: HandCranked
) -> None:
    answer: Reply[bool] = Reply()
    node.questions.counting(lambda _: answer)("may it run?").cancel()
    settled: Reply[bool] = Reply()
    settled.resolve(False)
    node.questions.counting(lambda _: settled)("and this?")
    reply = loader.dereference(external("x", Reference("test:mute-folder")), time_limit=2.0)
    crank.advance(2.1)
    assert isinstance(reply.error, DereferenceError)


def test_a_dereference_can_be_cancelled_and_leaves_nothing(
    loader: Loader, node: Node, problems: Problems
) -> None:
    reply = loader.dereference(external("x", Reference("test:mute-folder")))
    assert node.running
    reply.cancel()
    assert isinstance(reply.error, CancelledReplyError)
    loader.close()
    assert not node.running
    assert len(problems) == 0


def test_progress_names_each_place(loader: Loader) -> None:
    said: list[Progress] = []
    run(loader, external("a", folder(a=source("x"))), progress=said.append)
    assert [step.what for step in said] == [
        "looking for its classes",
        "opening the folder of 'a'",
        "starting",
        "asking for 'a'",
        "looking for its classes",
        "starting",
    ]
    assert (said[0].built, said[-1].built) == (0, 1)
