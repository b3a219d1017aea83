"""The states of recorded objects in the words of people."""

from __future__ import annotations

from typing import Final

from liven.app.time_travel.channel_names import channel_of
from liven.liveobjects.feeds.description import FeedDescription
from liven.liveobjects.feeds.history.comparison import stood
from liven.liveobjects.feeds.history.difference import Difference
from liven.liveobjects.feeds.history.reconstruction import Reconstruction
from liven.liveobjects.feeds.replay.source.source import Source
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.xml import read_object

_EMPTY: Final = "empty"


def readable_states(source: Source, described: FeedDescription, sequence: int) -> dict[str, str]:
    """Return the states of an object and of everything inside it, after the records before a sequence, by
    channel. Nothing is there of objects that have no history of a known kind."""
    try:
        thing = read_object(described.recipe) if described.recipe else None
    except ReadError:
        return {}
    if thing is None:
        return {}
    found = stood(Reconstruction(source), thing, channel_of, sequence, empty=True)
    return {one.then.channel: ", ".join(map(_said, one.differences)) or _EMPTY for one in found}


def _said(one: Difference) -> str:
    return f"{one.name}: {one.detail}" if one.detail else one.name
