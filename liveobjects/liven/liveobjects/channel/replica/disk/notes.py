"""The notes in a replica's log: its sessions, its identities in them, and numbers of operations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.history import Session, Voter, wire
from liven.liveobjects.channel.history.position import IDENTITY_BYTES

_NUMBER_BYTES: Final = 8
_IS: Final = b"="
"""The first byte of a note whose value may be empty."""


def packed_sessions(
    stable: Session, attempts: tuple[Session, ...], history_founding: bytes | None = None
) -> dict[str, bytes]:
    """Return the notes for the sessions, and for the founding of the history if that is not theirs."""
    told = [wire.packed_session(stable), [wire.packed_session(each) for each in attempts]]
    founded = b"" if history_founding is None else _IS + history_founding
    return {"sessions": msgpack.packb(told), "history": founded}


def history_founding_in(notes: Mapping[str, bytes]) -> bytes | None:
    """Return the founding of the history, if that is not the one of the sessions."""
    founded = notes.get("history", b"")
    return founded[len(_IS) :] if founded else None


def packed_voter(voter: Voter) -> dict[str, bytes]:
    """Return the notes for an identity in the sessions."""
    return {"voter": b"".join((voter.identity, *voter.formerly)), "carried": b"".join(voter.carried)}


def voter_in(notes: Mapping[str, bytes]) -> Voter | None:
    """Return the identity in the sessions, if there is one. Raises MalformedError."""
    if not notes.get("voter"):
        return None
    identity, *formerly = identities_in(notes["voter"])
    return wire.voter([identity, formerly, identities_in(notes.get("carried", b""))], "the voter")


def identities_in(joined: bytes) -> list[bytes]:
    """Return the identities in a note."""
    return [joined[at : at + IDENTITY_BYTES] for at in range(0, len(joined), IDENTITY_BYTES)]


def packed_numbers(numbers: Mapping[bytes, int]) -> bytes:
    """Return the note for the number of an operation of each life."""
    return b"".join(life + number.to_bytes(_NUMBER_BYTES, "big") for life, number in numbers.items())


def numbers_in(joined: bytes) -> dict[bytes, int]:
    """Return the number of each life in a note."""
    size = IDENTITY_BYTES + _NUMBER_BYTES
    rows = [joined[at : at + size] for at in range(0, len(joined), size)]
    return {row[:IDENTITY_BYTES]: int.from_bytes(row[IDENTITY_BYTES:], "big") for row in rows}
