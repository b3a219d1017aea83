"""Why a place takes an object not: for the person who dropped it first, and below that for its author.

The answer of the type checker is exact and speaks of endpoints. What a person wants to know is what it was
that they dropped, what belongs here, and what they can do instead.
"""

from __future__ import annotations

from liven.liveobjects.channel.api.recipes import COMMUNICATION, KINDS
from liven.liveobjects.view.contract import DETAILS
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.ids import normal, parse
from liven.runtime.reference.model import Object, Reference, name_of
from liven.runtime.reference.xml import read_object
from liven.types.explanation import Explanation

NOTHING_TO_SEE = "takes what can be seen, and this cannot."
_LISTED = "Ctrl+P lists what can lie here."
_FOLDERS = (normal(COMMUNICATION), "liven:communication")
_TAKES = "notes, images, folders, other desktops, and whatever else has a face of its own"
_FOR_AUTHORS = "For the author of the object:"


def refusal(found: Explanation, reference: str, place: str) -> str:
    """Why `place` (“a desktop”) does not take what the recipe makes: a sentence, and details."""
    if not any("UI" in path for path, _ in found.failures()):
        return f"{found.claim}.{_unknown(found, reference, place)}"
    lines = (
        f"What it is: {_what(reference)}; it has nothing to show by itself.",
        f"What belongs here: {place} takes what can be seen: {_TAKES}.",
        f"What to do: {_instead(reference)}",
    )
    is_channel = _is_channel(_read(reference))
    what = "works with it: the note or the image on it" if is_channel else "it is part of"
    return f"{place} {NOTHING_TO_SEE}\nLay down what {what}. {_LISTED}{_details(lines, found)}"


def _unknown(found: Explanation, reference: str, place: str) -> str:
    """What it is cannot be told, so that nobody knows whether it can be seen."""
    lines = (
        f"What it is: {_what(reference)}; its recipe cannot be followed here.",
        f"What belongs here: {place} takes what can be seen: {_TAKES}.",
        "What to do: its recipe names no library; open its file in a window of its own (Ctrl+O), which looks "
        "among all that are installed; or have whoever made it send it once more.",
    )
    return _details(lines, found)


def _details(lines: tuple[str, ...], found: Explanation) -> str:
    return f"{DETAILS}{chr(10).join(lines)}\n\n{_FOR_AUTHORS}\n{found.render()}"


def _instead(reference: str) -> str:
    if _is_channel(_read(reference)):
        return "lay down a note or an image (Ctrl+P); each brings the channel that it talks over."
    return "open the object that it is part of, and lay that down; or keep this in a folder, which takes all."


def _what(reference: str) -> str:
    thing = _read(reference)
    if thing is None:
        return "something that cannot be read"
    named = f", called “{name_of(thing)}”" if name_of(thing) else ""
    if _is_channel(thing):
        return f"a channel, over which objects talk to each other{named}"
    if not isinstance(thing, Reference):
        return f"an object made of several{named}"
    if parse(thing.id) is not None:  # digits, which tell people nothing
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
