"""`liven feeds generate`, as it is typed."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from liven.app.feeds.generate import span
from liven.app.main import main
from liven.liveobjects.feeds.segment.reader import Log


def test_a_feed_is_made_up_and_named_in_the_list(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["feeds", "generate", "airspace", "--for", "10s", "--count", "20", "--into", "sky"]) == 0
    told = capsys.readouterr().out
    feed = home / "state" / "feeds" / "sky"
    counts = [Log(feed / name).end for name in ("north", "south")]
    assert told.startswith(f"sky: {sum(counts)} records")
    assert all(180 < count <= 200 for count in counts)
    assert main(["feeds", "ls"]) == 0
    assert "sky" in capsys.readouterr().out


def test_the_same_words_make_the_same_records(home: Path) -> None:
    for name in ("a", "b"):
        words = ["feeds", "generate", "quotes", "--seed", "7", "--for", "5s", "--into", name]
        assert main(words) == 0
    logs = [Log(home / "state" / "feeds" / name / "north") for name in ("a", "b")]
    first, second = ([record for _, record in log.records(log.begin, log.end)] for log in logs)
    assert first == second
    assert len(first) > 300


def test_recorders_and_loss_can_be_chosen(home: Path) -> None:
    words = ["feeds", "generate", "quotes", "--for", "10s", "--recorders", "3", "--loss", "50%"]
    assert main([*words, "--into", "q"]) == 0
    counts = [Log(home / "state" / "feeds" / "q" / name).end for name in ("north", "south", "east")]
    assert all(200 < count < 600 for count in counts)


def test_a_file_is_written_in_the_format_of_its_ending_or_the_named_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, states = tmp_path / "q.csv", tmp_path / "states.json"
    assert main(["feeds", "generate", "quotes", "--for", "2s", "--file", str(table), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    lines = table.read_text().splitlines()
    assert lines[0].startswith("at,symbol,bid")
    assert said["records"] == len(lines) - 1
    words = ["feeds", "generate", "airspace", "--for", "2s", "--file", str(states), "--format", "opensky"]
    assert main(words) == 0
    assert len(json.loads(states.read_text())["states"]) == 100


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["airspace", "--count", "0", "--into", "x"], 2, "an airspace has 1 to 100,000 aircraft"),
        (["airspace", "--for", "soon", "--into", "x"], 2, "is not a time such as 90s"),
        (["airspace", "--loss", "-1", "--into", "x"], 2, "is not a percentage"),
        (["airspace", "--start", "noon", "--into", "x"], 2, "is not a time such as 2026"),
        (["airspace"], 2, "one of the arguments --into --file is required"),
        (["weather", "--into", "x"], 2, "invalid choice: 'weather'"),
        (["airspace", "--into", ".x"], 2, "cannot be the name of a feed"),
        (["airspace", "--for", "1s", "--file", "x.xyz"], 2, "it can as jsonl, csv, opensky"),
        (["airspace", "--for", "1s", "--file", "/nowhere/x.csv"], 1, "No such file or directory"),
        (["quotes", "--for", "1s", "--recorders", "99", "--into", "x"], 1, "1 to 16 recorders"),
    ],
)
def test_wrong_words_are_refused_with_the_reason(
    home: Path, words: list[str], code: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        found = main(["feeds", "generate", *words])
    except SystemExit as error:
        assert isinstance(error.code, int)
        found = error.code
    assert found == code
    assert told in capsys.readouterr().err
    assert not (home / "state" / "feeds" / "x").exists()


def test_a_feed_that_exists_is_refused_and_stays(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["feeds", "generate", "quotes", "--for", "1s", "--into", "q"]
    assert main(words) == 0
    log = Log(home / "state" / "feeds" / "q" / "north")
    assert main(words) == 1
    assert "exists already; give the feed another name" in capsys.readouterr().err
    assert Log(log.folder).end == log.end


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("1.5m", 90), ("6h", 21_600), ("2d", 172_800), ("1w", 604_800)]
)
def test_spans_of_time_are_written_as_people_do(text: str, seconds: float) -> None:
    assert span(text) == seconds


@pytest.mark.parametrize("text", ["", "0s", "5", "5x", "-1s", "1e3s", "999999w", "٣s"])
def test_other_words_are_no_span_of_time(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is not a time such as"):
        span(text)
