"""Stories 1 and 10 of the object model on three programs with the real engine, one of which is killed during
a gesture.

Each story is repeated with a fault planted into one replica, and must fail then.
"""

from __future__ import annotations

import os
import struct
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
NOTE = ROOT / "samples" / "desk" / "note.liveobject"
DESKTOP = ROOT / "samples" / "desk" / "desktop.liveobject"
SHORT = 15.0
"""Seconds after which a story with a planted fault is taken to be stuck."""


def agree(*windows: Any) -> None:
    """Wait until all programs show the same state."""
    end = time.monotonic() + windows[0].patience
    while len(digests := {window.ask("digest") for window in windows}) != 1:
        assert time.monotonic() < end, f"they do not agree: {digests}"
        time.sleep(0.2)


def story_of_one_note(open_window: Any, *, faulty: bool, **settings: Any) -> None:
    """Two windows on one note show the same, and so does a later third; one is killed while typing."""
    ann = open_window(NOTE, **settings)
    bob = open_window(NOTE, faulty=faulty, **settings)
    ann.until("tell", "")
    bob.until("tell", "")
    ann.do("type milk ")
    bob.until("tell", "milk ")
    ann.do("type and a word that is long enough for some of it to be lost")
    bob.until("tell", lambda shown: len(shown) > 20)
    cat = open_window(NOTE, **settings)
    cat.until("tell", lambda shown: shown.startswith("milk "))
    agree(ann, bob, cat)
    ann.do("type " + "x" * 400)
    ann.process.kill()
    bob.until("tell", lambda shown: "milk" in shown)
    agree(bob, cat)
    bob.do("type bread ")
    cat.until("tell", lambda shown: "bread " in shown)
    agree(bob, cat)
    again = open_window(NOTE, **settings)
    again.until("tell", lambda shown: "bread " in shown)
    agree(bob, cat, again)
    assert [window.close() for window in (bob, cat, again)] == [0, 0, 0]


def story_of_a_thing_on_a_desktop(open_window: Any, *, faulty: bool, **settings: Any) -> None:
    """A note on a desktop runs only where it is visible; a program that drags it is killed before the
    drop."""
    ann, bob, cat = (open_window(DESKTOP, faulty=faulty and number == 1, **settings) for number in range(3))
    for window in (ann, bob, cat):
        window.until("tell", "")
    ann.do("lay list")
    for window in (ann, bob, cat):
        window.until("tell", "list")
        window.until("running", "1")
    bob.do("pan 90000")
    bob.until("running", "0")
    assert cat.ask("running") == "1"
    ann.do("write milk")
    cat.until("inner", "milk")
    assert (bob.ask("running"), bob.ask("inner")) == ("0", "")
    bob.do("pan -90000")
    bob.until("running", "1")
    bob.until("inner", "milk")
    before = cat.ask("places")
    ann.do("grab 200")
    assert ann.ask("places") == before
    ann.process.kill()
    bob.do("drag 120")
    moved = cat.until("places", lambda places: places != before)
    agree(bob, cat)
    there = bob.ask("places")
    assert moved == there, f"places: {moved} and {there}"
    assert [window.close() for window in (bob, cat)] == [0, 0]
    again = open_window(DESKTOP, **settings)
    again.until("places", moved)
    again.until("inner", "milk")
    assert again.close() == 0


STORIES = [story_of_one_note, story_of_a_thing_on_a_desktop]


def picture_file(path: Path, side: int = 1200) -> Path:
    """Write a picture of noise, which cannot be compressed."""
    rows = b"".join(b"\0" + os.urandom(3 * side) for _ in range(side))
    parts = ((b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows, 0)))
    chunks = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in (*parts, (b"IEND", b""))
    ]
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))
    return path


def test_a_dropped_large_picture_appears_everywhere_and_for_latecomers(
    open_window: Any, tmp_path: Path
) -> None:
    ann, bob = open_window(DESKTOP), open_window(DESKTOP)
    for window in (ann, bob):
        window.until("tell", "")
    ann.do(f"drop {picture_file(tmp_path / 'noise.png')}")
    bob.until("tell", "noise.png")
    bob.until("pictures", "100")
    ann.until("pictures", "100")
    cat = open_window(DESKTOP)
    cat.until("pictures", "100")
    agree(ann, bob, cat)
    assert [window.close() for window in (ann, bob, cat)] == [0, 0, 0]
    again = open_window(DESKTOP)
    again.until("pictures", "100")
    assert again.close() == 0


def test_a_dropped_decompression_bomb_changes_nothing_anywhere(open_window: Any, tmp_path: Path) -> None:
    ann, bob = open_window(DESKTOP), open_window(DESKTOP)
    for window in (ann, bob):
        window.until("tell", "")
    bomb = tmp_path / "bomb.png"
    bomb.write_bytes(picture_file(bomb, 2).read_bytes()[:16] + struct.pack(">II", 60_000, 60_000) + bytes(20))
    ann.do(f"drop {bomb}")
    ann.do("lay list")
    bob.until("tell", "list")
    assert ann.ask("tell") == "list"
    agree(ann, bob)


@pytest.mark.parametrize("story", STORIES, ids=["one-note", "a-thing-on-a-desktop"])
def test_three_programs_agree_although_one_is_killed_during_a_gesture(
    open_window: Any, story: Callable[..., None]
) -> None:
    story(open_window, faulty=False)


@pytest.mark.parametrize("story", STORIES, ids=["one-note", "a-thing-on-a-desktop"])
def test_a_replica_that_applies_changes_wrongly_is_detected(
    open_window: Any, story: Callable[..., None]
) -> None:
    with pytest.raises(AssertionError, match=r"do not agree|tell: |places: ") as noticed:
        story(open_window, faulty=True, patience=SHORT, NO_COMPARISONS="1")
    assert "…" not in str(noticed.value), "it did not open, which is another fault"
