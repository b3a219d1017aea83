"""Sealed values: encrypted with a key, signed by their sender, and protected against replay.

Each nonce has 24 random bytes and is never reused. Sender, session and count are authenticated with the
content, so a repeated value, or one under another name, is rejected. The counts seen so far follow from the
order of the channel and are part of each state, so that all readers accept and drop the same values.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from nacl.bindings import (
    crypto_aead_xchacha20poly1305_ietf_decrypt,
    crypto_aead_xchacha20poly1305_ietf_encrypt,
)
from nacl.exceptions import CryptoError
from nacl.signing import VerifyKey

from liven.liveobjects.channel.adapters.base import UnfitError
from liven.liveobjects.channel.process.user_keys import UserKeys
from liven.types.declare import UInt64, value

KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 24
"""The nonce of XChaCha20 is long enough to be random:
https://doc.libsodium.org/secret-key_cryptography/aead/chacha20-poly1305/xchacha20-poly1305_construction"""
_SESSION_BYTES: Final = 16
_SESSIONS_MOST: Final = 4096
_SEEN: Final = struct.Struct(f"<{KEY_BYTES}s{_SESSION_BYTES}sQ")
_NUMBER: Final = struct.Struct("<I")


@value(id="EC10C0ECA02F6FF25B3C5A0C53B49CD3", alias="liven:sealed")
@dataclass(frozen=True)
class Sealed:
    """A value that only holders of a key can read."""

    sender: bytes
    """The key that verifies the signature."""
    session: bytes
    count: UInt64
    view: UInt64
    """The number of the key that it was sealed with."""
    nonce: bytes
    box: bytes
    signature: bytes


def derived(key: bytes, label: str) -> bytes:
    """Derive a key for one purpose from a shared key."""
    return blake2b(label.encode(), key=key, digest_size=KEY_BYTES, person=b"liven-seal").digest()


class Sealer:
    """Seals and opens values."""

    def __init__(self, user: UserKeys) -> None:
        self._user = user
        self._session = os.urandom(_SESSION_BYTES)
        self._count = 0
        self._seen: dict[tuple[bytes, bytes], int] = {}

    def seal(self, data: bytes, key: bytes, view: int, purpose: bytes) -> Sealed:
        """Seal bytes for one purpose: a message cannot be passed off as a state."""
        self._count += 1
        nonce = os.urandom(_NONCE_BYTES)
        sender = self._user.name
        about = _about(sender, self._session, self._count, view, purpose)
        box = crypto_aead_xchacha20poly1305_ietf_encrypt(data, about, nonce, key)
        signature = self._user.sign.sign(about + nonce + box).signature
        return Sealed(sender, self._session, self._count, view, nonce, box, signature)

    def open(self, sealed: Sealed, key: bytes, purpose: bytes) -> bytes:
        """Return the bytes. Raises UnfitError if the key is another one, or if the value was altered or is
        not signed by its sender."""
        about = self.verify(sealed, purpose)
        try:
            return crypto_aead_xchacha20poly1305_ietf_decrypt(sealed.box, about, sealed.nonce, key)
        except (CryptoError, ValueError, TypeError):
            raise UnfitError("it was sealed with another key") from None

    def verify(self, sealed: Sealed, purpose: bytes) -> bytes:
        """Return the authenticated data. Raises UnfitError if the value was altered or is not signed by its
        sender."""
        about = _about(sealed.sender, sealed.session, sealed.count, sealed.view, purpose)
        try:
            VerifyKey(sealed.sender).verify(about + sealed.nonce + sealed.box, sealed.signature)
        except (CryptoError, ValueError, TypeError):
            raise UnfitError("it was altered in transit, or its sender is forged") from None
        if len(sealed.session) != _SESSION_BYTES:
            raise UnfitError("its session is invalid")
        return about

    def once(self, sealed: Sealed) -> None:
        """Raise UnfitError for a repeated value."""
        source = sealed.sender, sealed.session
        if sealed.count <= self._seen.get(source, 0):
            raise UnfitError("it is a repetition")
        self._seen.pop(source, None)
        if len(self._seen) >= _SESSIONS_MOST:
            del self._seen[next(iter(self._seen))]
        self._seen[source] = sealed.count

    @property
    def mine(self) -> int:
        """The count of the last own value that arrived."""
        return self._seen.get((self._user.name, self._session), 0)

    def remembered(self) -> bytes:
        """Return the last count of each session, in the order of their arrival."""
        seen = (_SEEN.pack(*source, count) for source, count in self._seen.items())
        return _NUMBER.pack(len(self._seen)) + b"".join(seen)

    def remember(self, data: bytes) -> bytes:
        """Restore the counts at the beginning of `data`, and return the rest of it."""
        number = _NUMBER.unpack_from(data)[0] if len(data) >= _NUMBER.size else _SESSIONS_MOST + 1
        end = _NUMBER.size + number * _SEEN.size
        if number > _SESSIONS_MOST or len(data) < end:
            raise UnfitError("it has no counts of earlier messages")
        told = _SEEN.iter_unpack(data[_NUMBER.size : end])
        self._seen = {(sender, session): count for sender, session, count in told}
        return data[end:]

    def forget(self) -> None:
        """Forget all counts."""
        self._seen.clear()


def _about(sender: bytes, session: bytes, count: int, view: int, purpose: bytes) -> bytes:
    """Return the authenticated data of a value: fixed lengths first, so that it is unambiguous."""
    return struct.pack("<QQII", count, view, len(sender), len(session)) + sender + session + purpose
