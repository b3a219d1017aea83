"""A signature belongs to one key, one name, one kind of thing and one hash."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from liven.runtime.signing.own_key import OwnKey, make_key
from liven.runtime.signing.signature import (
    Signature,
    SignatureError,
    Signed,
    claimed_name,
    fingerprint,
    read_signature,
)

HASH = "ab" * 32


@pytest.fixture
def ann(tmp_path: Path) -> OwnKey:
    return make_key(tmp_path / "ann", "Ann's laptop")


def test_a_signature_holds_for_what_was_signed_and_nothing_else(ann: OwnKey, tmp_path: Path) -> None:
    made = ann.sign(Signed.LIBRARY, HASH)
    other = make_key(tmp_path / "ben", "Ann's laptop")
    assert made.holds(Signed.LIBRARY, HASH)
    assert not made.holds(Signed.OBJECT, HASH)
    assert not made.holds(Signed.LIBRARY, "cd" * 32)
    assert not replace(made, name="Ben's laptop").holds(Signed.LIBRARY, HASH)
    assert not replace(made, signer=other.signer).holds(Signed.LIBRARY, HASH)
    assert not replace(made, proof="00" * 64).holds(Signed.LIBRARY, HASH)
    assert not Signature("not a key", "x", "zz").holds(Signed.LIBRARY, HASH)


def test_a_name_cannot_be_moved_into_the_hash(ann: OwnKey) -> None:
    """Fields are delimited: a name that ends like a hash does not make another statement."""
    made = replace(ann, name='x","' + HASH).sign(Signed.LIBRARY, HASH)
    assert not replace(made, name="x").holds(Signed.LIBRARY, f'{HASH}","{HASH}')


def test_a_file_gives_the_signature_back(ann: OwnKey) -> None:
    made = ann.sign(Signed.LIBRARY, HASH)
    assert read_signature(made.file()) == made


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b'{"signer": 1}', b'{"signer": "ab", "name": "x", "signature": "cd"}', b"[" * 9999],
)
def test_anything_else_is_no_signature(data: bytes) -> None:
    with pytest.raises(SignatureError):
        read_signature(data)


def test_keys_and_names_are_shown_so_that_people_can_compare_them() -> None:
    assert fingerprint("0123456789abcdef" * 4) == "0123 4567 89ab cdef 0123 4567 89ab cdef"
    assert claimed_name("Ann\u202e\n" + "x" * 99) == "Ann " + "x" * 56
    assert claimed_name("\u200b ") == "somebody without a name"
