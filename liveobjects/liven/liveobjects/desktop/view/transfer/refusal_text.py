"""Explanations why an object cannot be put somewhere: first for the user, below for the object's author.

The type checker's answer is exact and speaks of endpoints. Users need to know what they dropped, what can be
put here, and what to do instead."""

from __future__ import annotations

from liven.liveobjects.channel.api.recipes import COMMUNICATION, KINDS
from liven.liveobjects.view.contract import DETAILS
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.ids import normal, parse
from liven.runtime.reference.model import Object, Reference, name_of
from liven.runtime.reference.xml import read_object
from liven.types.explanation import Explanation

NOTHING_TO_SEE = "shows objects, and this one has no user interface."
_LISTED = "Press Ctrl+P for a list of objects."
_FOLDERS = (normal(COMMUNICATION), "liven:communication")
_TAKES = "notes, images, folders, other desktops, and any other object with a user interface"
_FOR_AUTHORS = "For the author of the object:"


def refusal(found: Explanation, reference: str, place: str) -> str:
    """Explain in a sentence and details why `place` (for example “a desktop”) refuses an object."""
    if not any("UI" in path for path, _ in found.failures()):
        return f"{found.claim}.{_unknown(found, reference, place)}"
    lines = (
        f"What it is: {_what(reference)}; it has nothing to show.",
        f"What belongs here: {place} shows {_TAKES}.",
        f"What to do: {_instead(reference)}",
    )
    is_channel = _is_channel(_read(reference))
    add = "the note or image that uses it" if is_channel else "the object that contains it"
    return f"{place} {NOTHING_TO_SEE}\nAdd {add} instead. {_LISTED}{_details(lines, found)}"


def _unknown(found: Explanation, reference: str, place: str) -> str:
    """Return the details for an object whose class is unknown here."""
    lines = (
        f"What it is: {_what(reference)}; its recipe cannot be resolved here.",
        f"What belongs here: {place} shows {_TAKES}.",
        "What to do: open its file in its own window (Ctrl+O), which searches all installed libraries; its "
        "recipe names none. Or ask whoever made it to send it again.",
    )
    return _details(lines, found)


def _details(lines: tuple[str, ...], found: Explanation) -> str:
    return f"{DETAILS}{chr(10).join(lines)}\n\n{_FOR_AUTHORS}\n{found.render()}"


def _instead(reference: str) -> str:
    if _is_channel(_read(reference)):
        return "add a note or an image (Ctrl+P); each brings its own channel."
    return "add the object that contains it, or put this one into a folder, which accepts everything."


def _what(reference: str) -> str:
    thing = _read(reference)
    if thing is None:
        return "an unreadable object"
    named = f" named “{name_of(thing)}”" if name_of(thing) else ""
    if _is_channel(thing):
        return f"a channel, which connects objects{named}"
    if not isinstance(thing, Reference):
        return f"an object composed of several{named}"
    if parse(thing.id) is not None:  # an id, which means nothing to people
        return f"an object{named}"
    return f"an object of the kind “{thing.id.rpartition(':')[2].replace('-', ' ')}”{named}"


def _read(reference: str) -> Object | None:
    try:
        return read_object(reference)
    except ReadError:
        return None


def _is_channel(thing: Object | None) -> bool:
    if not isinstance(thing, Reference):
        return False
    source = thing.source
    if source is not None:
        return isinstance(source, Reference) and normal(source.id) in _FOLDERS
    return thing.id in KINDS.values() or thing.id.endswith("-channel")
