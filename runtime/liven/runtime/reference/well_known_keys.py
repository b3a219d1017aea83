"""The well-known keys of the registry: 128-bit ids under which every node keeps its own choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from liven.runtime.reference import ids


@dataclass(frozen=True, slots=True)
class WellKnownKey:
    """One such key."""

    id: str
    name: str
    """Its name for people; may be written instead of the id."""
    meaning: str
    expects: str = ""
    """The class that its entry must be of, as the catalogue writes it; empty for any."""


_FOLDER: Final = "liven:folder<text, liven:object>"
WELL_KNOWN: Final = (
    WellKnownKey(
        "011E83FA6A9F426993BB8EF26FF7D7B8",
        "communication",
        "the client's side of the communication system",
        _FOLDER,
    ),
    WellKnownKey(
        "5356357BBA5244009D3094BEBBB3A8B4",
        "communication-server",
        "the server's side of the communication system",
    ),
    WellKnownKey(
        "010BA5DB9C7F48B0A242A0AD2EF73C54", "multicast", "the client's side of the multicast engine", _FOLDER
    ),
    WellKnownKey(
        "571A2D935613476B9E82D16E089EA596", "multicast-service", "the service of the multicast engine"
    ),
    WellKnownKey("BD0D4E2D3C23407380B3092343E2176F", "coordinator", "the coordinator of groups"),
    WellKnownKey("957FFCB9E86E48E6B0B297C6CA7CFB3C", "uplink", "the way to networks beyond this one"),
    WellKnownKey("EE959E9734974365B4DE82D433BD38AB", "machine-controller", "the controller of this machine"),
)
_BY_ID: Final = {one.id: one for one in WELL_KNOWN}
_BY_NAME: Final = {one.name: one for one in WELL_KNOWN}


def find_key(key: str) -> WellKnownKey | None:
    """Return the well-known key that `key` spells, as an id or by its name."""
    return _BY_ID.get(ids.normal(key)) or _BY_NAME.get(key.strip())


def name_of_key(key: str) -> str:
    """Return the name of a well-known key; empty for any other."""
    found = find_key(key)
    return found.name if found is not None else ""


def canonical_key(key: str) -> str:
    """Return the canonical spelling of a key: an id in full, also for a well-known name;
    a short name as it is."""
    known = find_key(key)
    return known.id if known is not None else ids.normal(key)
