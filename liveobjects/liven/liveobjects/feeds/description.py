"""The description of a feed, `feed.json`: what is recorded, and how its payloads are read.

It lies beside the recorders and is the same for all of them. Types that are classes of a library stand in
it with their structure, so that a reader decodes without the library. Entries that a later version adds are
kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from liven.liveobjects.feeds.errors import BadDescriptionError, FutureVersionError
from liven.liveobjects.feeds.feed_folder import DESCRIPTION
from liven.runtime.files import PRIVATE, read_json, write_file

FORMAT: Final = 1
AUTHOR: Final = "author"
"""The numbering of a channel without an order: each author's own."""
MOST_BYTES: Final = 4 << 20
_TEXTS: Final = ("title", "recipe")


@dataclass(frozen=True, slots=True)
class TypeEntry:
    """A type by its structure, and the class that it is, if it is one."""

    notation: str
    """The structure, as `liven.types.terms.type_text.spell` writes it."""
    id: str = ""
    version: int = 0


@dataclass(frozen=True, slots=True)
class FeedDescription:
    """The content of the file."""

    title: str = ""
    recipe: str = ""
    """The XML of the recorded object, for a sandbox that replays it."""
    types: Mapping[str, TypeEntry] = field(default_factory=dict)
    """For each type name of the records."""
    people: tuple[str, ...] = ()
    """The people who agreed to be recorded."""
    rules: Mapping[str, Any] = field(default_factory=dict)
    """The choice of what is recorded, in the recorder's own words."""
    numbering: Mapping[str, str] = field(default_factory=dict)
    """The giver of numbers to the records of a channel: `AUTHOR` if it has no order. A channel that is not
    listed has one."""
    encrypted: tuple[str, ...] = ()
    """The channels whose records are sealed with the keys of the channels."""
    other: Mapping[str, Any] = field(default_factory=dict)
    """Entries that this version does not know."""

    def by_author(self) -> frozenset[str]:
        """Return the channels without an order, in which each author numbers what it says."""
        return frozenset(channel for channel, who in self.numbering.items() if who == AUTHOR)

    def with_type(self, name: str, entry: TypeEntry) -> FeedDescription:
        """Return the description with one more type."""
        return replace(self, types={**self.types, name: entry})


def read_description(feed: Path) -> FeedDescription:
    """Return the description in a feed's folder, an empty one if there is none; raise BadDescriptionError,
    FutureVersionError or OSError."""
    path = feed / DESCRIPTION
    try:
        found = read_json(path, MOST_BYTES)
    except FileNotFoundError:
        return FeedDescription()
    except ValueError as error:
        raise _bad(path, f"it is not JSON ({error})") from None
    if not isinstance(found, dict):
        raise _bad(path, "it is not an object of JSON")
    version = found.pop("format", None)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise _bad(path, 'its "format" is not a number from 1')
    if version > FORMAT:
        raise FutureVersionError(path, version)
    texts = {name: _text(path, name, found.pop(name, "")) for name in _TEXTS}
    types = _types(path, found.pop("types", {}))
    people = found.pop("people", [])
    if not isinstance(people, list) or not all(isinstance(each, str) for each in people):
        raise _bad(path, '"people" is not a list of texts')
    rules = found.pop("rules", {})
    if not isinstance(rules, dict):
        raise _bad(path, '"rules" is not an object')
    numbering = found.pop("numbering", {})
    if not isinstance(numbering, dict) or not all(isinstance(each, str) for each in numbering.values()):
        raise _bad(path, '"numbering" is not an object of texts')
    encrypted = found.pop("encrypted", [])
    if not isinstance(encrypted, list) or not all(isinstance(each, str) for each in encrypted):
        raise _bad(path, '"encrypted" is not a list of texts')
    return FeedDescription(
        **texts,
        types=types,
        people=tuple(people),
        rules=rules,
        numbering=numbering,
        encrypted=tuple(encrypted),
        other=found,
    )


def write_description(feed: Path, description: FeedDescription) -> None:
    """Write the description in one step, making the feed's folder; raise OSError or BadDescriptionError."""
    content = {
        "format": FORMAT,
        "title": description.title,
        "recipe": description.recipe,
        "types": {
            name: {"notation": entry.notation, "id": entry.id, "version": entry.version}
            for name, entry in description.types.items()
        },
        "people": list(description.people),
        "rules": dict(description.rules),
        **({"numbering": dict(description.numbering)} if description.numbering else {}),
        **({"encrypted": list(description.encrypted)} if description.encrypted else {}),
        **description.other,
    }
    data = json.dumps(content, indent=1, ensure_ascii=False).encode() + b"\n"
    if len(data) > MOST_BYTES:
        raise _bad(feed / DESCRIPTION, f"it would be longer than {MOST_BYTES >> 20} MiB")
    feed.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_file(feed / DESCRIPTION, data, PRIVATE)


def _types(path: Path, found: Any) -> dict[str, TypeEntry]:
    if not isinstance(found, dict):
        raise _bad(path, '"types" is not an object')
    types = {}
    for name, entry in found.items():
        if not isinstance(entry, dict):
            raise _bad(path, f"the type {name!r:.40} is not an object")
        notation = _text(path, "notation", entry.get("notation", ""))
        version = entry.get("version", 0)
        if not isinstance(version, int):
            raise _bad(path, f"the version of the type {name!r:.40} is not a number")
        types[name] = TypeEntry(notation, _text(path, "id", entry.get("id", "")), version)
    return types


def _text(path: Path, name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise _bad(path, f'"{name}" is not a text')
    return value


def _bad(path: Path, what: str) -> BadDescriptionError:
    return BadDescriptionError(
        f"{path}: {what}; restore it from a backup, or remove it: the records are still there without it"
    )
