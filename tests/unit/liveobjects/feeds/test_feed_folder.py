"""Finding feeds by name and path."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.liveobjects.feeds.errors import BadNameError, UnknownFeedError
from liven.liveobjects.feeds.feed_folder import (
    FeedFolder,
    checked_name,
    feed_to_write,
    feeds_root,
    listed_feeds,
    resolve,
)
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.runtime.user_folders import UserFolders


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for place in ("air/ann", "air/bo", "board/ann"):
        LogWriter(tmp_path / "feeds" / place).close()
    (tmp_path / "feeds" / "air" / "tables").mkdir()
    (tmp_path / "feeds" / "air" / ".liven-123").mkdir()
    (tmp_path / "feeds" / "not a feed").mkdir()
    (tmp_path / "feeds" / "file").touch()
    return tmp_path / "feeds"


def test_feeds_and_their_recorders_are_listed(root: Path) -> None:
    assert [feed.name for feed in listed_feeds(root)] == ["air", "board"]
    assert [place.name for place in FeedFolder(root / "air").recorders()] == ["ann", "bo"]
    assert [log.end for log in FeedFolder(root / "air").logs()] == [0, 0]
    assert listed_feeds(root / "nowhere") == []


def test_names_and_paths_lead_to_a_feed_or_a_recorder(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [place.name for place in resolve("air", root).recorders()] == ["ann", "bo"]
    assert resolve("air/bo", root).recorders() == [root / "air" / "bo"]
    assert resolve(str(root / "air" / "bo"), Path("/nowhere")).feed.name == "air"
    monkeypatch.chdir(root / "air")
    assert resolve(".", Path("/nowhere")).feed.path == root / "air"
    assert resolve("bo", Path("/nowhere")).recorder == root / "air" / "bo"
    monkeypatch.chdir(root / "air" / "bo")
    assert resolve("..", Path("/nowhere")).feed.name == "air"
    assert resolve("../../board", Path("/nowhere")).feed.path == root / "board"
    assert feed_to_write("../../new/..", root).name == "feeds"


def test_the_only_log_of_a_feed_needs_no_name(root: Path) -> None:
    assert resolve("board", root).log().folder == root / "board" / "ann"
    with pytest.raises(UnknownFeedError, match="air has several recorders; name one: air/ann, air/bo"):
        resolve("air", root).log()
    (root / "empty").mkdir()
    (root / "empty" / "feed.json").write_text("{}")
    with pytest.raises(UnknownFeedError, match="empty: nothing was recorded here yet"):
        resolve("empty", root).log()


def test_an_unknown_feed_is_told_with_the_nearest(root: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownFeedError, match="there is no feed 'bord'; did you mean 'board'"):
        resolve("bord", root)
    with pytest.raises(UnknownFeedError, match="`liven feeds ls` lists those there are"):
        resolve("something else", root)
    with pytest.raises(UnknownFeedError, match="nothing was recorded below"):
        resolve("air", tmp_path / "none")


@pytest.mark.parametrize("name", ["", ".", "..", ".hidden", "a/b", "a\0b", "a\nb", "x" * 101, "é" * 51])
def test_bad_names_are_refused(name: str) -> None:
    with pytest.raises(BadNameError, match="cannot be the name of a feed or a recorder"):
        checked_name(name)


def test_a_feed_to_write_is_a_name_or_a_path(root: Path) -> None:
    assert feed_to_write("new one", root).path == root / "new one"
    assert feed_to_write("/tmp/there", root).path == Path("/tmp/there")
    assert feed_to_write("./there", root).path == Path("there").absolute()
    with pytest.raises(BadNameError, match="'a b/c' cannot be the name of a feed: it has a slash"):
        feed_to_write("a b/c", root)
    with pytest.raises(BadNameError):
        feed_to_write("..", root)


def test_feeds_lie_in_the_state_folder(tmp_path: Path) -> None:
    assert feeds_root(UserFolders.below(tmp_path)) == tmp_path / "state" / "feeds"
