"""The description of a feed: written and read, kept whole, refused when it is not one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from liven.liveobjects.feeds.description import (
    MOST_BYTES,
    FeedDescription,
    TypeEntry,
    read_description,
    write_description,
)
from liven.liveobjects.feeds.errors import BadDescriptionError, FutureVersionError

WHOLE = FeedDescription(
    title="Planes over Ulm",
    recipe="<Root/>",
    types={"mine:plane@2": TypeEntry("{x: float64}", "4C1D", 2), "int32": TypeEntry("int32")},
    people=("Ann", "Bo"),
    rules={"channels": ["planes"]},
    other={"later": {"a": 1}},
)


def test_a_description_comes_back(tmp_path: Path) -> None:
    write_description(tmp_path / "new" / "feed", WHOLE)
    assert read_description(tmp_path / "new" / "feed") == WHOLE
    assert (tmp_path / "new" / "feed" / "feed.json").stat().st_mode & 0o777 == 0o600


def test_a_feed_without_one_has_an_empty_one(tmp_path: Path) -> None:
    assert read_description(tmp_path) == FeedDescription()


def test_a_type_is_added(tmp_path: Path) -> None:
    added = WHOLE.with_type("text", TypeEntry("text"))
    assert added.types == {**WHOLE.types, "text": TypeEntry("text")}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("[]", "it is not an object"),
        ("{}", '"format" is not a number'),
        ('{"format": true}', '"format" is not a number'),
        ('{"format": 1, "title": 3}', '"title" is not a text'),
        ('{"format": 1, "types": []}', '"types" is not an object'),
        ('{"format": 1, "types": {"a": 1}}', "the type 'a' is not an object"),
        ('{"format": 1, "types": {"a": {"notation": 1}}}', '"notation" is not a text'),
        ('{"format": 1, "types": {"a": {"version": "x"}}}', "the version of the type 'a' is not a number"),
        ('{"format": 1, "people": [1]}', '"people" is not a list of texts'),
        ('{"format": 1, "rules": 1}', '"rules" is not an object'),
    ],
)
def test_a_file_that_is_none_is_refused_with_what_to_do(tmp_path: Path, content: str, says: str) -> None:
    (tmp_path / "feed.json").write_text(content)
    with pytest.raises(BadDescriptionError, match=says) as caught:
        read_description(tmp_path)
    assert "the records are still there without it" in str(caught.value)


def test_a_later_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "feed.json").write_text(json.dumps({"format": 2}))
    with pytest.raises(FutureVersionError, match=r"feed\.json: it has format 2"):
        read_description(tmp_path)


def test_a_description_that_is_too_large_leaves_the_old_one(tmp_path: Path) -> None:
    write_description(tmp_path, WHOLE)
    with pytest.raises(BadDescriptionError, match="longer than 4 MiB"):
        write_description(tmp_path, FeedDescription(recipe="x" * MOST_BYTES))
    assert read_description(tmp_path) == WHOLE
