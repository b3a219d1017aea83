"""Recipes of copies: the same kind of object on new channels."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace

from liven.liveobjects.channel.api.names import fresh_name, group_name
from liven.liveobjects.channel.api.recipes import COMMUNICATION, KINDS, NETWORK, channel_reference
from liven.runtime.reference.ids import normal
from liven.runtime.reference.model import Composite, Object, Parameter, Plain, Reference, Value, parts
from liven.runtime.reference.xml import compact, write

LARGEST_FILE = 4 * 1024 * 1024
"""The largest recipe that can be opened again."""
SHARED = KINDS["checkpointed"]
_CLASSES = ("MessageClass", "CheckpointClass", "ValueClass")


class CopyError(ValueError):
    """Raised when a copy cannot be made; the message is the reason."""


class FreshNames:
    """The new names of an object's channels in one copy. Objects that share a channel share the new one,
    too."""

    def __init__(self) -> None:
        self._given: dict[str, str] = {}

    def of(self, channel: Reference) -> str:
        """Return the new name of a channel, always the same for the same channel."""
        return self._given.setdefault(name_of_channel(channel), fresh_name())


def file_contents(thing: Object) -> bytes:
    """Return a recipe as the contents of a file; raise CopyError if it is too large to be opened again."""
    text = write(thing)
    if len(text) > LARGEST_FILE:
        size, limit = len(text) / 1e6, LARGEST_FILE / 1e6
        raise CopyError(f"it would have {size:.1f} MB with its contents; the limit is {limit:.1f} MB")
    return text


def own_channel(thing: Object) -> Reference | None:
    """Return the channel that keeps an object's state; None if it has none or one that cannot start with a
    state."""
    value = next((one.value for one in thing.parameters if one.id == "channel"), None)
    if isinstance(thing, Composite) or not isinstance(value, Reference):
        return None
    return value if _is_channel(value) and _keeps(value) else None


def has_channels(thing: Object) -> bool:
    """Return True if an object has channels among its parameters."""
    return isinstance(thing, Reference) and any(_is_channel(one.value) for one in thing.parameters)


def has_channels_inside(thing: Object) -> bool:
    """Return True if an object or anything in it is or has a channel."""
    own = _is_channel(thing) or has_channels(thing)
    return own or any(has_channels_inside(one) for _, one in parts(thing))


def name_of_channel(channel: Reference) -> str:
    """Return the name that identifies a channel, whichever way the recipe refers to it."""
    source = channel.source
    if not isinstance(source, Reference):
        return _name(channel) or compact(channel)
    if normal(source.id) == normal(COMMUNICATION):
        return f"{NETWORK}/{COMMUNICATION}/{channel.id}"
    return f"{compact(source)}/{channel.id}"


def parameters_of(thing: Object) -> list[Object]:
    """Return the objects that are parameters of an object, except its channels."""
    values = (one.value for one in thing.parameters)
    return [one for one in values if isinstance(one, Reference | Composite) and not _is_channel(one)]


def check_copied(thing: Object) -> None:
    """Raise CopyError if an object cannot be copied by itself."""
    if not has_channels(thing):
        raise CopyError("only objects with a channel of their own can be copied")


def with_copies(thing: Object, copy: Callable[[Reference], Reference]) -> Object:
    """Return a recipe in which every object with channels is replaced by `copy(object)`. Composites are left
    alone, because their parts connect to channels in their own ways."""
    if isinstance(thing, Composite):
        return thing
    return copy(thing) if has_channels(thing) else with_parts(thing, copy)


def with_parts(thing: Reference, copy: Callable[[Reference], Reference]) -> Reference:
    """Do the same for the parameters of an object, except its channels."""

    def changed(value: Value | None) -> Value | None:
        if isinstance(value, Reference | Composite) and not _is_channel(value):
            return with_copies(value, copy)
        return value

    parameters = tuple(replace(one, value=changed(one.value)) for one in thing.parameters)
    return thing if parameters == thing.parameters else replace(thing, parameters=parameters)


def copy_of(thing: Reference, seed: bytes | None, names: FreshNames) -> Reference:
    """Return the recipe of a copy: its channel has a new name and begins with the encoded checkpoint `seed`,
    if there is one. Other channels are renamed as well."""
    own = own_channel(thing)

    def fresh(one: Parameter) -> Parameter:
        if own is not None and one.id == "channel":
            return replace(one, value=_with_seed(own, seed, names))
        return replace(one, value=_renamed(one.value, names))

    return replace(thing, parameters=tuple(fresh(one) for one in thing.parameters))


def _is_channel(value: object) -> bool:
    if not isinstance(value, Reference):
        return False
    source = value.source
    if not isinstance(source, Reference):
        return value.id in KINDS.values()
    return normal(source.id) in (normal(COMMUNICATION), "liven:communication")


def _keeps(channel: Reference) -> bool:
    """Return False if the recipe says that a channel has no state."""
    said = {one.id for one in _classes(channel)}
    return channel.id == SHARED or "CheckpointClass" in said or (not said and channel.source is not None)


def _classes(channel: Reference) -> tuple[Parameter, ...]:
    """Return the class parameters of a channel, explicit or expected."""
    given = channel.object_class.parameters if channel.object_class is not None else channel.parameters
    return tuple(one for one in given if one.id in _CLASSES)


def _name(channel: Reference) -> str:
    found = next((one.value for one in channel.parameters if one.id == "name"), None)
    return found.text if isinstance(found, Plain) else ""


def _with_seed(channel: Reference, seed: bytes | None, names: FreshNames) -> Reference:
    fresh = channel_reference(group_name(NETWORK, COMMUNICATION, names.of(channel)))
    text = () if seed is None else (Parameter("seed", Plain("string", b64encode(seed).decode("ascii"))),)
    return Reference(fresh.id, (*_classes(channel), *fresh.parameters, *text))


def _renamed(value: Value | None, names: FreshNames) -> Value | None:
    if not isinstance(value, Reference) or not _is_channel(value):
        return value
    fresh = names.of(value)
    if value.source is not None:
        return replace(value, id=fresh)
    folder = _name(value).rpartition("/")[0]
    name = Parameter("name", Plain("string", f"{folder}/{fresh}" if folder else fresh))
    others = (one for one in value.parameters if one.id not in ("name", "seed"))
    return replace(value, parameters=(*others, name))
