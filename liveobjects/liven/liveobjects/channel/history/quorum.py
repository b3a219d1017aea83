"""Quorums: the sessions of a channel, and the majorities that may continue alone.

A *session* is a list of replicas that agreed to be the channel's members, oldest first. It is *stable* when
all of them have recorded it. Until then it is an *attempt*, which may be stable without our knowing. Members
may continue the main epoch only with a majority of the last stable session and of each later attempt.
Otherwise two sides that know different last sessions could both take themselves for the majority.

The idea is that of dynamic voting: D. Dolev, I. Keidar and E. Yeger Lotem, "Dynamic voting for consistent
primary components", PODC 1997.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Session:
    """The members of a channel by author identity, oldest first. Later sessions have greater serials."""

    serial: int
    members: tuple[bytes, ...]
    founding: bytes = b""
    """The epoch in which the channel began. Sessions with different foundings do not count for each other."""


def founding(stable: Session, attempts: Sequence[Session]) -> bytes:
    """Return the founding epoch of the channel that has these sessions."""
    return (attempts[-1] if attempts else stable).founding


class Standing(enum.Enum):
    """The rights of the members who are present."""

    CONTINUES = "continues"
    """They continue the main epoch: their operations are confirmed."""
    TENTATIVE = "tentative"
    """They order among themselves, but nothing is confirmed."""


def has_majority(session: Session, present: Collection[bytes]) -> bool:
    """True if more than half of a session is present, or exactly half including its oldest member."""
    here = sum(member in present for member in session.members)
    if 2 * here == len(session.members):
        return not session.members or session.members[0] in present
    return 2 * here > len(session.members)


def standing(stable: Session, attempts: Iterable[Session], present: Collection[bytes]) -> Standing:
    """Return the rights of the members present. Attempts older than the stable session do not count."""
    asked = (stable, *(each for each in attempts if each.serial > stable.serial))
    agreed = all(has_majority(session, present) for session in asked)
    return Standing.CONTINUES if agreed else Standing.TENTATIVE
