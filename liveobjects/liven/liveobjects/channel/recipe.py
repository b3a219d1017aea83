"""Recipes of shared objects: each with a channel of its own, from what the registry has to communicate by."""

from __future__ import annotations

from liven.liveobjects.channel.folder import COMMUNICATION
from liven.liveobjects.channel.names import fresh_name
from liven.runtime.reference.model import (
    NAME,
    Attribute,
    Object,
    ObjectClass,
    OtherClass,
    Parameter,
    Reference,
)

_REGISTRY = "E8C9D312C27649F39812B8E99AA67CBC"
_CHECKPOINTED = "0806C71E88E749AA879E52F960F4B881"
"""The ids under which registry and channels stand in files since the original."""


def channel(message: str, checkpoint: str, name: str = "") -> Reference:
    """A channel by name, for messages and checkpoints of these classes; a fresh name if none is given."""
    classes = (
        Parameter("MessageClass", OtherClass("ValueClass", message)),
        Parameter("CheckpointClass", OtherClass("ValueClass", checkpoint)),
    )
    folder = Reference(COMMUNICATION, source=Reference(_REGISTRY))
    return Reference(name or fresh_name(), object_class=ObjectClass(_CHECKPOINTED, classes), source=folder)


def shared(kind: str, name: str, on: Object, *others: Parameter) -> Reference:
    """An object of this kind that is called so, on a channel."""
    return Reference(kind, (Parameter("channel", on), *others), attributes=(Attribute(NAME, name),))
