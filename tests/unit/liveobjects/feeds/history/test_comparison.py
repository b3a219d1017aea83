"""Two moments of a desktop and of the notes on it are compared, with the people who made the difference."""

from __future__ import annotations

import pytest
from tests.unit.liveobjects.feeds.history.recordings import (
    MONDAY,
    SECOND,
    Recording,
    channel_of,
    recipe,
    text,
)

from liven.liveobjects.desktop.state import Add, Item, Move, Place, Remove
from liven.liveobjects.feeds.history.comparison import compared, known_from, objects_at, stood
from liven.liveobjects.feeds.history.container_kinds import DESKTOP, NOTE
from liven.liveobjects.feeds.history.difference import Act
from liven.liveobjects.feeds.history.note_history import text_of
from liven.liveobjects.feeds.history.reconstruction import Reconstruction
from liven.liveobjects.text.document import Delete, Document, Insert, Keep
from liven.liveobjects.text.wire import packed
from liven.types.codec import Codec

BOARD = recipe("liven:desktop", "board")
PLAN = Item("plan", "Plan", Place(0, 0, 10, 10), text(recipe("liven:text", "note")))
OTHER = Item("other", "Other", Place(0, 0, 10, 10), "<broken")
NAMES = {"ann": "Ann", "bo": "Bo"}


def board() -> tuple[Recording, Document]:
    """Return a desktop with a note, on which two people work: 0 to 3, then 3 to 7."""
    recording, document = Recording(), Document(writer=7)
    recording.gesture("board", "ann", Add(PLAN))
    recording.gesture("board", "ann", Add(OTHER))
    recording.edit("note", "ann", document, (Insert("buy two boats today", {}),))
    recording.gesture("board", "bo", Move("plan", Place(100, 0, 10, 10)))
    recording.edit("note", "bo", document, (Keep(4, {}), Delete(3), Insert("three", {})))
    recording.edit("note", "ann", document, (Keep(len(document), {}), Insert(" or tomorrow", {})))
    recording.gesture("board", "bo", Remove("other"))
    return recording, document


def test_everything_inside_an_object_is_found_at_a_moment() -> None:
    recording, _ = board()
    found = list(objects_at(Reconstruction(recording.source), BOARD, channel_of, 3))
    assert [(one.path, one.channel) for one in found] == [((), "board"), (("“Plan”",), "note")]
    assert text_of(found[1].state) == "buy two boats today"
    assert not list(objects_at(Reconstruction(recording.source), BOARD, channel_of, 0))


def test_authors_stay_known_where_another_history_won() -> None:
    recording, _ = board()
    recording.fork("board", 5)  # bo's removal of the other item is in a branch
    recording.gesture("board", "ann", Remove("plan"))
    recording.records[-1] = recording.records[-1]._replace(serial=6)
    (found,) = compared(Reconstruction(recording.source), BOARD, channel_of, (7, 9), NAMES)[:1]
    assert [(one.act, one.name, one.people) for one in found.differences] == [
        (Act.ADDED, "“Other”", ()),
        (Act.REMOVED, "“Plan”", ("Ann",)),
    ]


def test_differences_name_what_happened_and_who_did_it() -> None:
    recording, _ = board()
    found = compared(Reconstruction(recording.source), BOARD, channel_of, (3, 7), NAMES)
    desktop, note = found
    removed, moved = desktop.differences
    assert (removed.act, removed.name, removed.people) == (Act.REMOVED, "“Other”", ("Bo",))
    assert (moved.act, moved.people, moved.when) == (Act.MOVED, ("Bo",), MONDAY + 3 * SECOND)
    written, added = note.differences
    assert note.then.path == ("“Plan”",)
    assert (written.name, written.detail, written.people) == ("“three”", "it was “two”", ("Bo",))
    assert (added.act, added.name, added.people) == (Act.ADDED, "“or tomorrow”", ("Ann",))


def test_at_the_very_beginning_everything_is_added() -> None:
    recording, _ = board()
    [desktop] = compared(Reconstruction(recording.source), BOARD, channel_of, (0, 7), NAMES)
    assert not desktop.then.recorded
    assert [(one.act, one.name, one.people) for one in desktop.differences] == [
        (Act.ADDED, "“Plan”", ("Ann", "Bo"))
    ]


