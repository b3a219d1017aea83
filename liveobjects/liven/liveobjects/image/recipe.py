"""The recipe of a new image."""

from __future__ import annotations

from liven.liveobjects.channel.api.recipes import channel, shared
from liven.runtime.reference.model import Object

_FRAME = "137E793B3B6345E689B0701C2F9019E6"


def image(name: str) -> Object:
    """Return the recipe of an empty image on its own channel."""
    return shared("liven:image-2d", name, channel(_FRAME, _FRAME))
