"""Sealed values: only holders of the key can open them, and forgeries are detected."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from liven.liveobjects.channel.adapters.base import UnfitError
from liven.liveobjects.channel.adapters.sealed_values import Sealed, Sealer, derived
from liven.liveobjects.channel.process.user_keys import UserKeys

KEY, OTHER = derived(bytes(32), "a"), derived(bytes(32), "b")
ANN, BOB = Sealer(UserKeys.make()), Sealer(UserKeys.make())


def sealed() -> Sealed:
    return ANN.seal(b"hello", KEY, 1, b"message")


def test_a_holder_of_the_key_can_open_it() -> None:
    assert BOB.open(sealed(), KEY, b"message") == b"hello"


def test_another_key_or_purpose_cannot_open_it() -> None:
    for key, purpose in ((OTHER, b"message"), (KEY, b"state")):
        with pytest.raises(UnfitError):
            BOB.open(sealed(), key, purpose)


@pytest.mark.parametrize("part", ["sender", "session", "nonce", "box", "signature"])
def test_a_changed_bit_anywhere_is_detected(part: str) -> None:
    whole = sealed()
    data = bytearray(getattr(whole, part))
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1
        fields: dict[str, Any] = {part: bytes(changed)}
        with pytest.raises(UnfitError):
            BOB.open(replace(whole, **fields), KEY, b"message")


def test_counts_and_views_are_authenticated_and_wrong_lengths_are_refused() -> None:
    whole = sealed()
    for changed in (
        replace(whole, count=99),
        replace(whole, view=2),
        replace(whole, sender=b""),
        replace(whole, nonce=b""),
        replace(whole, signature=b""),
        replace(whole, box=b""),
    ):
        with pytest.raises(UnfitError):
            BOB.open(changed, KEY, b"message")


def test_a_holder_of_the_key_cannot_impersonate_another_sender() -> None:
    forged = replace(BOB.seal(b"I am Ann", KEY, 1, b"message"), sender=sealed().sender)
    with pytest.raises(UnfitError, match="its sender is forged"):
        BOB.open(forged, KEY, b"message")


def test_a_value_is_accepted_only_once() -> None:
    reader = Sealer(UserKeys.make())
    first, second = sealed(), sealed()
    reader.once(first)
    reader.once(second)
    for again in (first, second):
        with pytest.raises(UnfitError, match="is a repetition"):
            reader.once(again)


def test_values_before_a_state_are_rejected_by_those_who_begin_with_it() -> None:
    reader, joiner = Sealer(UserKeys.make()), Sealer(UserKeys.make())
    first, second = sealed(), sealed()
    reader.once(first)
    assert joiner.remember(reader.remembered() + b"the state") == b"the state"
    with pytest.raises(UnfitError, match="is a repetition"):
        joiner.once(first)
    joiner.once(second)
    joiner.forget()
    joiner.once(first)


def test_receivers_of_the_same_values_remember_the_same() -> None:
    one, other = Sealer(UserKeys.make()), Sealer(UserKeys.make())
    writers = [Sealer(UserKeys.make()) for _ in range(3)]
    one.once(writers[0].seal(b"", KEY, 1, b"message"))
    other.remember(one.remembered())
    for writer in (writers[1], writers[0], writers[2]):
        said = writer.seal(b"", KEY, 1, b"message")
        one.once(said)
        other.once(said)
    assert one.remembered() == other.remembered()


def test_remembered_sessions_are_bounded() -> None:
    reader, said = Sealer(UserKeys.make()), sealed()
    for number in range(4100):
        reader.once(replace(said, session=number.to_bytes(16, "little")))
    assert len(reader.remembered()) == 4 + 4096 * 56


def test_data_without_counts_is_not_a_state() -> None:
    reader = Sealer(UserKeys.make())
    for data in (b"", b"\1\0\0\0", b"\xff\xff\xff\xff" + bytes(100)):
        with pytest.raises(UnfitError, match="counts of earlier messages"):
            reader.remember(data)


def test_a_session_of_another_length_is_refused() -> None:
    forger = Sealer(UserKeys.make())
    forger._session = bytes(1_000)
    with pytest.raises(UnfitError, match="session is invalid"):
        BOB.open(forger.seal(b"hello", KEY, 1, b"message"), KEY, b"message")


def test_equal_texts_differ_when_sealed() -> None:
    boxes = {(one.nonce, one.box) for one in (sealed() for _ in range(50))}
    assert len({nonce for nonce, _ in boxes}) == len({box for _, box in boxes}) == 50
