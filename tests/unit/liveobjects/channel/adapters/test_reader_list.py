"""The list of readers and its changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from liven.liveobjects.channel.adapters.reader_list import (
    READERS_MOST,
    Reader,
    ReaderError,
    Ring,
    RingChange,
    apply,
    key_for,
    next_change,
    with_reader,
)
from liven.liveobjects.channel.process.user_keys import UserKeys

ANN, BOB, EVE = UserKeys.make(), UserKeys.make(), UserKeys.make()
OWNERS = (ANN.name,)


def reader(user: UserKeys, name: str = "x") -> Reader:
    return Reader(name, user.name, user.address)


def begun(*users: UserKeys) -> Ring:
    return apply(Ring(), next_change(ANN, Ring(), map(reader, users), OWNERS), OWNERS)


def test_each_reader_gets_the_same_key_and_nobody_else_gets_one() -> None:
    ring = begun(ANN, BOB)
    assert key_for(ANN, ring) == key_for(BOB, ring) is not None
    assert key_for(EVE, ring) is None


def test_a_removed_reader_does_not_get_the_next_key() -> None:
    ring = begun(ANN, BOB)
    after = apply(ring, next_change(ANN, ring, [reader(ANN)], OWNERS), OWNERS)
    assert after.view == 2
    assert key_for(BOB, after) is None
    assert key_for(ANN, after) not in (None, key_for(ANN, ring))


def refused(ring: Ring, change: RingChange) -> bool:
    return apply(ring, change, OWNERS) is ring


def test_only_owners_change_the_list_and_only_from_where_it_is() -> None:
    ring = begun(ANN, BOB)
    right = next_change(ANN, ring, [reader(ANN), reader(EVE)], OWNERS)
    assert not refused(ring, right)
    assert refused(ring, next_change(EVE, ring, [reader(EVE)], (EVE.name,)))
    assert refused(ring, replace(right, author=BOB.name))
    assert refused(ring, replace(right, signature=bytes(64)))
    assert refused(ring, replace(right, signature=b"short"))
    assert refused(ring, replace(right, ring=replace(right.ring, readers=(reader(EVE),) * 2)))
    assert refused(ring, replace(right, ring=replace(right.ring, sealed=())))
    assert refused(ring, next_change(ANN, ring, [reader(ANN)], ()))
    assert refused(apply(ring, right, OWNERS), right), "a change follows one list and no other"


def test_the_owners_in_the_reference_begin_the_first_list() -> None:
    assert refused(Ring(), next_change(EVE, Ring(), [reader(EVE)], (EVE.name,)))


def test_a_reader_is_identified_by_a_valid_key() -> None:
    ring = begun(ANN, BOB)
    assert len(with_reader(ring, reader(BOB, "bob again"))) == 2
    for wrong in (
        Reader("", BOB.name, BOB.address),
        Reader("x", b"short", BOB.address),
        Reader("x", BOB.name, b""),
    ):
        with pytest.raises(ReaderError):
            with_reader(ring, wrong)
    with pytest.raises(ReaderError, match="too many; the limit"):
        next_change(ANN, ring, [reader(ANN)] * (READERS_MOST + 1), OWNERS)
