"""The names under which the channels of recipes are recorded."""

from __future__ import annotations

from liven.liveobjects.copying.recipe import name_of_channel, own_channel
from liven.runtime.reference.ids import parse
from liven.runtime.reference.model import Object, Plain, Reference

_LOCAL = ("liven:local-communication-channel", "4FF15AA1A8BD458BA3847691DF96D289")


def channel_of(thing: Object) -> str:
    """Return the name of an object's channel; empty if it has none."""
    given = next((one.value for one in thing.parameters if one.id == "channel"), None)
    if isinstance(given, Reference) and _is_local(given):
        address = next((one.value for one in given.parameters if one.id == "address"), None)
        return address.text if isinstance(address, Plain) else ""
    channel = own_channel(thing)
    return "" if channel is None else name_of_channel(channel)


def _is_local(channel: Reference) -> bool:
    found = parse(channel.id)
    return (channel.id if found is None else f"{found.component:032X}") in _LOCAL
