"""Trying a step again."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any, cast

import pytest

from liven.liveobjects.feeds.spark.jobs.attempts import ATTEMPTS, attempted
from liven.liveobjects.feeds.spark.jobs.job import CancelledError, JobContext, JobError
from liven.liveobjects.feeds.spark.session import Session
from liven.liveobjects.feeds.spark.virtual_machine import VirtualMachineEndedError
from liven.liveobjects.feeds.table.commits.layout import Layout


class FakeSession:
    """The part of a session that attempts need."""

    def __init__(self) -> None:
        self.ended = False

    def demand_running(self) -> None:
        if self.ended:
            raise VirtualMachineEndedError("Java was killed")


@pytest.fixture
def fake() -> FakeSession:
    return FakeSession()


@pytest.fixture
def events() -> list[dict[str, Any]]:
    return []


@pytest.fixture
def context(fake: FakeSession, events: list[dict[str, Any]], tmp_path: Path) -> JobContext:
    return JobContext(cast(Session, fake), tmp_path, Layout(tmp_path), events.append, threading.Event())


def failing(times: int, error: Exception) -> Any:
    left = iter(range(times))

    def step() -> None:
        if next(left, None) is not None:
            raise error

    return step


def test_a_failure_that_passes_is_tried_again(context: JobContext, events: list[dict[str, Any]]) -> None:
    attempted(context, failing(2, RuntimeError("a worker died\nwith a stack")))
    assert [(event["event"], event["text"]) for event in events] == [("retry", "a worker died")] * 2


def test_a_failure_that_stays_is_said(context: JobContext) -> None:
    with pytest.raises(JobError, match=f"Spark failed {ATTEMPTS} times: no luck"):
        attempted(context, failing(99, RuntimeError("no luck")))


def test_a_full_disk_is_not_tried_again(context: JobContext, events: list[dict[str, Any]]) -> None:
    with pytest.raises(OSError, match="No space left"):
        attempted(context, failing(1, RuntimeError("java.io.IOException: No space left on device")))
    assert events == []


def test_the_end_of_java_is_told_from_other_failures(context: JobContext, fake: FakeSession) -> None:
    def step() -> None:
        fake.ended = True
        raise RuntimeError("connection refused")

    with pytest.raises(VirtualMachineEndedError):
        attempted(context, step)


def test_a_cancelled_job_tries_nothing(context: JobContext) -> None:
    context.cancelled.set()
    with pytest.raises(CancelledError):
        attempted(context, failing(0, RuntimeError()))
