"""Numbered operations from others, in slices that overlap, repeat or come out of order: each is taken
once."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.history import Epoch
from liven.liveobjects.channel.ordering.message_codec import decode, encode
from liven.liveobjects.channel.ordering.messages import BATCH_MOST, Fill
from liven.liveobjects.channel.ordering.operations.delivered_log import DeliveredLog
from liven.liveobjects.channel.ordering.operations.missing_operations import MissingOperations, loose, slices

REGIME, AUTHOR = b"r" * 16, b"a" * 16


def full(count: int, size: int = 1) -> DeliveredLog:
    past = DeliveredLog()
    for number in range(1, count + 1, 3):
        top = min(count, number + 2)
        past.add(AUTHOR, number, [b"%d" % each * size for each in range(number, top + 1)])
    return past


@given(st.integers(1, 30), st.data())
def test_a_member_that_is_behind_gets_exactly_the_rest(count: int, data: st.DataObject) -> None:
    whole, behind = full(count), DeliveredLog()
    known = data.draw(st.integers(0, count))
    for number in range(1, known + 1):
        behind.add(AUTHOR, number, [b"%d" % number])
    first = data.draw(st.integers(1, known + 1))
    pieces = [*slices(REGIME, whole, first, count), *slices(REGIME, whole, known + 1, count)]
    random.Random(data.draw(st.integers(0, 99))).shuffle(pieces)
    fills = MissingOperations()
    for piece in pieces:
        fills.put(piece)
    taken = [number for run in fills.take(behind) for number in range(run.number, run.last + 1)]
    assert taken == list(range(known + 1, count + 1))
    assert behind.tip == whole.tip


def test_long_operations_come_in_several_messages() -> None:
    past = full(9, size=100_000)
    pieces = list(slices(REGIME, past, 1, 9))
    assert len(pieces) > 2
    assert [piece.number for piece in pieces] == sorted(piece.number for piece in pieces)
    fills, other = MissingOperations(), DeliveredLog()
    for piece in pieces:
        fills.put(piece)
    assert len(list(fills.take(other))) >= 3
    assert other.tip == past.tip


def test_epochs_travel_with_the_operations_that_begin_them() -> None:
    past = full(3)
    epoch = Epoch(b"e" * 16, past.tip, main=True)
    past.expect([epoch])
    past.add(AUTHOR, 4, [b"4"])
    assert [piece.epochs for piece in slices(REGIME, past, 1, 4)] == [(epoch,)]
    assert [piece.epochs for piece in slices(REGIME, past, 1, 3)] == [()]


def test_operations_without_a_number_get_them_from_the_plan() -> None:
    assert list(loose(REGIME, 8, AUTHOR, 5, [b"x", b"y"])) == [Fill(REGIME, 8, ((AUTHOR, 5, [b"x", b"y"]),))]


def test_many_small_runs_are_split_so_that_the_others_can_read_them() -> None:
    past = DeliveredLog()
    for number in range(1, 2 * BATCH_MOST + 2):
        past.add(bytes([number % 2]) * 16, number, [b""])
    sent = list(slices(REGIME, past, 1, past.number))
    assert [decode(encode(each)) for each in sent] == sent
