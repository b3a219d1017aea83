"""Following a channel for the history that a program keeps of it, without being a member of its own.

A recorder holds its channels open and tells everybody. A history does neither: it gets the order while
objects of this program have the channel open, and keeps what they see anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from liven.liveobjects.channel.ordering import Seat
from liven.liveobjects.channel.ordering.confirmed_order import Passed
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.channel.process.recordings import Notice
from liven.liveobjects.channel.session.session import ChannelSession
from liven.liveobjects.feeds.recorder.channel.channel_archive import ChannelArchive


class HistoryArchive(ChannelArchive):
    """The archive of one channel in a history. Members do not introduce themselves to it, so it asks for the
    names that they show beside the object."""

    _unnamed: tuple[Seat, ...] = ()
    """The members whose names are not known yet."""
    _is_own_named = False
    name_own: Callable[[], object] = staticmethod(lambda: None)
    """Notes the name of the person at this program. It comes before the records, so that whoever opens the
    history at once reads it; the names of others are looked for once a second."""

    def passed(self, rows: Sequence[Passed]) -> None:
        """Record what is confirmed."""
        if not self._is_own_named:
            self._is_own_named = True
            self.name_own()
        super().passed(rows)

    def seated(self, seats: Sequence[Seat]) -> None:
        """Note the authors of what follows."""
        self._unnamed = tuple(seats)

    def heard(self, notice: Notice) -> None:
        """Pass over what members say to recorders."""

    def name_authors(self, system: ChannelSystem, own: bytes) -> None:
        """Note the names of those members who show one by now; `own` is the author of what is done here."""
        rest = []
        for seat in self._unnamed:
            name = system.own_name() if seat.author == own else system.name_of(seat.node)
            if name:
                self.named(seat.author.hex(), name)
            else:
                rest.append(seat)
        self._unnamed = tuple(rest)


class HistoryHold:
    """One channel that a history follows."""

    def __init__(self, system: ChannelSystem, name: str, archive: HistoryArchive) -> None:
        self._system = system
        self._name = name
        self._archive = archive
        archive.name_own = self._name_own

    def open(self) -> str:
        """Begin to follow, now or when an object here opens the channel; that is always possible."""
        histories = self._system.histories
        histories[self._name] = (*histories.get(self._name, ()), self._archive)
        session = self._session
        if session is not None:
            session.archive()
        return ""

    def archive_state(self) -> None:
        """Ask an object here for a state."""
        session = self._session
        if session is not None:
            session.archive_state(self._archive)

    def look(self) -> None:
        """Do what is due about once a second."""
        session = self._session
        if session is not None:
            self._archive.name_authors(self._system, session.author)

    def _name_own(self) -> None:
        session = self._session
        if session is not None:
            self._archive.named(session.author.hex(), self._system.own_name())

    def close(self) -> None:
        """Follow no longer."""
        session, histories = self._session, self._system.histories
        if session is not None:
            session.stop_archive(self._archive)
        rest = tuple(each for each in histories.pop(self._name, ()) if each is not self._archive)
        if rest:
            histories[self._name] = rest

    @property
    def _session(self) -> ChannelSession | None:
        found = self._system.session(self._name)
        return found if isinstance(found, ChannelSession) else None
