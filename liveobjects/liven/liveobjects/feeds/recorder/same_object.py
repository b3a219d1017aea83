"""One feed for one object: a recipe that came from anywhere must not take over the recordings of another one.

An object is the same if it leads to one of the recorded channels: its recipe may have changed since.
"""

from __future__ import annotations

import json
from typing import Final

from liven.liveobjects.feeds.description import FeedDescription
from liven.liveobjects.feeds.errors import BadUseError
from liven.liveobjects.feeds.recorder.stream.object_stream import stream_name
from liven.liveobjects.feeds.recorder.target.targets import Target, TargetFinder
from liven.runtime.files import size_and_limit
from liven.runtime.foreign_text import visible
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Object, name_of
from liven.runtime.reference.xml import compact, read_object

MOST_RECIPE: Final = 2 << 20
"""Bytes of a recipe as the description has it; with the rest, that must stay below its own limit."""
_CALLED: Final = 100
"""Characters of a name in an error."""


class OtherObjectError(BadUseError):
    """A feed records another object."""


class LargeRecipeError(BadUseError):
    """A recipe does not fit into the description of a feed."""


def demand_same_object(feed: str, described: FeedDescription, thing: Object, finder: TargetFinder) -> None:
    """Raise OtherObjectError if the feed of that name records another object, LargeRecipeError if the
    description has no room for the recipe of this one."""
    size = len(json.dumps(compact(thing), ensure_ascii=False).encode())
    if size > MOST_RECIPE:
        text = f"the recipe of what is recorded is {size_and_limit(size, MOST_RECIPE)}"
        raise LargeRecipeError(f"{text}; record a channel of it, or a part")
    if not described.recipe or described.recipe == compact(thing):
        return
    try:
        known = read_object(described.recipe)
    except ReadError:
        return  # nothing can be told of it, and nothing can be played with it
    if not _channels(known, finder) & _channels(thing, finder):
        called = visible(name_of(known) or described.title or known.id)[:_CALLED]
        text = f"the feed {visible(feed)} records another object, “{called}”"
        raise OtherObjectError(f"{text}; record this one under another name")


def _channels(thing: Object, finder: TargetFinder) -> set[str]:
    """Return the channels that an object leads to; that of its stream if there is none."""
    found = {each.channel for each in finder.inside(thing) if isinstance(each, Target)}
    return found or {stream_name(thing)[1]}
