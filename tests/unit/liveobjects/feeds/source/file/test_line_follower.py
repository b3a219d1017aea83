"""Every complete line comes once, with its number, whatever happens to the file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.feeds.source.file import line_follower
from liven.liveobjects.feeds.source.file.line_follower import Batch, LineFollower


def lines(follower: LineFollower, most: int = 100) -> list[tuple[int, bytes]]:
    """Return everything that there is now."""
    found: list[tuple[int, bytes]] = []
    for _ in range(1000):
        batch = follower.read(most)
        found += batch.lines
        if not batch.more:
            return found
    raise AssertionError("it never comes to an end")


Follow = Callable[..., LineFollower]


@pytest.fixture
def follow() -> Iterator[Follow]:
    """Return a function that makes followers; they are closed after the test."""
    made: list[LineFollower] = []

    def make(path: Path, *arguments: object, **named: bool) -> LineFollower:
        made.append(LineFollower(path, *arguments, **named))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.csv"


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def test_a_line_comes_when_it_is_complete(path: Path, follow: Follow) -> None:
    path.write_bytes(b"one\r\ntwo\nthr")
    follower = follow(path)
    assert lines(follower) == [(1, b"one"), (2, b"two")]
    append(path, b"ee")
    assert lines(follower) == []
    append(path, b"\n\nfive\n")
    assert lines(follower) == [(3, b"three"), (4, b""), (5, b"five")]


def test_no_more_lines_come_than_are_asked_for(path: Path, follow: Follow) -> None:
    path.write_bytes(b"a\nb\nc\n")
    follower = follow(path)
    batch = follower.read(2)
    assert (batch.lines, batch.more) == ([(1, b"a"), (2, b"b")], True)
    assert follower.read(2).lines == [(3, b"c")]


def test_a_truncated_file_begins_again(path: Path, follow: Follow) -> None:
    path.write_bytes(b"one\ntwo\n")
    follower = follow(path)
    lines(follower)
    path.write_bytes(b"new\n")
    batch = follower.read(10)
    assert (batch.lines, batch.fresh) == ([(1, b"new")], True)


def test_a_file_that_was_cut_and_is_longer_again_begins_again(path: Path, follow: Follow) -> None:
    path.write_bytes(b"one\ntwo\n")
    follower = follow(path)
    lines(follower)
    path.write_bytes(b"other\nlines\nthan before\n")
    assert lines(follower) == [(1, b"other"), (2, b"lines"), (3, b"than before")]


def test_rotation_loses_nothing_and_the_last_line_needs_no_end(path: Path, follow: Follow) -> None:
    path.write_bytes(b"one\n")
    follower = follow(path)
    assert lines(follower) == [(1, b"one")]
    old = path.rename(path.with_suffix(".csv.1"))
    append(old, b"two\n")
    path.write_bytes(b"next\n")
    assert lines(follower) == [(2, b"two")]
    append(old, b"three")  # the writer had it open a moment longer
    assert lines(follower) == [(3, b"three"), (1, b"next")]
    append(path, b"more\n")
    assert lines(follower) == [(2, b"more")]


def test_a_file_that_is_gone_is_told_and_followed_when_it_is_back(path: Path, follow: Follow) -> None:
    with pytest.raises(FileNotFoundError):
        follow(path).read(1)
    path.write_bytes(b"one\n")
    follower = follow(path)
    lines(follower)
    path.unlink()
    assert follower.read(1).missing
    path.write_bytes(b"two\n")
    lines(follower)
    assert lines(follower) == [(1, b"two")]


def test_reading_begins_at_the_end_after_the_last_complete_line(path: Path, follow: Follow) -> None:
    path.write_bytes(b"one\ntwo\nthr")
    follower = follow(path, at_end=True)
    assert lines(follower) == []
    assert follower.head() == b"one"
    append(path, b"ee\n")
    assert lines(follower) == [(3, b"three")]


def test_a_line_that_is_too_long_is_left_out_and_the_next_one_comes(
    path: Path, follow: Follow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_follower, "LONGEST_LINE", 1000)
    monkeypatch.setattr(line_follower, "CHUNK", 300)
    path.write_bytes(b"a\n" + b"x" * 5000 + b"\nb\n")
    follower = follow(path)
    found: list[Batch] = [follower.read(10) for _ in range(4)]
    assert [line for batch in found for line in batch.lines] == [(1, b"a"), (3, b"b")]
    assert [fault for batch in found for fault in batch.faults] == [
        (2, "it is longer than 1 kB, the limit of a line")
    ]


def test_a_mark_goes_on_where_it_was_also_after_a_rotation(path: Path, follow: Follow) -> None:
    path.write_bytes(b"one\ntwo\n")
    first = follow(path)
    mark = first.read(1).mark
    first.close()
    assert lines(follow(path, mark)) == [(2, b"two")]
    path.rename(path.with_name("log.csv.1"))
    path.write_bytes(b"new\n")
    follower = follow(path, mark)
    assert lines(follower) == [(2, b"two")]
    assert lines(follower) == [(1, b"new")]


def test_a_mark_of_other_content_is_not_used(path: Path, follow: Follow) -> None:
    path.write_bytes(b"one\ntwo\n")
    mark = follow(path).read(1).mark
    path.write_bytes(b"ONE\ntwo\n")
    assert lines(follow(path, mark)) == [(1, b"ONE"), (2, b"two")]


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_a_pipe_or_a_folder_is_refused(path: Path, follow: Follow, make: object) -> None:
    make(path)  # type: ignore[operator]
    with pytest.raises(OSError, match=r"pipe|directory"):
        follow(path).read(1)


@given(
    steps=st.lists(
        st.one_of(
            st.tuples(st.just("append"), st.binary(max_size=9).map(lambda data: data.replace(b"\r", b"\n"))),
            st.tuples(st.just("read"), st.integers(1, 3)),
            st.tuples(st.just("rotate"), st.none()),
        ),
        max_size=30,
    )
)
def test_whatever_the_order_of_writing_reading_and_rotating_all_lines_come_once(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, object]]
) -> None:
    path = tmp_path_factory.mktemp("follow") / "log"
    path.write_bytes(b"")
    follower = LineFollower(path)
    follower.read(1)
    files, found, rotations = [b""], [], 0
    for step, value in steps:
        if step == "append":
            assert isinstance(value, bytes)
            append(path, value)
            files[-1] += value
        elif step == "read":
            assert isinstance(value, int)
            found += follower.read(value).lines
        else:
            for _ in range(3):  # the followers of rotated files have a moment to notice it
                found += lines(follower, 1000)
            rotations += 1
            path.rename(path.with_name(f"old{rotations}"))
            path.write_bytes(b"")
            files.append(b"")
            found += lines(follower)
            found += lines(follower)
    path.rename(path.with_name("last"))
    path.write_bytes(b"")
    for _ in range(4):
        found += lines(follower)
    follower.close()
    wanted = [pair for data in files for pair in enumerate(_split(data), 1)]
    assert found == wanted


def _split(data: bytes) -> list[bytes]:
    *whole, rest = data.split(b"\n")
    return [*whole, rest] if rest else whole
