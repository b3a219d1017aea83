"""The description of a feed with several recorders grows by each of them, and not without end."""

from __future__ import annotations

from pathlib import Path

from liven.liveobjects.feeds.author_names import AUTHORS
from liven.liveobjects.feeds.description import FeedDescription, TypeEntry, read_description
from liven.liveobjects.feeds.recorder.joined_description import (
    AUTHORS_MOST,
    NAME_MOST,
    PEOPLE_MOST,
    write_joined,
)


def test_each_recorder_adds_to_what_the_others_wrote(tmp_path: Path) -> None:
    one = FeedDescription(types={"a": TypeEntry("int")}, people=("Ann",), other={AUTHORS: {"1": "Ann"}})
    two = FeedDescription(types={"b": TypeEntry("str")}, people=("Bob",), other={AUTHORS: {"2": "Bob"}})
    write_joined(tmp_path, one)
    write_joined(tmp_path, two)
    found = read_description(tmp_path)
    assert list(found.types) == ["a", "b"]
    assert found.people == ("Ann", "Bob")
    assert found.other[AUTHORS] == {"1": "Ann", "2": "Bob"}


def test_members_that_change_their_names_do_not_fill_the_description(tmp_path: Path) -> None:
    name = "\x01" * NAME_MOST  # six bytes each in the file
    for start in range(0, 4 * AUTHORS_MOST, AUTHORS_MOST):
        numbers = range(start, start + AUTHORS_MOST)
        authors = {f"{number:064x}": name for number in numbers}
        people = tuple(f"{number}{name}"[:NAME_MOST] for number in numbers)
        write_joined(tmp_path, FeedDescription(people=people, other={AUTHORS: authors}))
    found = read_description(tmp_path)
    assert list(found.other[AUTHORS]) == [f"{number:064x}" for number in numbers]
    assert len(found.people) == PEOPLE_MOST
