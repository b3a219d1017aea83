"""Who may read: a list that only its owners change, and for each change of it a new key.

The state is a fold over the changes in the order of a channel, so all replicas agree at every message who may
read it. A key is sealed to each reader alone; who is not on the list any more never gets the next one.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from nacl.exceptions import BadSignatureError, CryptoError
from nacl.public import PublicKey, SealedBox
from nacl.signing import VerifyKey
from nacl.utils import random

from liven.liveobjects.channel.adapters.sealed_values import KEY_BYTES
from liven.liveobjects.channel.process.user_keys import UserKeys
from liven.types.declare import UInt64, value

READERS_MOST: Final = 1024
_NAME_MOST: Final = 200


class ReaderError(ValueError):
    """A change of the list that cannot be."""


@value
@dataclass(frozen=True)
class Reader:
    """One who may read."""

    name: str
    """What people call it."""
    sign: bytes
    """The key that verifies what it signs."""
    box: bytes
    """The key to which keys are sealed."""


@value
@dataclass(frozen=True)
class Ring:
    """The list after some number of changes, with the key of now sealed to each reader."""

    view: UInt64 = 0
    owners: tuple[bytes, ...] = ()
    readers: tuple[Reader, ...] = ()
    sealed: tuple[bytes, ...] = ()
    """For each reader, in the order of the list."""


@value
@dataclass(frozen=True)
class RingChange:
    """The next list, signed by an owner of the one before it."""

    ring: Ring
    author: bytes
    signature: bytes


def apply(ring: Ring, change: RingChange, first_owners: tuple[bytes, ...]) -> Ring:
    """The list after a change; the same list if the change is not from an owner or does not follow it."""
    owners = ring.owners if ring.view else first_owners
    new = change.ring
    sound = (
        new.view == ring.view + 1
        and change.author in owners
        and bool(new.owners)
        and len(new.readers) == len(new.sealed) <= READERS_MOST
    )
    if not sound:
        return ring
    try:
        VerifyKey(change.author).verify(_told(new), change.signature)
    except (BadSignatureError, CryptoError, ValueError, TypeError):
        return ring
    return new


def next_change(
    user: UserKeys, ring: Ring, readers: Iterable[Reader], owners: tuple[bytes, ...]
) -> RingChange:
    """The change that makes `readers` the list, with a fresh key for each of them."""
    listed = tuple(readers)
    if len(listed) > READERS_MOST:
        raise ReaderError(f"{len(listed)} readers are more than {READERS_MOST}")
    key = random(KEY_BYTES)
    new = Ring(ring.view + 1, owners, listed, tuple(_sealed(key, reader) for reader in listed))
    return RingChange(new, user.name, user.sign.sign(_told(new)).signature)


def with_reader(ring: Ring, reader: Reader) -> tuple[Reader, ...]:
    """The list with one more, or with new keys of one who is on it."""
    if not reader.name or len(reader.name) > _NAME_MOST:
        raise ReaderError("a reader has a name of 1 to 200 characters")
    try:
        VerifyKey(reader.sign)
        _sealed(bytes(KEY_BYTES), reader)
    except (CryptoError, ValueError, TypeError) as error:
        raise ReaderError(f"the keys of {reader.name!r} are no keys: {error}") from None
    return (*(one for one in ring.readers if one.sign != reader.sign), reader)


def key_for(user: UserKeys, ring: Ring) -> bytes | None:
    """The key of now, if the user may read."""
    for reader, sealed in zip(ring.readers, ring.sealed, strict=False):
        if reader.sign == user.name:
            try:
                key = SealedBox(user.box).decrypt(sealed)
            except CryptoError:
                return None
            return key if len(key) == KEY_BYTES else None
    return None


def _sealed(key: bytes, reader: Reader) -> bytes:
    return SealedBox(PublicKey(reader.box)).encrypt(key)


def _told(ring: Ring) -> bytes:
    """What an owner signs: every part with its length."""
    parts = [struct.pack("<QII", ring.view, len(ring.owners), len(ring.readers)), *ring.owners]
    for reader in ring.readers:
        parts += [reader.name.encode("utf-8", "surrogatepass"), reader.sign, reader.box]
    parts += ring.sealed
    return b"liven-readers" + b"".join(struct.pack("<I", len(part)) + part for part in parts)
