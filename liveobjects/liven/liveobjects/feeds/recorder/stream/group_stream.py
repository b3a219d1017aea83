"""Recording a group: the messages of each author in their order, as this member receives them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.line.type_handshake import ValueClasses, WrongClassesError, classes_in
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.channel.process.line_notices import notice_in, notice_of
from liven.liveobjects.channel.process.recordings import Says, is_notice
from liven.liveobjects.feeds.recorder.stream.archive import StreamArchive
from liven.liveobjects.feeds.recorder.stream.line_member import LineMember
from liven.multicast.group import Delivery, View

PLACES: Final = 16
"""Bits of a serial that tell the place of a value in its message; the rest is the number of the message."""
_VALUES_MOST: Final = 1 << PLACES
_UNTYPED_MOST: Final = 10_000
"""Messages that may wait until the members have told their classes."""


class GroupStream:
    """One group. `learned` gets the value classes of its members, and `refused` the reason why they do not
    admit this member."""

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
        """`named` gets the name of the person at an author, `objected` the names of those who object now. The
        members read the title of the recording."""
        self._system = system
        self._name = name
        self._archive = archive
        self._learned = learned
        self._refused = refused
        self._named = named
        self._objected = objected
        self._title = title
        self._objections: dict[int, str] = {}
        self._classes: ValueClasses | None = None
        self._waiting: list[tuple[str, Delivery]] = []
        self._authors: set[str] = set()
        self.member = LineMember(
            system.transport, name, system.dispatcher.call_later, self._heard, self._missed
        )
        self.member.on_view = self.viewed

    def open(self, classes: ValueClasses | None, resumed: dict[str, int]) -> None:
        """Join the group, with its value classes if they are known; raise WrongClassesError if objects here
        use it in another way."""
        for author, serial in resumed.items():
            self.member.resume(author, serial >> PLACES)
        if classes is not None:
            self._enter(classes)
            self.adopt(classes)
        greeting = b"" if classes is None else classes.greeting
        self.member.join(greeting, lambda error: self._refused(str(error)), self._greeted)

    def close(self) -> None:
        """Leave the group."""
        self._say(Says.STOPS)
        self.member.leave()
        if self._classes is not None:
            self._system.left(self._name)
            self._classes = None
        self._archive.close()

    def adopt(self, classes: ValueClasses) -> None:
        """Use value classes that were learned."""

    def _enter(self, classes: ValueClasses) -> None:
        self._system.entered(self._name, classes)
        self._classes = classes

    def _greeted(self, greeting: bytes) -> None:
        classes = classes_in(greeting)
        if classes is None:
            return
        self._learned(classes)
        try:
            self._enter(classes)
        except WrongClassesError as error:
            self._refused(str(error))
            return
        self.adopt(classes)
        waiting, self._waiting = self._waiting, []
        for author, message in waiting:
            self._heard(author, message)

    def viewed(self, view: View) -> None:
        """Say in each view that this member records, and forget the objections of those who left."""
        self._say(Says.RECORDS)
        present = {one.node for one in view.members}
        if not self._objections.keys() <= present:
            self._set_objections({node: name for node, name in self._objections.items() if node in present})

    def _say(self, says: Says) -> None:
        if self.member.me:
            self.member.say(notice_of(self._system, self.member.me, says, self._title))

    def _noticed(self, author: str, message: Delivery) -> None:
        """Take an objection, or an agreement, and the name of who says so."""
        notice = notice_in(message)
        if notice is None or message.sender == self.member.me:
            return
        if notice.name and notice.says in (Says.OBJECTS, Says.AGREES):
            self._named(author, notice.name)
        others = {node: name for node, name in self._objections.items() if node != message.sender}
        if notice.says is Says.OBJECTS:
            self._set_objections({**others, message.sender: notice.name})
        elif notice.says is Says.AGREES:
            self._set_objections(others)

    def _set_objections(self, objections: dict[int, str]) -> None:
        if objections != self._objections:
            self._objections = objections
            self._objected(list(objections.values()))

    def _heard(self, author: str, message: Delivery) -> None:
        if is_notice(message.payload):
            self._noticed(author, message)
            return
        if self._classes is None and len(self._waiting) < _UNTYPED_MOST:
            self._waiting.append((author, message))
            return
        if author not in self._authors:
            self._authors.add(author)
            self.name_of(author, message.sender)
        payloads = values_in(message.payload)
        if payloads:
            self.take(author, message, payloads)

    def name_of(self, author: str, node: int) -> None:
        """Tell the name of the person at an author."""
        name = self._system.name_of(node)
        if name:
            self._named(author, name)

    def take(self, author: str, message: Delivery, payloads: list[bytes]) -> None:
        """Record the values of a message."""
        self._archive.take(author, message.number << PLACES, payloads, compact=True)

    def _missed(self, author: str, first: int, last: int) -> None:
        self.miss(author, first << PLACES, ((last + 1) << PLACES) - 1)

    def miss(self, author: str, first: int, last: int) -> None:
        """Record that numbers of an author are missing."""
        self._archive.miss(author, first, last)


def values_in(payload: bytes) -> list[bytes]:
    """Return the values in a message; none if it is no message of a group, which all members drop."""
    try:
        found: Any = msgpack.unpackb(payload, max_array_len=_VALUES_MOST)
    except (ValueError, TypeError, msgpack.UnpackException):
        return []
    return found if isinstance(found, list) and all(isinstance(one, bytes) for one in found) else []
