"""The keeper: a permanent replica of a channel, for computers that are always on.

It is an ordinary member without objects: its state is a checkpoint from another member and the operations
after it. It needs no code of the objects, so it keeps channels of any classes. When all others have left, it
is still there, and newcomers get the state from it.
"""

from __future__ import annotations

from collections.abc import Callable

from liven.liveobjects.channel.api.names import ChannelNameError, group_name
from liven.liveobjects.channel.line.transport import Receiver
from liven.liveobjects.channel.line.type_handshake import (
    KeeperHandshake,
    TypeHandshake,
    ValueClasses,
    WrongClassesError,
    classes_in,
)
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.channel.session.session import ChannelSession
from liven.runtime.capability.capability import Capability, keeps_channel
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.context import Context
from liven.runtime.reference.errors import shortened
from liven.types.declare import proxy

KEEPS = ValueClasses.of("kept")
"""The value classes of keepers, which have none of their own."""


class KeeperSession(ChannelSession):
    """A shared channel without objects."""

    def __init__(
        self,
        system: ChannelSystem,
        name: str,
        learned: Callable[[ValueClasses], object] = lambda _: None,
    ) -> None:
        """`learned` gets the value classes of the members, also those that an earlier process heard."""
        self._learned = learned
        super().__init__(system, name, None, lambda _: None)

    def _join(self, receiver: Receiver) -> TypeHandshake:
        store = self._system.store
        kept = None if store is None else store.open(self._name)
        greeting = b"" if kept is None else kept.kept().notes.get("greeting", b"")

        def learned(words: bytes) -> None:
            if kept is not None:
                kept.note(greeting=words)
            self._learn(words)

        self._learn(greeting)

        return KeeperHandshake(self._system.transport, self._name, greeting, receiver, self._refused, learned)

    def _learn(self, greeting: bytes) -> None:
        value_classes = classes_in(greeting) if greeting else None
        if value_classes is not None:
            self._learned(value_classes)

    def _refused(self, error: WrongClassesError) -> None:
        super()._refused(error)
        self._tell(f"this keeper has stopped: {error}", "two channels have this name; rename one")


@proxy(id="5373F7F0DBCD1E8AF9CC47CF32E5A918", alias="liven:channel-keeper")
class ChannelKeeper:
    """Keeps the shared channel over the group called `name`."""

    def __init__(self, context: Context, name: str) -> None:
        self.name = name
        self._system = context.service(ChannelSystem)
        if self._system.store is None:
            raise CallFailedError(f"{name} cannot be kept: this program stores nothing on disk")
        try:
            network, folder, channel = name.split("/")
            group_name(network, folder, channel)
        except (ValueError, ChannelNameError) as error:
            why = f": {error}" if isinstance(error, ChannelNameError) else ""
            form = "is not a group name of the form NETWORK/FOLDER/CHANNEL"
            raise CallFailedError(f"{shortened(name)!r} {form}{shortened(why, 300)}") from None
        self._system.entered(name, KEEPS)
        self._session = self._system.shared(KeeperSession, name, lambda: KeeperSession(self._system, name))

    @staticmethod
    def capabilities(name: str) -> tuple[Capability, ...]:
        """State what a recipe with this parameter reaches."""
        return keeps_channel(name)

    def on_end(self) -> None:
        """Leave the channel. Its data stays on disk."""
        self._system.left(self.name)
        self._system.drop_session(self.name)
        self._session.leave()
