"""Recipes of shared objects: each with a channel of its own, from what the registry has to communicate by."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from liven.liveobjects.channel.api.names import fresh_name, group_name
from liven.liveobjects.channel.objects.channel_folder import COMMUNICATION, channel_reference
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

_REGISTRY = "E8C9D312C27649F39812B8E99AA67CBC"
_CHECKPOINTED = "0806C71E88E749AA879E52F960F4B881"
"""The ids under which registry and channels stand in files since the original."""


NETWORK = "home"
"""Where things with a seed meet; a recipe that asks the registry for its channel leaves that open."""


def channel(message: str, checkpoint: str, name: str = "", seed: str = "") -> Reference:
    """A channel by name, for messages and checkpoints of these classes; a fresh name if none is given. It
    comes from whatever the registry has for communication, save when it begins with a seed, which is the
    channel's own constant."""
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
    """A state of a channel's checkpoint class, in neutral form, as a recipe carries it."""
    return b64encode(Codec(kind).encode(state)).decode("ascii")


def shared(kind: str, name: str, on: Object, *others: Parameter) -> Reference:
    """An object of this kind that is called so, on a channel."""
    return Reference(kind, (Parameter("channel", on), *others), attributes=(Attribute(NAME, name),))
