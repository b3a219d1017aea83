"""A recorded desktop with a note, for the tests of time travel: what three people did on a Monday."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.gui.conftest import local
from tests.unit.liveobjects.feeds.history.recordings import Recording

from liven.app.palette.new_objects import desktop
from liven.app.time_travel.channel_names import channel_of
from liven.liveobjects.desktop.state import Add, Item, Move, Place, Remove
from liven.liveobjects.feeds.description import FeedDescription, write_description
from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.liveobjects.feeds.history.container_kinds import DESKTOP as DESKTOP_KIND
from liven.liveobjects.feeds.history.container_kinds import NOTE as NOTE_KIND
from liven.liveobjects.feeds.history.reconstruction import Reconstruction
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.liveobjects.text.document import Delete, Document, Insert, Keep
from liven.runtime.reference.model import Object, Reference
from liven.runtime.reference.xml import write

BOARD, NOTE, OTHER = "board", "programme", "crew"


def board() -> Object:
    """Return the recipe of the desktop."""
    return local("liven:desktop", BOARD)


def shared_board() -> Object:
    """Return the recipe of the desktop on a channel that others may have open, so that it can be copied."""
    return desktop("Board", BOARD)


def on_shared_board(recording: Recording) -> Recording:
    """Return a recording of the desktop with the channel of `shared_board`."""
    channel = channel_of(shared_board())
    recording.records[:] = [
        one._replace(channel=channel) if one.channel == BOARD else one for one in recording.records
    ]
    return recording


def note(name: str) -> str:
    return write(local("liven:text", name)).decode()


def monday() -> Recording:
    """Return the recording: a note is written, another one comes, is moved and goes."""
    recording, text, crew = Recording(), Document(writer=7), Document(writer=8)
    plan = Item("plan", "Programme", Place(40, 40, 320, 200), note(NOTE), 0)
    other = Item("crew", "Crew", Place(420, 60, 260, 160), note(OTHER), 1)
    recording.gesture(BOARD, "ann", Add(plan))
    recording.edit(NOTE, "ann", text, (Insert("Programme\n10:00 doors\n14:00 tour by boat", {}),))
    recording.gesture(BOARD, "bo", Add(other))
    recording.edit(OTHER, "bo", crew, (Insert("The tent is ours until Sunday.", {}),))
    recording.gesture(BOARD, "bo", Move("crew", Place(420, 300, 260, 160)))
    recording.edit(NOTE, "bo", text, (Keep(len(text) - 4, {}), Delete(4), Insert("steamer", {})))
    recording.gesture(BOARD, "ann", Remove("crew"))
    return recording


def tuesday() -> Recording:
    """Return the recording of a desktop that was there before, with a note on it: another note comes, moves
    and goes, all at one time."""
    before, recording = Reconstruction(monday().source), Recording()
    for channel, kind in ((BOARD, DESKTOP_KIND), (NOTE, NOTE_KIND)):
        past = before.channel(channel, kind, 2)
        assert past is not None
        recording.keep(channel, kind, past.follower.checkpoint())
    other = Item("crew", "Crew", Place(420, 60, 260, 160), note(OTHER), 1)
    recording.gesture(BOARD, "bo", Add(other))
    recording.gesture(BOARD, "bo", Move("crew", Place(420, 300, 260, 160)))
    recording.gesture(BOARD, "ann", Remove("crew"))
    time = recording.records[2].received
    recording.records[2:] = [one._replace(received=time) for one in recording.records[2:]]
    return recording


def written(
    recording: Recording,
    root: Path,
    recipe: Object,
    title: str = "Lighthouse open day",
    recorders: Sequence[slice] = (slice(None),),
) -> Path:
    """Write a recording as a feed with a recorder for each part of it, and return the folder of the feed."""
    feed = FeedFolder(root / "lighthouse")
    assert isinstance(recipe, Reference)
    write_description(feed.path, FeedDescription(title, write(recipe).decode()))
    for name, part in zip(("ann", "bo"), recorders, strict=False):
        with LogWriter(feed.recorder(name)) as log:
            log.extend(recording.records[part])
            log.sync()
    return feed.path
