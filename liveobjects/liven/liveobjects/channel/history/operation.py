"""Operations, and the hash that chains each one to all operations before it."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Final, NamedTuple

from liven.liveobjects.channel.history.position import CHAIN_BYTES

_EMPTY: Final = blake2b(digest_size=CHAIN_BYTES)


class Operation(NamedTuple):
    """An operation that a member submitted.

    A tuple and not a dataclass, because a busy channel creates one per message.
    """

    author: bytes
    """The life of a replica that submitted it: random, and new with every start. It is not the user, who may
    have several replicas."""
    number: int
    """The author's own number, from `inheritance.FIRST_OWN`; consecutive."""
    payload: bytes


def chained(chain: bytes, author: bytes, number: int, payload: bytes) -> bytes:
    """Return the chain hash after an operation, given the hash before it."""
    # unambiguous: the first three have fixed lengths
    told = b"".join((chain, author, number.to_bytes(8, "big"), payload))
    return blake2b(told, digest_size=CHAIN_BYTES).digest()


def chained_all(chain: bytes, author: bytes, first: int, payloads: Iterable[bytes]) -> list[bytes]:
    """Return the chain hash after each of an author's consecutive operations."""
    chains: list[bytes] = []
    for number, payload in enumerate(payloads, first):
        hashed = _EMPTY.copy()  # faster than a new hash object
        hashed.update(chain + author + number.to_bytes(8, "big") + payload)
        chain = hashed.digest()
        chains.append(chain)
    return chains
