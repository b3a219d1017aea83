"""The members of channels, as the logs of one user have them, without starting any."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from msgpack import UnpackException  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.members.known_members import KnownMember, read_members
from liven.liveobjects.channel.replica import Persistence
from liven.liveobjects.channel.store.other_processes import OtherProcess
from liven.liveobjects.channel.store.shared_log import SharedLog
from liven.liveobjects.channel.store.snapshot import log_folders


@dataclass(frozen=True, slots=True)
class ListedMember:
    """One member that the last sessions of a channel count on."""

    channel: str
    identity: str
    """Its identity in hexadecimal digits."""
    name: str
    """The name of its person; empty if this computer never saw one."""
    last_here: int
    """Seconds since 1970 when this computer last saw it; 0 if never."""
    own: bool
    """True if it is a log of this computer."""


def listed_members(root: Path) -> list[ListedMember]:
    """Return all members in the logs below a folder, by channel. Raises OSError."""
    members: dict[tuple[str, bytes], KnownMember] = {}
    own: set[bytes] = set()
    for folder in log_folders(root):
        log = OtherProcess(SharedLog(folder, reading=True), None)
        try:
            for channel in log.names():
                for identity, known in _in(log, channel, own).items():
                    before = members.get((channel, identity), KnownMember("", 0))
                    members[channel, identity] = max(before, known, key=lambda each: each.last_here)
        finally:
            log.close()
    return [
        ListedMember(channel, identity.hex(), known.name, known.last_here, identity in own)
        for (channel, identity), known in sorted(members.items())
    ]


def _in(log: OtherProcess, channel: str, own: set[bytes]) -> dict[bytes, KnownMember]:
    """Return the members of a channel in one log, and enter its own identities; none if it has no sessions or
    cannot be read, which the program that opens it says."""
    try:
        persistence = Persistence(log.open(channel), log.open, reading=True)
        returned = persistence.returned
    except (ValueError, UnpackException):
        return {}
    if returned is None:
        return {}
    own.update(persistence.voter.identities)
    known = read_members(persistence.members)
    sessions = (returned.stable_session, *returned.attempts)
    return {each: known.get(each, KnownMember("", 0)) for one in sessions for each in one.members}
