"""Functions called in Spark's workers."""

from __future__ import annotations

import pytest

from liven.liveobjects.feeds.spark.jobs.worker_tasks import TaskError, by_query, results_of
from liven.liveobjects.feeds.spark.session import Session


def test_results_come_in_order(session: Session) -> None:
    local = lambda number: f"{2 * number}"  # noqa: E731 - workers cannot import this module
    assert results_of(session, local, 5) == ["0", "2", "4", "6", "8"]
    assert by_query(session.spark, local, 3) == ["0", "2", "4"]


@pytest.mark.parametrize("is_query", [False, True])
def test_the_error_of_a_worker_is_one_line(session: Session, is_query: bool) -> None:
    def fails(number: int) -> str:
        raise OSError(28, "No space left on device", f"/tables/{number}")

    if is_query:
        with pytest.raises(Exception, match="No space left on device"):
            by_query(session.spark, fails, 1)
        return
    with pytest.raises(TaskError) as caught:
        results_of(session, fails, 1)
    assert str(caught.value) == "OSError: [Errno 28] No space left on device: '/tables/0'"
