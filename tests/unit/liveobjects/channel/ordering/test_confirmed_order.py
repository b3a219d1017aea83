"""The confirmed order: stable operations, each once and in order; gaps, forks and states at their places."""

from __future__ import annotations

from liven.liveobjects.channel.history import BEGINNING, FIRST_OWN, Epoch, Position, chained_all
from liven.liveobjects.channel.ordering import Run
from liven.liveobjects.channel.ordering.confirmed_order import (
    NOBODY,
    Confirmed,
    ConfirmedOrder,
    Forked,
    Missing,
    Passed,
    StateAt,
)

ANN = b"a" * 16
BOB = b"b" * 16


class History:
    """Operations of one history by number."""

    def __init__(self, before: Position = BEGINNING) -> None:
        self.tip = before

    def run(self, *payloads: bytes, author: bytes = ANN) -> Run:
        chains = chained_all(self.tip.chain, author, FIRST_OWN, payloads)
        run = Run(self.tip.number + 1, author, FIRST_OWN, list(payloads), chains)
        self.tip = Position(BEGINNING.epoch, run.last, chains[-1])
        return run


def told(order: ConfirmedOrder) -> list[object]:
    """Return what was passed on, with operations by number."""
    found: list[object] = []
    for row in order.take():
        match row:
            case Confirmed(run=run):
                found += list(enumerate(run.payloads, run.number))
            case _:
                found.append(row)
    return found


def begun() -> tuple[ConfirmedOrder, History]:
    """Return the order of a new channel, and its history."""
    order = ConfirmedOrder()
    order.begins_empty()
    order.installed(BEGINNING, (), 0, begins=False, lost=False)
    order.began(BEGINNING, None)
    assert told(order) == [StateAt(0, None)]
    return order, History()


def test_an_operation_is_passed_on_when_it_is_stable() -> None:
    order, history = begun()
    order.delivered(history.run(b"1", b"2"), 7)
    assert told(order) == []
    assert order.pending == 2
    order.stable(1)
    assert told(order) == [(1, b"1")]
    order.stable(2)
    assert told(order) == [(2, b"2")]
    order.stable(2)
    assert told(order) == []


def test_a_state_stands_right_after_its_operation() -> None:
    order, history = begun()
    order.delivered(history.run(b"1", b"2"), 0)
    at = history.tip
    order.delivered(history.run(b"3", author=BOB), 0)
    order.state_at(at, b"state")
    order.stable(3)
    assert told(order) == [(1, b"1"), (2, b"2"), StateAt(2, b"state"), (3, b"3")]


def test_a_state_that_comes_too_late_is_dropped() -> None:
    order, history = begun()
    order.delivered(history.run(b"1"), 0)
    at = history.tip
    order.delivered(history.run(b"2"), 0)
    order.stable(2)
    order.take()
    order.state_at(at, b"late")
    assert told(order) == []


def test_a_newcomer_misses_the_numbers_before_the_state() -> None:
    order, history = ConfirmedOrder(), History()
    history.run(b"1", b"2", b"3")
    order.installed(history.tip, (), 3, begins=True, lost=False)
    order.delivered(history.run(b"4"), 0)
    order.stable(4)
    assert told(order) == []
    order.began(Position(BEGINNING.epoch, 3, b""), b"state")
    assert told(order) == [Missing(1, 3), StateAt(3, b"state"), (4, b"4")]


def test_operations_inside_a_state_fill_the_numbers_that_were_missing() -> None:
    order, history = ConfirmedOrder(), History()
    history.run(b"1", b"2", b"3")
    order.installed(history.tip, (), 3, begins=True, lost=False)
    order.began(history.tip, b"state", [b"2", b"3"])
    rows = order.take()
    assert rows[:2] == [Missing(1, 1), StateAt(1, b"state")]
    assert isinstance(rows[2], Confirmed)
    assert (rows[2].run.number, rows[2].run.author, rows[2].run.payloads) == (2, NOBODY, [b"2", b"3"])


def test_a_process_that_starts_again_goes_on_after_its_last_number() -> None:
    history = History()
    runs = [history.run(b"1", b"2"), history.run(b"3", b"4")]
    order = ConfirmedOrder(2, runs[0].chains[-1])
    order.found(BEGINNING, runs, 4, 0)
    assert told(order) == []
    order.began(BEGINNING, None)
    assert told(order) == [(3, b"3"), (4, b"4")]


def test_an_operation_in_the_middle_of_a_run_is_not_repeated() -> None:
    history = History()
    run = history.run(b"1", b"2", b"3")
    order = ConfirmedOrder(2, run.chains[1])
    order.found(BEGINNING, [run], 3, 0)
    order.began(BEGINNING, None)
    assert told(order) == [(3, b"3")]


def test_another_history_after_a_restart_is_a_fork() -> None:
    ours, theirs = History(), History()
    order = ConfirmedOrder(2, ours.run(b"1", b"2").chains[-1])
    order.found(BEGINNING, [theirs.run(b"x", b"y", b"z")], 3, 0)
    order.began(BEGINNING, None)
    rows = order.take()
    assert Forked(0) in rows


def test_pending_operations_of_a_losing_history_are_never_passed_on() -> None:
    order, history = begun()
    order.delivered(history.run(b"1"), 0)
    order.stable(1)
    order.take()
    common = history.tip
    order.delivered(history.run(b"lost"), 0)
    theirs = History(common)
    theirs.run(b"2", b"3")
    order.installed(theirs.tip, (), 3, begins=True, lost=False)
    order.began(theirs.tip, b"state")
    assert told(order) == [Missing(2, 3), StateAt(3, b"state")]


def test_a_losing_history_with_stable_operations_is_a_fork_after_the_last_common_one() -> None:
    order, history = begun()
    order.delivered(history.run(b"1"), 0)
    order.stable(1)
    common = history.tip
    order.delivered(history.run(b"2", b"3"), 0)
    order.stable(3)
    order.take()
    theirs = History(common)
    theirs.run(b"x")
    order.installed(theirs.tip, (Epoch(b"e" * 16, common, main=True),), 2, begins=True, lost=True)
    order.began(theirs.tip, b"state")
    assert told(order) == [Forked(1), Missing(2, 2), StateAt(2, b"state")]


def test_a_history_that_was_set_aside_continues_with_what_was_pending() -> None:
    order, history = begun()
    order.delivered(history.run(b"1"), 0)
    theirs = History()
    theirs.run(b"x", b"y")
    order.installed(theirs.tip, (), 2, begins=True, lost=False)
    order.restored(history.tip)
    order.stable(1)
    assert told(order) == [(1, b"1")]


def test_a_channel_that_begins_empty_again_takes_everything_back() -> None:
    order, history = begun()
    order.delivered(history.run(b"1"), 0)
    order.stable(1)
    order.take()
    order.begins_empty()
    order.began(BEGINNING, None)
    rows: list[Passed] = order.take()
    assert rows == [Forked(0), StateAt(0, None)]
