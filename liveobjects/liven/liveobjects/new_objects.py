"""Recipes of new small objects, each on its own channel."""

from __future__ import annotations

from liven.liveobjects.channel.api.names import fresh_name
from liven.liveobjects.channel.api.recipes import channel, shared
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

_PRESENCE = "1C7C638EB9B76B3B549FCBC1C38D1559"
_COLOUR = "2E5E63EE344A4F709DA9766CDC73CEF2"


def chat(name: str) -> Object:
    """Return the recipe of a chat."""
    return shared("liven:chat-room", name, channel("liven:chat-operation", "liven:chat-state"))


def vote(name: str) -> Object:
    """Return the recipe of a vote."""
    return shared("liven:vote", name, channel("liven:vote-operation", "liven:vote-state"))


def counter(name: str) -> Object:
    """Return the recipe of a counter."""
    return shared("liven:shared-counter", name, channel("liven:int64", "liven:int64"))


def colour(name: str) -> Object:
    """Return the recipe of a shared colour."""
    return shared("liven:color-ui", name, channel(_COLOUR, _COLOUR))


def roster(name: str) -> Object:
    """Return the recipe of a roster."""
    places = (Parameter("folder", Plain("string", "people")), Parameter("kind", Plain("string", "presence")))
    shows = (Parameter("ValueClass", OtherClass("ValueClass", "liven:present")),)
    source = Reference("liven:communication", places)
    on = Reference(fresh_name(), object_class=ObjectClass(_PRESENCE, shows), source=source)
    return Reference("liven:roster", (Parameter("presence", on),), attributes=(Attribute(NAME, name),))


def window(name: str) -> Object:
    """Return the recipe of an empty window."""
    caption = Parameter("caption", Plain("string", name))
    return shared("liven:window", name, channel("liven:window-operation", "liven:window-state"), caption)
