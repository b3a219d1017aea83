"""The sessions that one member knows: the last stable one and the attempts since."""

from __future__ import annotations

from collections.abc import Collection

from liven.liveobjects.channel.history import FOUNDING_MOST, Session, Voter, founding, without
from liven.liveobjects.channel.ordering.open_view import OpenView
from liven.liveobjects.channel.ordering.opening.decision import ATTEMPTS_MOST, NOBODY


class QuorumSessions:
    """The sessions of one channel, as one member knows them."""

    __slots__ = ("attempts", "stable")

    def __init__(self, stable: Session = NOBODY, attempts: tuple[Session, ...] = ()) -> None:
        self.stable = stable
        self.attempts = attempts

    @property
    def serial(self) -> int:
        """The serial of the latest one."""
        if not self.attempts:
            return self.stable.serial
        return max(each.serial for each in self.attempts)

    @property
    def founding(self) -> bytes:
        """The founding epoch of the channel."""
        return founding(self.stable, self.attempts)

    def counts(self, voter: Voter) -> bool:
        """True if other members may count on a voter."""
        return any(each in self.stable.members for each in voter.identities) or bool(self.attempts)

    @property
    def voters(self) -> frozenset[bytes]:
        """The members of all sessions that may be stable: what is confirmed must be on the disk of each."""
        return frozenset(voter for each in (self.stable, *self.attempts) for voter in each.members)

    def absent(self, present: Collection[bytes]) -> tuple[bytes, ...]:
        """Return the members of sessions that are not present, the oldest first."""
        members = (voter for each in (self.stable, *self.attempts) for voter in each.members)
        return tuple(dict.fromkeys(voter for voter in members if voter not in present))

    def without(self, gone: Collection[bytes], mark: bytes) -> QuorumSessions:
        """Return the sessions without members that will not come back. Raises ValueError if that was said too
        often."""
        if len(self.founding + mark) > FOUNDING_MOST:
            raise ValueError("members of this channel were declared gone too often; copy it to a new channel")
        attempts = tuple(without(each, gone, mark) for each in self.attempts)
        return QuorumSessions(without(self.stable, gone, mark), attempts)

    def recorded(self, open_view: OpenView) -> tuple[Session, tuple[Session, ...]]:
        """Return the updated sessions after members reported what is on their disks: the latest attempt that
        all its members recorded is stable."""
        before = self.stable, *self.attempts
        recorded = [
            each
            for each in self.attempts
            if open_view.recorded(each, [one for one in before if one.serial < each.serial])
        ]
        if not recorded:
            return self.stable, self.attempts
        stable = recorded[-1]
        return stable, tuple(each for each in self.attempts if each.serial > stable.serial)

    def proposal(self, open_view: OpenView) -> Session | None:
        """Return the session to propose, if the members differ from those of the last one. An attempt that
        can still become stable is waited for; one with absent members never can."""
        last = self.attempts[-1] if self.attempts else self.stable
        waits = bool(self.attempts) and (
            len(self.attempts) >= ATTEMPTS_MOST or open_view.present.issuperset(last.members)
        )
        serial = self.serial + 1
        if waits or open_view.orderer is None or open_view.proposed >= serial:
            return None
        wanted = open_view.wanted()
        return None if wanted in ((), last.members) else Session(serial, wanted, self.founding)
