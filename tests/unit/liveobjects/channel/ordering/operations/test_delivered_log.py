"""The delivered log: positions, epochs that begin with their first operation, and operations for others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.history import BEGINNING, FIRST_OWN, Comparison, Epoch, Position, chained
from liven.liveobjects.channel.history.declarations import mark
from liven.liveobjects.channel.ordering.operations.delivered_log import DeliveredLog

ANN, BOB = b"a" * 16, b"b" * 16


def unknown(_: int) -> None:
    return None


def test_operations_get_consecutive_numbers_and_a_chain() -> None:
    past = DeliveredLog()
    run = past.add(ANN, FIRST_OWN, [b"x", b"y"])
    first = chained(BEGINNING.chain, ANN, FIRST_OWN, b"x")
    assert (run.number, run.last) == (1, 2)
    assert run.chains == [first, chained(first, ANN, FIRST_OWN + 1, b"y")]
    assert past.marks == {ANN: FIRST_OWN + 1}
    assert past.tip == Position(BEGINNING.epoch, 2, run.chains[-1])


def test_whoever_remembers_other_authors_gets_another_chain() -> None:
    sound, mistaken = DeliveredLog(), DeliveredLog(marks={ANN: FIRST_OWN + 1})
    runs = [log.add(ANN, FIRST_OWN, [b"x", b"y", b"z"]) for log in (sound, mistaken)]
    assert [run.void for run in runs] == [(), (0, 1)]
    assert all(one != other for one, other in zip(*(run.chains for run in runs), strict=True))


def test_an_epoch_begins_with_its_first_operation() -> None:
    past = DeliveredLog()
    past.add(ANN, 1, [b"x"])
    side = Epoch(b"s" * 16, past.tip, main=False)
    past.expect([side])
    assert past.main
    past.add(ANN, 2, [b"y"])
    assert not past.main
    assert [past.epoch_at(number) for number in (1, 2)] == [BEGINNING.epoch, side.identity]


def test_an_epoch_that_did_not_begin_leaves_no_trace() -> None:
    past = DeliveredLog()
    past.expect([Epoch(b"s" * 16, past.tip, main=False)])
    past.expect_nothing()
    past.add(ANN, 1, [b"x"])
    assert past.epochs == ()


def test_epochs_begin_in_order_of_their_places() -> None:
    past = DeliveredLog()
    later = Epoch(b"2" * 16, Position(b"1" * 16, 2, b"c" * 16), main=True)
    first = Epoch(b"1" * 16, past.tip, main=True)
    past.expect([later])
    past.expect([first, later])
    past.add(ANN, 1, [b"x", b"y"])
    past.add(ANN, 3, [b"z"])
    assert past.epochs == (first, later)


def test_forgotten_stable_operations_are_no_longer_available() -> None:
    past = DeliveredLog()
    past.add(ANN, 1, [b"x", b"y"])
    past.add(BOB, 1, [b"z"])
    past.confirm(2)
    past.forget(2)
    assert past.kept_from == 3
    assert past.kept_bytes == 1
    assert [run.payloads for run in past.since(1)] == [[b"z"]]
    assert past.stable.number == 2


def test_others_get_operations_from_the_middle_of_a_run() -> None:
    past = DeliveredLog()
    past.add(ANN, 1, [b"x", b"y", b"z"])
    (run,) = past.since(2)
    assert (run.number, run.first, run.payloads) == (2, 2, [b"y", b"z"])


@given(st.lists(st.binary(max_size=2), max_size=6), st.lists(st.binary(max_size=2), max_size=6))
def test_it_holds_exactly_the_positions_of_its_prefixes(one: list[bytes], other: list[bytes]) -> None:
    pasts = []
    for payloads in (one, other):
        past = DeliveredLog()
        for number, payload in enumerate(payloads, 1):
            past.add(ANN, number, [payload])
        pasts.append(past)
    assert pasts[0].holds(pasts[1].tip, unknown) == (one[: len(other)] == other)


def test_old_positions_are_asked_of_the_log() -> None:
    past = DeliveredLog(Position(b"e" * 16, 9, b"c" * 16))
    asked = {4: b"4" * 16}
    assert past.holds(Position(b"e" * 16, 4, b"4" * 16), asked.get)
    assert not past.holds(Position(b"e" * 16, 4, b"5" * 16), asked.get)


def test_the_hash_of_the_last_stable_operation_is_known_whatever_was_declared() -> None:
    epoch = Epoch(b"e" * 16, BEGINNING, main=True)
    stable = Position(epoch.identity, 5, b"d" * 16)
    past = DeliveredLog(Position(epoch.identity, 9, b"c" * 16), stable, (epoch,))
    declared = Comparison(b"f" * 16 + mark(b"r" * 6, 0, 9), b"f" * 16)
    assert past.holds(stable, unknown, declared)
    assert not past.holds(stable._replace(chain=b"x" * 16), unknown, declared)
    assert not past.holds(stable._replace(number=4), unknown, declared)


def test_without_a_hash_the_epoch_decides_about_stable_operations_only() -> None:
    epoch = Epoch(b"e" * 16, BEGINNING, main=True)
    here = Position(epoch.identity, 9, b"c" * 16)
    stable = Position(epoch.identity, 5, b"d" * 16)
    past = DeliveredLog(here, stable, (epoch,))
    assert past.holds(Position(epoch.identity, 4, b"4" * 16), unknown)
    assert not past.holds(Position(b"f" * 16, 4, b"4" * 16), unknown)
    assert not past.holds(Position(epoch.identity, 7, b"7" * 16), unknown)
    assert not past.holds(Position(epoch.identity, 10, b"7" * 16), unknown)


def test_what_others_may_have_confirmed_differently_counts_as_part_of_the_next_epoch() -> None:
    first = Epoch(b"e" * 16, BEGINNING, main=True)
    parent = Position(first.identity, 9, b"c" * 16)
    past = DeliveredLog(parent, parent._replace(number=5, chain=b"d" * 16), (first,))
    past.expect((Epoch(b"f" * 16, parent, True, 5),))
    past.confirm(9)
    assert past.stable == Position(b"f" * 16, 9, b"c" * 16), "even before its first operation"
    past.add(b"a" * 16, 1, [b"x"])
    past.confirm(10)
    past.forget(10)
    assert past.holds(Position(first.identity, 5, b"d" * 16), unknown)
    assert not past.holds(Position(first.identity, 7, b"7" * 16), unknown)
    assert past.holds(Position(first.identity, 9, b"c" * 16), unknown), "the hash of the parent is known"
    assert not past.holds(Position(first.identity, 9, b"9" * 16), unknown)
