"""Recipes for the objects that a user can create, each with a new channel of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from liven.liveobjects.channel.api.recipes import NETWORK, channel, shared
from liven.liveobjects.desktop.frames import frame_recipe
from liven.liveobjects.folder.recipe import folder
from liven.liveobjects.image.recipe import image
from liven.liveobjects.new_objects import chat, colour, counter, roster, vote, window
from liven.liveobjects.text.recipe import note, plain_text
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import read_object

__all__ = ["FRAME", "FROM_FILE", "KINDS", "NETWORK", "PLAIN_TEXT", "Kind", "channel", "desktop", "note"]
_DESKTOP_OPERATION, _DESKTOP_STATE = "8E058A84A89546389352AD2F551696CD", "BE02D391402D436EB62473CC4E04E7F4"
"""The ids of a desktop's operation and state classes, the same as in files of the original program."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of object that can be created."""

    name: str
    words: str
    make: Callable[[str], Object]
    """Makes a recipe for a new object of the given name."""
    act: str = ""
    """The words of the view's action that adds it instead, for what lies on a plane only."""


def desktop(name: str, on: str = "", seed: str = "") -> Object:
    """Return the recipe of a desktop."""
    return shared("liven:desktop", name, channel(_DESKTOP_OPERATION, _DESKTOP_STATE, on, seed))


KINDS = (
    Kind("Note", "a shared page of text", note),
    Kind("Desktop", "a shared surface for other objects", desktop),
    Kind("Image", "a picture; drop or paste one into it", image),
    Kind("Folder", "a folder of named objects", folder),
    Kind("Chat", "a chat", chat),
    Kind("Roster", "who is here", roster),
    Kind("Vote", "a question with one vote for each person", vote),
    Kind("Counter", "a number that everyone can count up", counter),
    Kind("Colour", "a colour chosen together", colour),
    Kind("Caption window", "a caption and a place for one object", window),
)
PLAIN_TEXT = Kind("Text", "words without a sheet", plain_text)
FRAME = Kind("Frame", "a named area of a desktop", lambda _: read_object(frame_recipe()), act="Frame")
FROM_FILE = Kind("From a file…", "a picture, a text or an object of yours", note, act="Add pictures…")
"""Kinds that one adds to a desktop, but does not begin in a window of its own."""
