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
from typing import Final, NamedTuple

FORMERLY_MOST: Final = 64
"""Limit of former identities of one replica."""


class Voter(NamedTuple):
    """The identity of a replica in the sessions of a channel. It is kept with the replica's log, while that
    stays in its place."""

    identity: bytes
    formerly: tuple[bytes, ...] = ()
    """The identities in the logs from which this one was restored or copied. A replica that lost its memory
    does not know what it agreed to, so it counts as the former ones only if all others are there who would
    know."""
    carried: tuple[bytes, ...] = ()
    """Identities of ended replicas of the same user whose history and sessions this one took over. It votes
    for them, too: nobody else can, because it alone has their logs."""

    @property
    def identities(self) -> tuple[bytes, ...]:
        """All identities for which it votes."""
        return self.identity, *self.carried


@dataclass(frozen=True, slots=True)
class Session:
    """The members of a channel by voter identity, oldest first. Later sessions have greater serials."""

    serial: int
    members: tuple[bytes, ...]
    founding: bytes = b""
    """The epoch in which the channel began, and a mark for each time that somebody said that members will not
    come back. Sessions with different foundings do not count for each other, except that a longer one
    replaces those that it begins with."""


def founding(stable: Session, attempts: Sequence[Session]) -> bytes:
    """Return the founding epoch of the channel that has these sessions."""
    return (attempts[-1] if attempts else stable).founding


def latest_members(sessions: Iterable[Session]) -> frozenset[bytes]:
    """Return the members of the latest of these sessions, who have everything on their disks that is
    confirmed. If several are the latest, return those who are in all of them; if the sessions cannot be
    compared, nobody."""
    begun = [each for each in sessions if each.serial]
    if not begun or len({each.founding for each in begun}) > 1:
        return frozenset()
    last = max(each.serial for each in begun)
    return frozenset.intersection(*(frozenset(each.members) for each in begun if each.serial == last))


def without(session: Session, gone: Collection[bytes], mark: bytes) -> Session:
    """Return a session without members that will not come back."""
    staying = tuple(each for each in session.members if each not in gone)
    return Session(session.serial, staying, session.founding + mark)


def replaces(later: bytes, earlier: bytes) -> bool:
    """True if a founding is another one with further declarations."""
    return bool(earlier) and later != earlier and later.startswith(earlier)


class Standing(enum.Enum):
    """The rights of the members who are present."""

    CONTINUES = "continues"
    """They continue the main epoch: their operations are confirmed."""
    RESUMES = "resumes"
    """They are all there whose disks may have what one of them lost, so they begin another main epoch. If the
    lost one was only copied and works elsewhere, the two histories are recognized as different ones."""
    TENTATIVE = "tentative"
    """They order among themselves, but nothing is confirmed."""

    @property
    def confirms(self) -> bool:
        """True if operations are confirmed."""
        return self is not Standing.TENTATIVE


def has_majority(session: Session, present: Collection[bytes]) -> bool:
    """True if more than half of a session is present, or exactly half including its oldest member."""
    here = sum(member in present for member in session.members)
    if 2 * here == len(session.members):
        return not session.members or session.members[0] in present
    return 2 * here > len(session.members)


def standing(stable: Session, attempts: Iterable[Session], voters: Iterable[Voter]) -> Standing:
    """Return the rights of the members present. Attempts older than the stable session do not count."""
    asked = (stable, *(each for each in attempts if each.serial > stable.serial))
    here = list(voters)
    present = {identity for each in here for identity in each.identities}
    lacking = [session for session in asked if not has_majority(session, present)]
    if not lacking:
        return Standing.CONTINUES
    resumed = all(present.union(_formerly(session, here)).issuperset(session.members) for session in lacking)
    return Standing.RESUMES if resumed else Standing.TENTATIVE


def _formerly(session: Session, voters: Iterable[Voter]) -> set[bytes]:
    """Return the members of a session that lost their memory and have another identity now. Where the new
    identity is a member, too, the former one is somebody else, who works with the original."""
    return {former for each in voters if each.identity not in session.members for former in each.formerly}
