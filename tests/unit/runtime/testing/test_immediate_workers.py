from __future__ import annotations

import threading
from typing import Protocol

from liven.runtime.objects.context import Context
from liven.runtime.testing import Bench
from liven.runtime.testing.immediate_workers import ImmediateWorkers
from liven.types.declare import Exports, interface, proxy


@interface
class Starts(Protocol):
    def start(self) -> None: ...


@proxy(id="0000000000000000000000000000C00A", alias="test:digger")
class Digger:
    """Does slow work in the background."""

    end: Exports[Starts]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.found: list[int] = []

    def start(self) -> None:
        self.context.work(dig).then(lambda reply: self.found.append(reply.value()))
        self.context.errand(dig).then(lambda reply: self.found.append(reply.value()))


def dig() -> int:
    threading.Event().wait(0.05)
    return threading.get_ident()


def test_a_job_is_done_when_it_was_given_and_in_another_thread() -> None:
    ran: list[int] = []
    ImmediateWorkers().run(lambda: ran.append(dig()))
    assert len(ran) == 1
    assert ran != [threading.get_ident()]


def test_results_of_background_work_arrive_in_the_next_turn() -> None:
    with Bench() as bench:
        digger = bench.build(Digger)
        digger.probe("end").send("start")
        assert digger.instance.found == []
        bench.advance(0)
        assert len(digger.instance.found) == 2
        assert threading.get_ident() not in digger.instance.found
