"""Records that are chosen by their channel and their type."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.table.row_choice import ALL, RowChoice, without_payloads
from liven.liveobjects.feeds.table.survey import survey

CHOICE = RowChoice(frozenset(("b",)), frozenset(("bytes",)), inside=True)


def records(make: Callable[..., Record]) -> list[Record]:
    kinds = [("a", "bytes"), ("b", "bytes"), ("b", "text"), ("b", "bytes"), ("c", "text")]
    return [make(n, b"x" * n, channel=channel, type=type_) for n, (channel, type_) in enumerate(kinds)]


def test_a_record_is_in_one_of_two_opposite_choices(
    log: Callable[..., Log], make: Callable[..., Record]
) -> None:
    (block,) = log(records(make)).blocks()
    others = RowChoice(CHOICE.channels, CHOICE.types)
    assert np.flatnonzero(CHOICE.rows(block)).tolist() == [1, 3]
    assert np.flatnonzero(others.rows(block)).tolist() == [0, 2, 4]
    assert ALL.rows(block).all()


def test_columns_of_some_rows(log: Callable[..., Log], make: Callable[..., Record]) -> None:
    (block,) = log(records(make)).blocks()
    some = without_payloads(block, CHOICE.rows(block))
    assert some.channel.values() == ["b", "b"]
    assert some.serial.tolist() == [2, 4]
    assert some.size == 0


def test_a_survey_looks_at_what_is_chosen(log: Callable[..., Log], make: Callable[..., Record]) -> None:
    made = log([*records(make), make(1, b"", channel="b", type="bytes")])  # a serial for the second time
    inside = survey(made, "r", 0, 6, {}, choice=CHOICE)
    assert dict(inside.types) == {"bytes": 3}
    assert (inside.left_out, inside.fresh) == (3, False)
    outside = survey(made, "r", 0, 6, {}, choice=RowChoice(CHOICE.channels, CHOICE.types))
    assert (outside.rows, outside.left_out, outside.fresh) == (3, 3, True)
    nothing = survey(made, "r", 0, 6, {}, choice=RowChoice(frozenset(("z",)), frozenset(("z",)), inside=True))
    assert (nothing.rows, nothing.fresh, nothing.serials) == (0, True, None)
