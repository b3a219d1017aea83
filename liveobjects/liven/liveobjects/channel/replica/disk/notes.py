"""The notes in a replica's log: its sessions and its identities in them."""

from __future__ import annotations

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.history import Session, Voter, wire
from liven.liveobjects.channel.history.position import IDENTITY_BYTES


def packed_sessions(stable: Session, attempts: tuple[Session, ...]) -> bytes:
    """Return the note for the sessions."""
    told = [wire.packed_session(stable), [wire.packed_session(each) for each in attempts]]
    packed: bytes = msgpack.packb(told)
    return packed


def packed_voter(voter: Voter) -> dict[str, bytes]:
    """Return the notes for an identity in the sessions."""
    return {"voter": voter.identity + voter.formerly, "carried": b"".join(voter.carried)}


def identities_in(joined: bytes) -> list[bytes]:
    """Return the identities in a note."""
    return [joined[at : at + IDENTITY_BYTES] for at in range(0, len(joined), IDENTITY_BYTES)]
