"""Notices about recording on a channel without an order, where a member is known by its node.

They travel among the messages; a payload of the channel never begins as they do. A view forgets those who
left, and a recorder says in each view again that it records.
"""

from __future__ import annotations

from collections.abc import Callable

from liven.liveobjects.channel.history import MalformedError
from liven.liveobjects.channel.history.position import IDENTITY_BYTES
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.channel.process.recordings import Notice, Says, is_notice, unpacked
from liven.multicast.group import Delivery, View


def author_of(node: int) -> bytes:
    """Return the author of the notices of a node."""
    return node.to_bytes(IDENTITY_BYTES)


def notice_in(message: Delivery) -> Notice | None:
    """Return the notice in a message; None for another one, and for one that speaks for somebody else."""
    if not is_notice(message.payload):
        return None
    try:
        notice = unpacked(message.payload)
    except MalformedError:
        return None
    return notice if notice.author == author_of(message.sender) else None


def notice_of(system: ChannelSystem, node: int, says: Says, recording: str = "") -> bytes:
    """Return the notice of a node, ready to be sent."""
    return Notice(says, author_of(node), system.own_name(), recording).packed()


class LineNotices:
    """The notices that one member of a group hears, and its answers."""

    def __init__(
        self, system: ChannelSystem, name: str, me: Callable[[], int], send: Callable[[bytes], object]
    ) -> None:
        """`me` returns the node of this member, and `send` sends to all."""
        self._system = system
        self._name = name
        self._me = me
        self._send = send

    def takes(self, message: Delivery) -> bool:
        """Take a message; return False if it is no notice, but belongs to the channel."""
        if not is_notice(message.payload):
            return False
        notice = notice_in(message)
        if notice is not None and self._system.recordings.heard(self._name, notice):
            says = Says.OBJECTS if self._system.objects_to_recording() else Says.AGREES
            self._send(notice_of(self._system, self._me(), says))
        return True

    def view(self, view: View) -> None:
        """Forget recorders who have left."""
        self._system.recordings.keep(self._name, {author_of(one.node) for one in view.members})

    def close(self) -> None:
        """Forget all if nobody here has the channel open any more."""
        if not self._system.is_in_use(self._name):
            self._system.recordings.forget(self._name)