def test_what_stood_there_before_the_recording_is_its_first_state() -> None:
    before, document = board()
    past = Reconstruction(before.source).channel("board", DESKTOP, 2)
    assert past is not None
    recording = Recording()
    recording.keep("board", DESKTOP, past.follower.checkpoint())
    recording.keep("note", NOTE, packed(document.whole()))
    recording.gesture("board", "bo", Remove("other"))
    source = recording.source
    for at in (0, 2):
        found = list(objects_at(Reconstruction(source), BOARD, channel_of, at))
        assert [(one.path, one.recorded) for one in found] == [((), True), (("“Plan”",), True)]
    [desktop] = compared(Reconstruction(source), BOARD, channel_of, (0, 3), NAMES)
    assert [(one.act, one.people) for one in desktop.differences] == [(Act.REMOVED, ("Bo",))]
    there = stood(Reconstruction(source), BOARD, channel_of, 0)
    assert [[one.name for one in each.differences] for each in there] == [
        ["“Other”", "“Plan”"],
        ["“buy three boats today or tomorrow”"],
    ]
    assert known_from(Reconstruction(source), BOARD, channel_of) == 0


def test_the_state_of_an_object_is_known_from_its_first_record_on() -> None:
    recording, _ = board()
    assert known_from(Reconstruction(recording.source), BOARD, channel_of) == 1
    assert known_from(Reconstruction(Recording().source), BOARD, channel_of) is None


def test_operations_that_came_with_a_state_have_no_time() -> None:
    recording = Recording()
    recording.gesture("board", "", Add(PLAN))
    [desktop] = compared(Reconstruction(recording.source), BOARD, channel_of, (0, 1), NAMES)
    assert [one.when for one in desktop.differences] == [0]


def test_an_error_on_the_way_leaves_the_reconstruction_usable() -> None:
    recording, _ = board()
    left = 3

    def follow() -> None:
        nonlocal left
        left -= 1
        if not left:
            raise KeyboardInterrupt

    reconstruction = Reconstruction(recording.source, follow)
    with pytest.raises(KeyboardInterrupt):
        compared(reconstruction, BOARD, channel_of, (3, 7), NAMES)
    again = compared(reconstruction, BOARD, channel_of, (3, 7), NAMES)
    assert again == compared(Reconstruction(recording.source), BOARD, channel_of, (3, 7), NAMES)


def test_an_object_inside_that_is_not_recorded_yet_is_all_added() -> None:
    recording, _ = board()
    desktop, note = compared(Reconstruction(recording.source), BOARD, channel_of, (1, 3), NAMES)
    assert [one.name for one in desktop.differences] == ["“Other”"]
    assert (desktop.then.recorded, note.then.recorded) == (True, False)
    assert [(one.act, one.name, one.people) for one in note.differences] == [
        (Act.ADDED, "“buy two boats today”", ("Ann",))
    ]


def test_an_object_inside_that_is_never_recorded_differs_in_nothing() -> None:
    recording, _ = board()
    assert [
        one.then.channel
        for one in compared(Reconstruction(recording.source), BOARD, channel_of, (1, 2), NAMES)
    ] == ["board"]


def test_the_present_state_counts_more_than_the_recorded_end() -> None:
    recording, _ = board()
    reconstruction = Reconstruction(recording.source)
    then = {one.channel: one.state for one in objects_at(reconstruction, BOARD, channel_of, 3)}
    assert not compared(reconstruction, BOARD, channel_of, (3, 7), NAMES, then.get)


def test_a_copy_of_a_moment_begins_in_exactly_that_state() -> None:
    recording, _ = board()
    desktop, note = objects_at(Reconstruction(recording.source), BOARD, channel_of, 3)
    for past, kind in ((desktop, DESKTOP), (note, NOTE)):
        codec = Codec(kind.checkpoints())
        copy = kind.follower()
        copy.begin(codec.decode(codec.encode(past.checkpoint)))
        assert copy.state() == past.state


def test_people_without_a_name_are_shown_as_recorded() -> None:
    recording, _ = board()
    [desktop, _] = compared(Reconstruction(recording.source), BOARD, channel_of, (3, 7), {})
    assert desktop.differences[0].people == ("bo",)


def test_authors_stay_known_across_checkpoints() -> None:
    recording, document = board()
    recording.keep("note", NOTE, packed(document.whole()))
    recording.edit("note", "ann", document, (Insert("Now: ", {}),))
    [_, note] = compared(Reconstruction(recording.source), BOARD, channel_of, (3, recording.end), NAMES)
    assert [(one.name, one.people) for one in note.differences] == [
        ("“Now:”", ("Ann",)),
        ("“three”", ("Bo",)),
        ("“or tomorrow”", ("Ann",)),
    ]
