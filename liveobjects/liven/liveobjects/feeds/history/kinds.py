"""The kinds of objects whose history can be followed, by the ids of their classes."""

from __future__ import annotations

from typing import Final

from liven.liveobjects.feeds.history.container_kinds import DESKTOP, FOLDER, NOTE
from liven.liveobjects.feeds.history.discussion_kinds import CHAT, VOTE
from liven.liveobjects.feeds.history.kind import Kind
from liven.liveobjects.feeds.history.value_kinds import COLOUR, COUNTER, IMAGE
from liven.runtime.reference.ids import parse
from liven.runtime.reference.model import Object, Reference

KINDS: Final = {
    "570482D150074A5381C8F5FD8C348503": DESKTOP,
    "liven:desktop": DESKTOP,
    "E3EA16F4ECC84B3B998E01F3B78E9AC9": NOTE,
    "liven:text": NOTE,
    "A23A3D5432FB40BAB87181FD0943299A": FOLDER,
    "liven:shared-folder": FOLDER,
    "5D8E4B3B0C0B4C0E9BC4A3E0F1D2C6A7": COUNTER,
    "liven:shared-counter": COUNTER,
    "369286FE08334A4BAF34D57BBFFC1D0A": COLOUR,
    "liven:color-ui": COLOUR,
    "88D82BF52EA1496696002257989DE3D3": IMAGE,
    "liven:image-2d": IMAGE,
    "E989CD3F9504E363385EE2AD11F7BB99": CHAT,
    "liven:chat-room": CHAT,
    "FC740137C6E4D9FE8F2FADF7DBED573D": VOTE,
    "liven:vote": VOTE,
}


def kind_of(thing: Object) -> Kind | None:
    """Return the kind of the object that a recipe makes; None if its history cannot be followed."""
    if not isinstance(thing, Reference) or thing.source is not None:
        return None
    found = parse(thing.id)
    return KINDS.get(thing.id.strip() if found is None else f"{found.component:032X}")
