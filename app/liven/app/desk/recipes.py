"""Recipes of the things a person can make: each with a channel of its own that nobody else has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from liven.liveobjects.channel.folder import COMMUNICATION, channel_reference
from liven.liveobjects.channel.names import fresh_name, group_name
from liven.liveobjects.folder.recipe import folder
from liven.liveobjects.image.recipe import image
from liven.liveobjects.recipes import chat, colour, counter, roster, vote, window
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

_REGISTRY = "E8C9D312C27649F39812B8E99AA67CBC"
_CHECKPOINTED = "0806C71E88E749AA879E52F960F4B881"
_TEXT = "982130E40A294E3CAD5441841E87941E"
_DESKTOP_OPERATION, _DESKTOP_STATE = "8E058A84A89546389352AD2F551696CD", "BE02D391402D436EB62473CC4E04E7F4"
"""The ids under which registry, channels and what they carry stand in files since the original."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of thing that can be made."""

    name: str
    words: str
    make: Callable[[str], Object]
    """Makes a recipe for a thing called so."""


NETWORK = "home"
"""Where things with a seed meet; a recipe that asks the registry for its channel leaves that open."""


def channel(message: str, checkpoint: str, name: str = "", seed: str = "") -> Object:
    """A channel by name; a fresh name if none is given. It comes from whatever the registry has for
    communication, save when it begins with a seed, which is the channel's own constant."""
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


def note(name: str, on: str = "", seed: str = "") -> Object:
    """A note, on a channel called `on`."""
    return _shared("liven:text", name, channel(_TEXT, _TEXT, on, seed))


def desktop(name: str, on: str = "", seed: str = "") -> Object:
    """A desktop."""
    return _shared("liven:desktop", name, channel(_DESKTOP_OPERATION, _DESKTOP_STATE, on, seed))


KINDS = (
    Kind("Note", "a page on which all write", note),
    Kind("Desktop", "a plane on which things lie", desktop),
    Kind("Image", "a picture; drop or paste one into it", image),
    Kind("Folder", "things by name", folder),
    Kind("Chat", "what people say, as they say it", chat),
    Kind("Roster", "who is here", roster),
    Kind("Vote", "a question, and one voice for each", vote),
    Kind("Counter", "a number that all count", counter),
    Kind("Colour", "one colour, chosen together", colour),
    Kind("Caption window", "a caption, and a place for one thing", window),
)


def _shared(kind: str, name: str, on: Object) -> Object:
    return Reference(kind, (Parameter("channel", on),), attributes=(Attribute(NAME, name),))
