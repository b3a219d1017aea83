"""The registry's entries before anybody has chosen anything."""

from __future__ import annotations

from liven.runtime.reference.model import NAME, Attribute, Object, Parameter, Plain, Reference
from liven.runtime.reference.well_known_keys import WELL_KNOWN

_FOLDERS = ("communication", "communication-server", "multicast")


def stock_defaults() -> dict[str, Object]:
    """Return for each well-known key a folder of this process, or nothing where only a transport can help.

    A program with a transport puts its own references in their place.
    """
    return {one.id: _folder(one.name) if one.name in _FOLDERS else Reference() for one in WELL_KNOWN}


def _folder(name: str) -> Object:
    return Reference(
        "liven:memory-folder",
        (Parameter("name", Plain("string", f"registry {name}")),),
        attributes=(Attribute(NAME, f"{name} of this process"),),
    )
