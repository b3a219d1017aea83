"""Recipes of new folders and folder views."""

from __future__ import annotations

from liven.liveobjects.channel.api.recipes import channel, shared
from liven.runtime.reference.model import NAME, Attribute, Object, Parameter, Plain, Reference

_OPERATION, _STATE = "B0592A046E5E47E69A1AC39E412B7AD0", "5B1608BEE89B434F967E92EDADF0EEB2"


def folder(name: str) -> Object:
    """Return the recipe of an empty shared folder."""
    return shared("liven:shared-folder", name, channel(_OPERATION, _STATE))


def view_of_disk(name: str, path: str) -> Object:
    """Return the recipe of a view of a local folder."""
    source = Reference("liven:local-folder", (Parameter("path", Plain("string", path)),))
    return Reference("liven:folder-view", (Parameter("folder", source),), attributes=(Attribute(NAME, name),))
