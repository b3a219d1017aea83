"""Recording an ordered channel, which keeps no log: messages in the order that all members agree on.

The order begins anew when all have left, so its numbers do not tell two messages apart for good. Those of the
authors do: a member is a new author each time it joins.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from liven.liveobjects.channel.line.transport import Receiver
from liven.liveobjects.channel.line.type_handshake import (
    KeeperHandshake,
    TypeHandshake,
    ValueClasses,
    WrongClassesError,
    classes_in,
)
from liven.liveobjects.channel.objects.keeper import KEEPS
from liven.liveobjects.channel.objects.ordered import OrderedSession
from liven.liveobjects.channel.ordering import Installed, Output, Run
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.channel.process.recordings import Notice, Says
from liven.liveobjects.feeds.recorder.stream.archive import StreamArchive

OPEN_HERE = "this program has it open; record it with `liven feeds record` instead"


class OrderedStream:
    """One ordered channel. `learned` gets the value classes of its members, and `refused` the reason why it
    cannot be recorded any more."""

    def __init__(
        self,
        system: ChannelSystem,
        name: str,
        archive: StreamArchive,
        learned: Callable[[ValueClasses], object],
        refused: Callable[[str], object],
        named: Callable[[str, str], object],
        objected: Callable[[Sequence[str]], object],
        title: str,
    ) -> None:
        self._named = named
        self._objected = objected
        self.title = title
        self._objections: dict[bytes, str] = {}
        self._system = system
        self._name = name
        self._archive = archive
        self._learned = learned
        self._refused = refused
        self._session: _RecordedSession | None = None

    def open(self, classes: ValueClasses | None) -> str:
        """Join the channel. Return why that is not possible; empty if it is."""
        system, name = self._system, self._name
        if system.session(name) is not None:
            return OPEN_HERE
        own = KEEPS if classes is None else classes
        try:
            system.entered(name, own)
        except WrongClassesError as error:
            return str(error)
        if classes is None:
            system.yielding[name] = self._yield
        made = self._session = _RecordedSession(system, name, own, self)
        system.shared(OrderedSession, name, lambda: made)
        return ""

    def close(self) -> None:
        """Stop recording; the channel stays open for the objects here."""
        session, self._session = self._session, None
        if session is not None:
            session.stream = None
            session.say(Says.STOPS)
            self._system.yielding.pop(self._name, None)
            self._system.left(self._name)
            if not session.clients:
                self._system.drop_session(self._name)
                session.leave()
        self._archive.close()

    def noticed(self, notice: Notice) -> None:
        """Take an objection or an agreement of a member, and its name."""
        if notice.name and notice.says in (Says.OBJECTS, Says.AGREES):
            self._named(notice.author.hex(), notice.name)
        others = {author: name for author, name in self._objections.items() if author != notice.author}
        if notice.says is Says.OBJECTS:
            self._set_objections({**others, notice.author: notice.name})
        elif notice.says is Says.AGREES:
            self._set_objections(others)

    def present(self, authors: Collection[bytes]) -> None:
        """Forget the objections of those who left."""
        self._set_objections({one: name for one, name in self._objections.items() if one in authors})

    def _set_objections(self, objections: dict[bytes, str]) -> None:
        if objections != self._objections:
            self._objections = objections
            self._objected(list(objections.values()))

    def take(self, run: Run) -> None:
        """Record a confirmed run of one author."""
        self._archive.take(run.author.hex(), run.first, run.payloads, compact=True)

    def greeted(self, greeting: bytes) -> None:
        """Take the value classes of the members."""
        classes = classes_in(greeting)
        if classes is not None:
            self._learned(classes)

    def refuse(self, error: WrongClassesError) -> None:
        """Handle that the members use other classes."""
        self._refused(str(error))

    def _yield(self) -> None:
        """Leave the channel to an object of this program that has its value classes."""
        self.close()
        self._refused(OPEN_HERE)


class _RecordedSession(OrderedSession):
    """The session of an ordered channel, with somebody who records it."""

    def __init__(
        self, system: ChannelSystem, name: str, value_classes: ValueClasses, stream: OrderedStream
    ) -> None:
        self.stream: OrderedStream | None = stream
        super().__init__(system, name, value_classes)

    def _join(self, receiver: Receiver) -> TypeHandshake:
        stream, value_classes = self.stream, self._value_classes
        if stream is None or value_classes is not KEEPS:
            return super()._join(receiver)
        return KeeperHandshake(
            self._system.transport, self._name, b"", receiver, self._refused, stream.greeted
        )

    def _told(self, output: Output) -> None:
        super()._told(output)
        if isinstance(output, Installed) and self.stream is not None:
            self.stream.present({seat.author for seat in output.seats})
            self.say(Says.RECORDS, self.stream.title)

    def noticed(self, node: int, notice: Notice) -> None:
        """Take an objection to this recording, too."""
        super().noticed(node, notice)
        if self.stream is not None and notice.author != self._machine.author:
            self.stream.noticed(notice)

    def _release(self) -> None:
        if self._main and self.stream is not None:
            for run in self._held:
                self.stream.take(run)
        super()._release()

    def _refused(self, error: WrongClassesError) -> None:
        super()._refused(error)
        if self.stream is not None:
            self.stream.refuse(error)
