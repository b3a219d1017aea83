"""An operation, and the hash that chains it to all before it."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Final, NamedTuple

from liven.liveobjects.channel.history.position import CHAIN_BYTES

_EMPTY: Final = blake2b(digest_size=CHAIN_BYTES)


class Operation(NamedTuple):
    """Something that a member submitted.

    A tuple and not a dataclass, because there is one for each message of a busy channel.
    """

    author: bytes
    """Which replica submitted it: the identity that is kept with the replica's log, or lives as long as it
    does if there is none. Not the user, who may have several replicas."""
    number: int
    """The author's own number, from 1, consecutive in every history."""
    payload: bytes


def chained(chain: bytes, author: bytes, number: int, payload: bytes) -> bytes:
    """The hash after an operation, given the hash before it."""
    told = b"".join((chain, author, number.to_bytes(8, "big"), payload))  # the first three have fixed lengths
    return blake2b(told, digest_size=CHAIN_BYTES).digest()


def chained_all(chain: bytes, author: bytes, first: int, payloads: Iterable[bytes]) -> list[bytes]:
    """The hashes after each of an author's consecutive operations, as `chained` gives them."""
    chains: list[bytes] = []
    for number, payload in enumerate(payloads, first):
        hashed = _EMPTY.copy()  # quicker than a new one
        hashed.update(chain + author + number.to_bytes(8, "big") + payload)
        chain = hashed.digest()
        chains.append(chain)
    return chains
