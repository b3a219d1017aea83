"""Operations, and the hash that chains each one to all operations before it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from hashlib import blake2b
from typing import Final, NamedTuple

from liven.liveobjects.channel.history.position import CHAIN_BYTES

_EMPTY: Final = blake2b(digest_size=CHAIN_BYTES)
_IS_VOID: Final = 1 << 63
"""Added to the number of a void operation in the chain: whoever remembers other authors, and so voids other
operations, gets another chain, and everybody notices."""


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


def chained(chain: bytes, author: bytes, number: int, payload: bytes, *, void: bool = False) -> bytes:
    """Return the chain hash after an operation, given the hash before it. A void operation is one that the
    history had already."""
    # unambiguous: the first three have fixed lengths
    told = b"".join((chain, author, (number | void * _IS_VOID).to_bytes(8, "big"), payload))
    return blake2b(told, digest_size=CHAIN_BYTES).digest()


def chained_all(
    chain: bytes, author: bytes, first: int, payloads: Iterable[bytes], void: Collection[int] = ()
) -> list[bytes]:
    """Return the chain hash after each of an author's consecutive operations; `void` has places."""
    chains: list[bytes] = []
    if void:
        for place, payload in enumerate(payloads):
            chain = chained(chain, author, first + place, payload, void=place in void)
            chains.append(chain)
        return chains
    for number, payload in enumerate(payloads, first):
        hashed = _EMPTY.copy()  # faster than a new hash object
        hashed.update(chain + author + number.to_bytes(8, "big") + payload)
        chain = hashed.digest()
        chains.append(chain)
    return chains
