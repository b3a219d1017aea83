"""Holding a channel open to archive it, beside the objects of this process or without any.

Without objects the session is a member that only keeps the log. Its value classes come from the recipe, or
from the members. In the second case it yields to the first object here that opens the channel.
"""

from __future__ import annotations

from collections.abc import Callable

from liven.liveobjects.channel.line.type_handshake import ValueClasses, WrongClassesError
from liven.liveobjects.channel.objects.keeper import KEEPS, KeeperSession
from liven.liveobjects.channel.process.archive import Archive
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.channel.session.session import ChannelSession

BUSY = "this program uses it as another kind of channel"


class ChannelHold:
    """One channel that is archived. `learned` gets the value classes that the members have."""

    def __init__(
        self,
        system: ChannelSystem,
        name: str,
        classes: ValueClasses | None,
        archive: Archive,
        learned: Callable[[ValueClasses], object],
    ) -> None:
        self._system = system
        self._name = name
        self._classes = classes
        self._archive = archive
        self._learned = learned
        self._session: ChannelSession | None = None
        self._closed = False

    def open(self) -> str:
        """Begin to archive. Return why that is not possible; empty if it is."""
        system, name = self._system, self._name
        found = system.session(name)
        if found is not None and not isinstance(found, ChannelSession):
            return BUSY
        if name in system.archives:
            return "this program records it already"
        system.archives[name] = self._archive
        if isinstance(found, ChannelSession):
            system.entered_too(name)
            self._session = found
            found.archive()
            return ""
        try:
            self._enter()
        except WrongClassesError as error:
            del system.archives[name]
            return str(error)
        return ""

    def _enter(self) -> None:
        system, name = self._system, self._name
        if self._classes is not None:
            system.entered(name, self._classes)
            self._session = system.shared(ChannelSession, name, self._made)
            return
        system.entered(name, KEEPS)
        system.yielding[name] = self._yield
        self._session = system.shared(ChannelSession, name, self._made_without_classes)

    def archive_state(self) -> None:
        """Ask for a state, from an object here or from another member."""
        if self._session is not None:
            self._session.archive_state(self._archive)

    def close(self) -> None:
        """Stop archiving; the channel stays open for the objects here."""
        self._closed = True
        self._system.archives.pop(self._name, None)
        self._leave()

    def _leave(self) -> None:
        session, self._session = self._session, None
        if session is None:
            return
        self._system.yielding.pop(self._name, None)
        session.stop_archive(self._archive)
        self._system.left(self._name)
        if not session.clients:
            self._system.drop_session(self._name)
            session.leave()

    def _yield(self) -> None:
        """Leave for an object with value classes, and join its session."""
        self._leave()
        self._system.dispatcher.call_soon(self._follow)

    def _follow(self) -> None:
        found = self._system.session(self._name)
        if self._closed or self._session is not None:
            return
        if isinstance(found, ChannelSession):
            self._system.entered_too(self._name)
            self._session = found
        else:
            self._enter()

    def _made(self) -> ChannelSession:
        return ChannelSession(self._system, self._name, self._classes, lambda _: None)

    def _made_without_classes(self) -> KeeperSession:
        return KeeperSession(self._system, self._name, self._learned)
