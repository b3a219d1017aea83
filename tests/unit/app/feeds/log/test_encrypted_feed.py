"""Encrypted recordings at the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.liveobjects.feeds.sealed_feed import CHANNEL, OTHER, Sender, describe, key_file, recipe

from liven.liveobjects.feeds.encryption import without_keys
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.runtime.reference.model import Document
from liven.runtime.reference.xml import write

Run = Callable[..., int]
Out = pytest.CaptureFixture[str]


@pytest.fixture
def secret(feeds: Path) -> Path:
    """Return a feed with two sealed values."""
    place, ann = feeds / "secret", Sender()
    describe(place)
    with LogWriter(place / "ann") as writer:
        writer.extend([ann.record(number, f"{number} euros") for number in (1, 2)])
    return place


def test_the_lists_say_that_it_is_encrypted(run: Run, secret: Path, capsys: Out) -> None:
    assert run("ls") == 0
    assert ", encrypted" in capsys.readouterr().out
    assert run("info", "secret") == 0
    assert f"channel {CHANNEL}: encrypted, here as well" in capsys.readouterr().out


def test_the_key_prints_it_and_another_one_does_not(
    run: Run, secret: Path, tmp_path: Path, capsys: Out
) -> None:
    assert run("cat", "secret", "--key", key_file(tmp_path)) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["value"] for row in rows] == ["1 euros", "2 euros"]
    assert run("cat", "secret", "--key", key_file(tmp_path, OTHER)) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["error"] for row in rows} == {"it was sealed with another key"}


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (("cat", "secret"), "--key FILE"),
        (("replay", "secret", "--max", "--print"), "--key FILE"),
        (("export", "secret", "x.jsonl"), "a copy of its folder stays encrypted"),
        (("diff", "secret"), "go back in time in its window"),
        (("asof", "secret"), "`liven feeds replay --key FILE`"),
    ],
)
def test_without_the_key_one_sentence_says_so(
    run: Run, secret: Path, tmp_path: Path, capsys: Out, words: tuple[str, ...], advice: str
) -> None:
    assert run(*words) == 2
    told = capsys.readouterr()
    assert told.err.count("\n") == 1
    assert told.err.startswith(f"liven: secret is encrypted (channel {CHANNEL}); ")
    assert advice in told.err
    assert not told.out


def test_a_file_that_is_no_key_is_refused(run: Run, secret: Path, tmp_path: Path, capsys: Out) -> None:
    assert run("cat", "secret", "--key", tmp_path / "none") == 2
    assert "none" in capsys.readouterr().err
    bare = tmp_path / "bare.liveobject"
    bare.write_bytes(write(Document(without_keys(recipe()))))
    assert run("cat", "secret", "--key", bare) == 2
    assert "has no key" in capsys.readouterr().err
    assert run("cat", "secret", "--key", key_file(tmp_path, "xy")) == 2
    assert "the recipe has a bad key" in capsys.readouterr().err
