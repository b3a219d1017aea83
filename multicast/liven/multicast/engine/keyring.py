"""Keyrings: the keys of a cluster with the functions of libsodium, taken from PyNaCl by address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from liven.multicast._core import ffi, lib
from liven.multicast.errors import CoreMemoryError, MulticastError

KEY_SIZE = 32
KEYS_MOST = 2
_FUNCTIONS = (
    "crypto_aead_aegis256_encrypt",
    "crypto_aead_aegis256_decrypt",
    "crypto_generichash_blake2b_salt_personal",
)


def _addresses() -> tuple[int, int, int]:
    """Return the addresses of the three functions of `mcast/keyring.h`. PyNaCl is loaded only for a first
    key."""
    try:
        # The compiled module has no stubs: it exports libsodium under the names in its manual.
        from nacl._sodium import ffi as sodium_ffi  # type: ignore[import-not-found]
        from nacl._sodium import lib as sodium
    except ImportError as error:
        raise MulticastError(
            -1, "encryption needs PyNaCl: pip install pynacl; on loopback it can be switched off"
        ) from error
    if sodium.sodium_init() < 0:
        raise MulticastError(-1, "libsodium, as PyNaCl brings it, does not start")
    if not all(hasattr(sodium, name) for name in _FUNCTIONS):
        raise MulticastError(
            -1, "encryption needs AEGIS-256, which PyNaCl has since 1.6: pip install --upgrade pynacl"
        )
    seal, unseal, digest = (
        int(sodium_ffi.cast("uintptr_t", sodium_ffi.addressof(sodium, name))) for name in _FUNCTIONS
    )
    return seal, unseal, digest


def new_keyring(keys: Sequence[tuple[int, bytes]], *, tags_only: bool = False) -> Any:
    """Make a keyring of one or two keys by their ids; the first one seals. The caller frees it or passes it
    on. With `tags_only` it leaves datagrams readable, to measure what encryption costs."""
    if not 1 <= len(keys) <= KEYS_MOST or len({number for number, _ in keys}) < len(keys):
        raise ValueError(f"a cluster has one key or two with different ids, not {[n for n, _ in keys]}")
    if any(len(key) != KEY_SIZE or not 0 <= number <= 255 for number, key in keys):
        raise ValueError(f"a key has {KEY_SIZE} bytes, and an id from 0 to 255")
    data = b"".join(bytes([number]) + key for number, key in keys)
    seal, unseal, digest = _addresses()
    keyring = lib.udp_face_keyring(
        seal, unseal, digest, ffi.from_buffer("uint8_t[]", data), len(keys), tags_only
    )
    if keyring == ffi.NULL:
        raise CoreMemoryError(-1, "no memory for the keys")
    return keyring


def held_keyring(keys: Sequence[tuple[int, bytes]]) -> Any:
    """Make a keyring that is freed with its last holder."""
    return ffi.gc(new_keyring(keys), lib.mcast_keyring_free)
