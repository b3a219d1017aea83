from __future__ import annotations

import threading

from liven.runtime.dispatcher.workers import Workers


def test_jobs_run_in_other_threads() -> None:
    assert where(Workers()) != threading.get_ident()


def test_no_more_threads_than_allowed_and_every_job_is_done() -> None:
    workers = Workers(most=3)
    gate, lock, done = threading.Event(), threading.Lock(), threading.Event()
    together, ran = [0, 0], list[int]()

    def job(number: int) -> None:
        with lock:
            together[0] += 1
            together[1] = max(together)
        gate.wait(60)
        with lock:
            together[0] -= 1
            ran.append(number)
            if len(ran) == 12:
                done.set()

    for number in range(12):
        workers.run(lambda number=number: job(number))  # type: ignore[misc]
    gate.set()
    assert done.wait(60)
    assert together[1] <= 3
    assert workers.threads <= 3
    assert sorted(ran) == list(range(12))


def test_a_thread_that_is_idle_is_used_again() -> None:
    workers = Workers()
    first = where(workers)
    while workers._idle == 0:  # it has answered, and is about to look for more
        pass
    assert where(workers) == first
    assert workers.threads == 1


def where(workers: Workers) -> int:
    """Return the thread that a job runs in."""
    ran, done = list[int](), threading.Event()

    def job() -> None:
        ran.append(threading.get_ident())
        done.set()

    workers.run(job)
    assert done.wait(60)
    return ran[0]
