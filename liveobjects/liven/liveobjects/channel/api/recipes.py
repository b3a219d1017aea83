"""Recipes of shared objects, each with a channel of its own from the registry's communication system."""

from __future__ import annotations

from base64 import b64encode
from typing import Any, Final

from liven.liveobjects.channel.api.names import fresh_name, group_name
from liven.runtime.reference.model import (
    NAME,
    Attribute,
    Object,
    ObjectClass,
    OtherClass,
    Parameter,
    Plain,
    Reference,
)
from liven.types.codec import Codec
from liven.types.terms.value_types import ValueType

COMMUNICATION: Final = "011E83FA6A9F426993BB8EF26FF7D7B8"
SYSTEMS: Final = "010BA5DB9C7F48B0A242A0AD2EF73C54"
KINDS: Final = {
    "checkpointed": "liven:shared-channel",
    "ordered": "liven:ordered-group-channel",
    "group": "liven:group-channel",
    "presence": "liven:presence-channel",
    "value": "liven:shared-value",
}
"""The object types of channels by kind."""

_REGISTRY = "E8C9D312C27649F39812B8E99AA67CBC"
_CHECKPOINTED = "0806C71E88E749AA879E52F960F4B881"
"""The ids of registry and channels in files of the original program."""


LONGEST_REFERENCE: Final = 1_000_000
"""Most characters of a recipe in the state of an object, such as a desktop."""

NETWORK = "home"
"""The network of objects with a seed. Recipes that ask the registry for their channel leave it open."""


def channel_reference(name: str, kind: str = "checkpointed") -> Reference:
    """Return the recipe of the channel with this group name. Its classes stay open, for the user to
    fill in."""
    return Reference(KINDS[kind], (Parameter("name", Plain("string", name)),))


def channel(message: str, checkpoint: str, name: str = "", seed: str = "") -> Reference:
    """Return the recipe of a channel for messages and checkpoints of these classes. Without a name it gets a
    fresh one. It comes from the registry's communication system, unless it has a seed, its initial state,
    which is a constant of the channel itself."""
    classes = (
        Parameter("MessageClass", OtherClass("ValueClass", message)),
        Parameter("CheckpointClass", OtherClass("ValueClass", checkpoint)),
    )
    if not seed:
        folder = Reference(COMMUNICATION, source=Reference(_REGISTRY))
        return Reference(
            name or fresh_name(), object_class=ObjectClass(_CHECKPOINTED, classes), source=folder
        )
    plain = channel_reference(group_name(NETWORK, COMMUNICATION, name or fresh_name()))
    parameters = (*classes, *plain.parameters, Parameter("seed", Plain("string", seed)))
    return Reference(plain.id, parameters)


def seed_of(kind: ValueType, state: Any) -> str:
    """Return a state of a channel's checkpoint class as a recipe carries it."""
    return b64encode(Codec(kind).encode(state)).decode("ascii")


def shared(kind: str, name: str, on: Object, *others: Parameter) -> Reference:
    """Return the recipe of an object of this kind, with this name, on a channel."""
    return Reference(kind, (Parameter("channel", on), *others), attributes=(Attribute(NAME, name),))
