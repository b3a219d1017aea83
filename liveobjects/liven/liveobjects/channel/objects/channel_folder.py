"""The communication system: a folder of channels by name, each created when it is first used.

A channel's group is named `<network>/<folder>/<name>` (`api/names.py`). The folder is part of the recipe. By
default it is the well-known key of the communication system in registries, so that one recipe leads to one
group whatever a machine's registry has under that key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from liven.liveobjects.channel.api.names import ChannelNameError, group_name
from liven.liveobjects.channel.api.recipes import COMMUNICATION, KINDS, channel_reference
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.runtime.errors import CallFailedError
from liven.runtime.folder.folder_type import AnyObject, Folder, FolderClient, Found
from liven.runtime.folder.served_folder import ServedFolder
from liven.runtime.objects.context import Context
from liven.runtime.reference.model import Reference
from liven.runtime.reference.xml import compact
from liven.types.declare import Dual, Ref, proxy

ORIGINAL_SYSTEMS: Final = ("Qsm", "QsmClient")


@proxy(id="898C274E36A9E25E88A217176CEBE8AA", alias="liven:communication")
class Communication(ServedFolder):
    """The channels of one kind in one folder of a network. The default network is that of this process."""

    Endpoint: Dual[Folder, FolderClient]

    def __init__(
        self, context: Context, folder: str = COMMUNICATION, network: str = "", kind: str = "checkpointed"
    ) -> None:
        if kind not in KINDS:
            raise CallFailedError(f"{kind!r} is not a kind of channel; choose one of {', '.join(KINDS)}")
        self.context = context
        self._system = context.service(ChannelSystem)
        self._network = network or self._system.network
        self._folder = folder
        self._kind = kind
        self._prefix = group_name(self._network, folder, "x")[:-1]
        self._listen = context.from_outside(self._changed)
        self._system.on_change.append(self._listen)

    def on_end(self) -> None:
        """Stop watching for changes."""
        self._system.on_change.remove(self._listen)

    def items(self) -> Mapping[str, str]:
        """Return the channels that are open in this process or stored by it."""
        kept = self._system.store.names() if self._system.store is not None else []
        named = sorted({*self._system.opened, *kept})
        keys = [name.removeprefix(self._prefix) for name in named if name.startswith(self._prefix)]
        return {key: self._text(key) for key in keys if "/" not in key}

    def get_object(self, key: str) -> Ref[AnyObject]:
        """Return the channel of that name, whether it was used before or not."""
        try:
            return Ref(self._text(key))
        except ChannelNameError as error:
            raise CallFailedError(str(error)) from None

    def try_get_object(self, key: str) -> Found:
        """Return the same, or nothing for an invalid name."""
        try:
            return Found(True, Ref(self._text(key)))
        except ChannelNameError:
            return Found(False, None)

    def is_read_only(self) -> bool:
        """Return False: channels are created by using them."""
        return True

    def add(self, key: str, object: Ref[AnyObject]) -> None:  # noqa: A002, ARG002 the original's name
        """Refuse to add anything: channels are created by using them."""
        self.context.report(
            f"{key!r} cannot be added to the communication system", "a channel is created when it is used"
        )

    def remove(self, key: str) -> None:
        """Delete what this process stores of a channel that no object here has open."""
        try:
            name = group_name(self._network, self._folder, key)
        except ChannelNameError as error:
            self.context.report(str(error), "nothing was removed")
            return
        store = self._system.store
        if name in self._system.opened:
            self.context.report(
                f"the channel {key!r} is open", "close what uses it first; nothing was removed"
            )
        elif store is None or not store.keeps(name):
            self.context.report(f"nothing is stored here of a channel {key!r}", "nothing was removed")
        else:
            store.open(name).forget()
            self._tell(key, there=False)

    def _text(self, key: str) -> str:
        return compact(channel_reference(group_name(self._network, self._folder, key), self._kind))

    def _changed(self, name: str, opened: bool) -> None:
        key = name.removeprefix(self._prefix)
        if not name.startswith(self._prefix) or "/" in key or not self.context.connected("Endpoint"):
            return
        store = self._system.store
        if store is None or not store.keeps(name):
            self._tell(key, there=opened)

    def _tell(self, key: str, *, there: bool) -> None:
        if not self.context.connected("Endpoint"):
            return
        if there:
            self.Endpoint.peer.added(key, Ref(self._text(key)))
        else:
            self.Endpoint.peer.removed(key)


@proxy(id="D37A57B63133960AE4A17AA4E8E08649", alias="liven:communication-systems")
class CommunicationSystems(ServedFolder):
    """The registry entry where the original program kept its multicast: a folder of communication systems, by
    the names in its files. Here each of them is the one of this process."""

    Endpoint: Dual[Folder, FolderClient]

    def __init__(self, context: Context) -> None:
        self.context = context

    def items(self) -> Mapping[str, str]:
        """Return the names, which all lead to the same channels."""
        there = compact(Reference("liven:communication"))
        return dict.fromkeys(ORIGINAL_SYSTEMS, there)

    def is_read_only(self) -> bool:
        """Return True."""
        return True

    def add(self, key: str, object: Ref[AnyObject]) -> None:  # noqa: A002, ARG002 the original's name
        """Refuse to add anything: there is only one system."""
        self.context.report(f"{key!r} cannot be added to the communication systems", "nothing was changed")

    def remove(self, key: str) -> None:
        """Refuse to remove the system."""
        self.context.report(
            f"{key!r} cannot be removed from the communication systems", "nothing was changed"
        )
