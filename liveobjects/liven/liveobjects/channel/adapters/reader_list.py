"""The list of readers: only its owners can change it, and each change brings a new key.

The list follows from its changes in the order of a channel, so all replicas agree at every message who can
read it. The key is sealed to each reader, so a removed reader never gets the next one.
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
    """An invalid change of the list."""


@value
@dataclass(frozen=True)
class Reader:
    """A person who can read."""

    name: str
    """The name for people."""
    sign: bytes
    """The key that verifies the reader's signatures."""
    box: bytes
    """The public key to which the channel's keys are sealed."""


@value
@dataclass(frozen=True)
class Ring:
    """The list after a number of changes, with the present key sealed to each reader."""

    view: UInt64 = 0
    owners: tuple[bytes, ...] = ()
    readers: tuple[Reader, ...] = ()
    sealed: tuple[bytes, ...] = ()
    """The sealed keys, in the order of the readers."""


@value
@dataclass(frozen=True)
class RingChange:
    """The next list, signed by an owner of the previous one."""

    ring: Ring
    author: bytes
    signature: bytes


def apply(ring: Ring, change: RingChange, first_owners: tuple[bytes, ...]) -> Ring:
    """Return the list after a change, or the same list if the change is not by an owner or does not follow
    it."""
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
    """Return the change to these readers, with a fresh key for each of them."""
    listed = tuple(readers)
    if len(listed) > READERS_MOST:
        raise ReaderError(f"{len(listed)} readers are too many; the limit is {READERS_MOST}")
    key = random(KEY_BYTES)
    new = Ring(ring.view + 1, owners, listed, tuple(_sealed(key, reader) for reader in listed))
    return RingChange(new, user.name, user.sign.sign(_told(new)).signature)


def with_reader(ring: Ring, reader: Reader) -> tuple[Reader, ...]:
    """Return the list with one more reader, or with a reader's new keys."""
    if not reader.name or len(reader.name) > _NAME_MOST:
        raise ReaderError("a reader has a name of 1 to 200 characters")
    try:
        VerifyKey(reader.sign)
        _sealed(bytes(KEY_BYTES), reader)
    except (CryptoError, ValueError, TypeError) as error:
        raise ReaderError(f"the keys of {reader.name!r} are invalid: {error}") from None
    return (*(one for one in ring.readers if one.sign != reader.sign), reader)


def key_for(user: UserKeys, ring: Ring) -> bytes | None:
    """Return the present key if the user can read."""
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
    """Return the bytes that an owner signs: every part with its length."""
    parts = [struct.pack("<QII", ring.view, len(ring.owners), len(ring.readers)), *ring.owners]
    for reader in ring.readers:
        parts += [reader.name.encode("utf-8", "surrogatepass"), reader.sign, reader.box]
    parts += ring.sealed
    return b"liven-readers" + b"".join(struct.pack("<I", len(part)) + part for part in parts)
