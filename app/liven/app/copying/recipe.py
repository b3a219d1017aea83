"""Recipes of copies: of the same kind as a thing's own, on channels that nobody else has."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace

from liven.app.opening.source import LARGEST_FILE
from liven.app.palette.new_objects import NETWORK
from liven.liveobjects.channel.api.names import fresh_name, group_name
from liven.liveobjects.channel.objects.channel_folder import COMMUNICATION, KINDS, channel_reference
from liven.runtime.reference.ids import normal
from liven.runtime.reference.model import Composite, Object, Parameter, Plain, Reference, Value
from liven.runtime.reference.xml import compact, write

SHARED = KINDS["checkpointed"]
_CLASSES = ("MessageClass", "CheckpointClass", "ValueClass")


class CopyError(ValueError):
    """A copy cannot be made; says why."""


class FreshNames:
    """What the channels of an object are called in one copy of it: one that two things share, they share in
    the copy."""

    def __init__(self) -> None:
        self._given: dict[str, str] = {}

    def of(self, channel: Reference) -> str:
        """A name that nobody else has, and always the same for one channel."""
        return self._given.setdefault(name_of_channel(channel), fresh_name())


def text_of(thing: Object) -> bytes:
    """What a file of it holds; CopyError if that is more than is read again."""
    text = write(thing)
    if len(text) > LARGEST_FILE:
        held = f"{len(text):,} bytes, and a file of an object has at most {LARGEST_FILE:,}"
        raise CopyError(f"with what it holds it would have {held}")
    return text


def own_channel(thing: Object) -> Reference | None:
    """The channel on which an object keeps its state; None for an object without one, or with one that cannot
    begin with a state."""
    value = next((one.value for one in thing.parameters if one.id == "channel"), None)
    if isinstance(thing, Composite) or not isinstance(value, Reference):
        return None
    return value if _is_channel(value) and _keeps(value) else None


def has_channels(thing: Object) -> bool:
    """Whether channels stand among the parameters of an object."""
    return isinstance(thing, Reference) and any(_is_channel(one.value) for one in thing.parameters)


def name_of_channel(channel: Reference) -> str:
    """What tells a channel from others, however a recipe names it."""
    source = channel.source
    if not isinstance(source, Reference):
        return _name(channel) or compact(channel)
    if normal(source.id) == normal(COMMUNICATION):
        return f"{NETWORK}/{COMMUNICATION}/{channel.id}"
    return f"{compact(source)}/{channel.id}"


def given_to(thing: Object) -> list[Object]:
    """The objects that a recipe gives to an object, save its channels."""
    values = (one.value for one in thing.parameters)
    return [one for one in values if isinstance(one, Reference | Composite) and not _is_channel(one)]


def check_copied(thing: Object) -> None:
    """CopyError for what cannot be copied by itself."""
    if not has_channels(thing):
        raise CopyError("only an object with a channel of its own can be copied")


def rebuilt(thing: Object, copy: Callable[[Reference], Reference]) -> Object:
    """A recipe in which each thing that has channels is what `copy` makes of it. Composites stay: their parts
    are joined to their channels in ways of their own."""
    if isinstance(thing, Composite):
        return thing
    return copy(thing) if has_channels(thing) else with_parts(thing, copy)


def with_parts(thing: Reference, copy: Callable[[Reference], Reference]) -> Reference:
    """The same, of what is given to an object, save its channels."""

    def changed(value: Value | None) -> Value | None:
        if isinstance(value, Reference | Composite) and not _is_channel(value):
            return rebuilt(value, copy)
        return value

    parameters = tuple(replace(one, value=changed(one.value)) for one in thing.parameters)
    return thing if parameters == thing.parameters else replace(thing, parameters=parameters)


def copied(thing: Reference, seed: bytes | None, names: FreshNames) -> Reference:
    """A recipe of a copy: the channel of the object has a name that nobody else has, and begins with `seed`,
    an encoded checkpoint, if there is one. Its other channels are renamed too, whatever they are."""
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
    """Whether a channel has a state, as far as its recipe says; one of which it says nothing has."""
    said = {one.id for one in _classes(channel)}
    return channel.id == SHARED or "CheckpointClass" in said or (not said and channel.source is not None)


def _classes(channel: Reference) -> tuple[Parameter, ...]:
    """What the channel carries: given to it, or expected of it."""
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
