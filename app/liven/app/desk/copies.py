"""Saving an object as a file: the same object, or a copy that begins where it is now and goes its own way."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import asdict, is_dataclass, replace

from liven.app.desk.reading import LARGEST_FILE
from liven.app.desk.recipes import NETWORK
from liven.liveobjects.channel.folder import COMMUNICATION, KINDS, channel_reference
from liven.liveobjects.channel.names import fresh_name, group_name
from liven.runtime.proxy import ProxyHandle
from liven.runtime.reference.ids import normal
from liven.runtime.reference.model import Composite, Object, Parameter, Plain, Reference
from liven.runtime.reference.xml import write
from liven.types.codec import Codec, CodecError, NoWireFormError
from liven.types.values import OptionalOf, Record

SHARED = KINDS["checkpointed"]


class CopyError(ValueError):
    """A copy cannot be made; says why."""


def text_of(thing: Object) -> bytes:
    """What a file of it holds; CopyError if that is more than is read again."""
    text = write(thing)
    if len(text) > LARGEST_FILE:
        held = f"{len(text):,} bytes, and a file of an object has at most {LARGEST_FILE:,}"
        raise CopyError(f"with what it holds it would have {held}")
    return text


def copied(thing: Object, seed: bytes) -> Object:
    """A recipe of a copy: the channel of the object has a name that nobody else has, and begins with `seed`,
    an encoded checkpoint. Its other channels are renamed too."""
    if isinstance(thing, Composite) or not any(_is_channel(one.value) for one in thing.parameters):
        raise CopyError("only an object with a channel of its own can be copied")
    parameters = tuple(
        replace(one, value=_with_seed(one.value, seed)) if one.id == "channel" else _renamed(one)
        for one in thing.parameters
    )
    return replace(thing, parameters=parameters)


def state_of(handle: ProxyHandle) -> bytes:
    """What an object that runs holds now, encoded as its channel's recipe carries it."""
    proxy = handle.proxy()
    end = proxy.endpoints.get("channel")
    checkpoint = getattr(proxy.instance, "checkpoint", None)
    start = None if end is None else dict(end.type.inputs).get("initialize")
    if checkpoint is None or not isinstance(start, Record):
        raise CopyError("it keeps no state on a channel")
    kind = dict(start.fields)["checkpoint"]
    state = checkpoint()
    neutral = asdict(state) if is_dataclass(state) and not isinstance(state, type) else state
    try:
        return Codec(kind.item if isinstance(kind, OptionalOf) else kind).encode(neutral)
    except (CodecError, NoWireFormError) as error:
        raise CopyError(f"its state cannot be written: {error}") from None


def _is_channel(value: object) -> bool:
    if not isinstance(value, Reference):
        return False
    source = value.source
    return value.id == SHARED or (
        isinstance(source, Reference) and normal(source.id) == normal(COMMUNICATION)
    )


def _classes(channel: Reference) -> tuple[Parameter, ...]:
    """What the channel carries: given to it, or expected of it."""
    given = channel.object_class.parameters if channel.object_class is not None else channel.parameters
    return tuple(one for one in given if one.id in ("MessageClass", "CheckpointClass"))


def _with_seed(value: object, seed: bytes) -> Reference:
    if not isinstance(value, Reference) or not _is_channel(value):
        raise CopyError("its channel is not one that can begin with a state")
    fresh = channel_reference(group_name(NETWORK, COMMUNICATION, fresh_name()))
    text = Parameter("seed", Plain("string", b64encode(seed).decode("ascii")))
    return Reference(fresh.id, (*_classes(value), *fresh.parameters, text))


def _renamed(one: Parameter) -> Parameter:
    value = one.value
    if isinstance(value, Reference) and _is_channel(value) and value.id != SHARED:
        return replace(one, value=replace(value, id=fresh_name()))
    return one
