"""Who may go on alone: sessions and majorities.

A *session* is a list of replicas that agreed to be the channel's members, oldest first. It is *stable* when
each of them has recorded it; until then it is an *attempt*, which may have become stable without our knowing.
A side may continue the main epoch only with a majority of the last stable session and of each attempt after
it: else two sides that know different sessions as the last could both believe to be the majority.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Session:
    """Members by their identity as authors, oldest first; a later one has a greater serial."""

    serial: int
    members: tuple[bytes, ...]
    founding: bytes = b""
    """The epoch with which its channel began: sessions of two beginnings do not count for each other."""


def founding(stable: Session, attempts: Sequence[Session]) -> bytes:
    """The beginning of the channel whose sessions these are."""
    return (attempts[-1] if attempts else stable).founding


class Standing(enum.Enum):
    """What the members who are present may do."""

    CONTINUES = "continues"
    """They continue the main epoch."""
    TENTATIVE = "tentative"
    """They order among themselves, and what they order is not confirmed."""


def has_majority(session: Session, present: Collection[bytes]) -> bool:
    """Whether those present are more than half of a session, or half of it with its oldest member."""
    here = sum(member in present for member in session.members)
    if 2 * here == len(session.members):
        return not session.members or session.members[0] in present
    return 2 * here > len(session.members)


def standing(stable: Session, attempts: Iterable[Session], present: Collection[bytes]) -> Standing:
    """What those present may do; attempts that are not later than the stable session do not count."""
    asked = (stable, *(each for each in attempts if each.serial > stable.serial))
    agreed = all(has_majority(session, present) for session in asked)
    return Standing.CONTINUES if agreed else Standing.TENTATIVE
