"""The kind of object that a recipe makes, found without making it."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Object, Reference, name_of
from liven.runtime.reference.xml import read_object

_KINDS: Final = {
    "E3EA16F4ECC84B3B998E01F3B78E9AC9": "Note",
    "570482D150074A5381C8F5FD8C348503": "Desktop",
    "88D82BF52EA1496696002257989DE3D3": "Image",
    "A23A3D5432FB40BAB87181FD0943299A": "Folder",
    "0C4E4E5F6DB24C04910D1CBE473CBE24": "Folder",
    "E989CD3F9504E363385EE2AD11F7BB99": "Chat",
    "93DC423A3248E609B3A24CD2FDDCD110": "Roster",
    "FC740137C6E4D9FE8F2FADF7DBED573D": "Vote",
    "5D8E4B3B0C0B4C0E9BC4A3E0F1D2C6A7": "Counter",
    "369286FE08334A4BAF34D57BBFFC1D0A": "Colour",
    "C3073050408D40529B63DD5BD932319D": "Window",
}
_LONGEST: Final = 40
"""The most characters of a name that stands for the kind."""
_CALLED: Final = {
    "text": "Note",
    "image-2d": "Image",
    "shared-folder": "Folder",
    "folder-view": "Folder",
    "chat-room": "Chat",
    "shared-counter": "Counter",
    "color-ui": "Colour",
}


@lru_cache(maxsize=4096)
def kind_of(reference: str) -> str:
    """Return the kind of object in one word, as far as the first line of the recipe shows."""
    try:
        thing = read_object(reference)
    except ReadError:
        return "broken"
    if not isinstance(thing, Reference) or not thing.id:
        return "Composite"
    if thing.source is not None:
        return "Elsewhere"
    alias = thing.id.rpartition(":")[2]
    return _KINDS.get(alias.partition("`")[0].upper()) or _CALLED.get(alias) or _word(alias, thing)


@lru_cache(maxsize=4096)
def recipe_name(reference: str) -> str:
    """Return the name that a recipe gives to its object; empty if it gives none."""
    try:
        return name_of(read_object(reference)).strip()
    except ReadError:
        return ""


def _word(alias: str, thing: Object) -> str:
    if all(sign in "0123456789abcdefABCDEF`" for sign in alias):
        # no class of this program: the name in the recipe, or else enough to tell it from others
        return name_of(thing)[:_LONGEST].strip() or f"Object {alias[:8]}"
    return alias.replace("-", " ").capitalize()
