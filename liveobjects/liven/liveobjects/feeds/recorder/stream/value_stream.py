"""Recording a shared value: each assignment that becomes the value, with its author and its count.

A shared value has no order: of all assignments, the one with the greatest count wins, and of these the one
with the greatest author. An assignment that had lost when it came here was never the value, and is left out.
"""

from __future__ import annotations

from typing import Any

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.line.type_handshake import ValueClasses
from liven.liveobjects.feeds.recorder.stream.group_stream import GroupStream
from liven.liveobjects.feeds.recorder.target.wire_classes import message_of, value_of
from liven.multicast.group import Delivery, View
from liven.types.codec import Codec, CodecError


class ValueStream(GroupStream):
    """One shared value. As the oldest member, the recorder sends it to newcomers, as each member would."""

    _assignments: Codec | None = None
    _values: Codec | None = None
    _latest: tuple[int, bytes] | None = None
    _said = b""
    """The message with the latest value."""
    _present: frozenset[int] = frozenset()

    def open(self, classes: ValueClasses | None, resumed: dict[str, int]) -> None:  # noqa: ARG002
        """Join the group. Its members number assignments, not messages, so none is missed by its number."""
        super().open(classes, {})

    def adopt(self, classes: ValueClasses) -> None:
        """Use value classes that were learned."""
        message, value = message_of(classes), value_of(classes)
        if message is not None and value is not None:
            self._assignments, self._values = Codec(message), Codec(value)

    def take(self, author: str, message: Delivery, payloads: list[bytes]) -> None:  # noqa: ARG002
        """Record the assignments of a message that win."""
        for payload in payloads:
            self._take(message.sender, payload)

    def miss(self, author: str, first: int, last: int) -> None:
        """Do nothing: an assignment that was lost on the way is not the value, or comes again."""

    def name_of(self, author: str, node: int) -> None:
        """Do nothing: the author of an assignment is in it."""

    def _take(self, sender: int, payload: bytes) -> None:
        if self._assignments is None or self._values is None:
            return
        try:
            said: dict[str, Any] = self._assignments.decode_compact(payload)
            value = self._values.encode(said["value"])
        except CodecError:
            return  # all members drop it
        place = said["count"], said["author"]
        if self._latest is not None and place <= self._latest:
            return
        author = said["author"].hex()
        if self._latest is not None:  # the first one that a newcomer hears comes from the oldest member
            super().name_of(author, sender)
        self._latest, self._said = place, msgpack.packb([payload])
        self._archive.take(author, said["count"], [value], compact=False)

    def viewed(self, view: View) -> None:
        """Send the value to newcomers, as the oldest member."""
        super().viewed(view)
        present, me = frozenset(one.node for one in view.members), self.member.me
        is_oldest = bool(view.members) and view.members[0].node == me
        if is_oldest and self._said and present - self._present - {me}:
            self.member.say(self._said)
        self._present = present
