"""The files of a log, and foreign files in its folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from liven.liveobjects.channel.store.segments import Segments
from liven.liveobjects.channel.testing import BreakableStore

STRANGERS: list[tuple[str, Callable[[Path], object]]] = [
    ("00000001 (copy).log", Path.touch),
    ("notes.log", Path.touch),
    ("0000000A.log", Path.touch),
    ("100000000.log", Path.touch),
    ("-0000001.log", Path.touch),
    ("00000003.log", Path.mkdir),
    ("00000003.log", os.mkfifo),
    ("00000003.log", lambda path: path.symlink_to(path.parent / "nowhere")),
]


@pytest.mark.parametrize(("name", "make"), STRANGERS)
def test_foreign_files_are_ignored(
    breakable: BreakableStore, name: str, make: Callable[[Path], object]
) -> None:
    breakable.open().open("n").append([b"1"])
    stranger = breakable.folder / name
    make(stranger)
    breakable.again().open("n").append([b"2"])
    store = breakable.again()
    store.open("n").append([b"3"])
    assert store.open("n").kept().entries == [b"1", b"2", b"3"]
    assert breakable.problems == []
    assert os.path.lexists(stranger)


def test_the_segments_are_found_with_their_sizes(tmp_path: Path) -> None:
    (tmp_path / "0000000b.log").write_bytes(bytes(5))
    (tmp_path / "00000002.log").write_bytes(bytes(3))
    assert list(Segments(tmp_path, 100).sizes.items()) == [(2, 3), (11, 5)]


def test_a_new_segment_skips_a_used_name(tmp_path: Path) -> None:
    (tmp_path / "00000001.log").mkdir()
    segments = Segments(tmp_path, 100)
    segments.begin()
    assert segments.current == 2
    segments.close()
