from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from liven.app.cli.dispatch import Parser, dispatch
from liven.app.feeds.replay.command import configure, options_of, run
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.replay.errors import ReplayError
from liven.liveobjects.feeds.replay.options import Options
from liven.liveobjects.feeds.replay.pace import MAX
from liven.liveobjects.feeds.replay.remap import Remap
from liven.liveobjects.feeds.replay.selection import Selection
from liven.liveobjects.feeds.segment.writer import LogWriter


def parsed(*words: str) -> argparse.Namespace:
    parser = Parser(prog="liven feeds replay")
    configure(parser)
    return parser.parse_args(words)


def test_without_options_everything_is_played_as_recorded() -> None:
    arguments = parsed("monday")
    assert options_of(arguments) == Options()
    assert (arguments.into, arguments.yes) == ("sandbox", False)


def test_all_options_reach_the_engine() -> None:
    words = (
        "monday --speed 2.5 --from 09:00 --to +2h --loop --a #5 --b 50% --object plane* --channel !*talk "
        "--author ann --author ben --type position --regex --remap a=b --shift"
    )
    assert options_of(parsed(*words.split())) == Options(
        2.5,
        "09:00",
        "+2h",
        True,
        "#5",
        "50%",
        Selection(("plane*",), ("!*talk",), ("ann", "ben"), ("position",), True),
        Remap((("a", "b"),)),
        True,
    )


@pytest.mark.parametrize("words", [("--max",), ("--speed", "max")])
def test_max_is_a_speed(words: tuple[str, ...]) -> None:
    assert options_of(parsed("monday", *words)).speed == MAX


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--speed", "0"), "choose 0.1 to 1000, or max"),
        (("--speed", "fast"), "choose 0.1 to 1000, or max"),
        (("--into", "somewhere"), "choose sandbox, live:CHANNEL or nothing"),
        (("--into", "live:"), "name the live channel"),
        (("--burst", "-1"), "is not a number of events"),
        (("--keys", "--no-keys"), "not allowed with"),
        (("--shift", "--original-time"), "not allowed with"),
    ],
)
def test_wrong_use_is_told(words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parsed("monday", *words)
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_wrong_remap_is_told() -> None:
    with pytest.raises(ReplayError, match="is not OLD=NEW"):
        options_of(parsed("monday", "--remap", "a"))


def test_both_spellings_of_a_live_channel() -> None:
    assert parsed("monday", "--into-live", "talk").into == parsed("monday", "--into", "live:talk").into


def test_a_feed_or_a_query_has_to_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(parsed()) == 2
    assert "liven feeds ls" in capsys.readouterr().err


@pytest.fixture
def planes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A feed of a hundred records, one an hour."""
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path))
    with LogWriter(tmp_path / "state" / "feeds" / "planes" / "ann") as writer:
        for number in range(100):
            at = number * 3_600_000_000
            writer.append(Record(at, at, "plane", "planes", "ann", "int64", number, 0, b"\x01"))


@pytest.mark.usefixtures("planes")
def test_a_replay_that_pauses_ends_where_no_key_can_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch(["feeds", "replay", "planes", "--seek", "50%", "--paused", "--print"]) == 0
    shown = capsys.readouterr()
    assert "paused at 1970-01-03 01:30:00" in shown.err
    assert "no keyboard is read here that could go on, so the replay ends" in shown.err
    assert not shown.out
    assert dispatch(["feeds", "replay", "planes", "--paused", "--print", "--burst", "3"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


@pytest.mark.parametrize("words", [("--from", "noon"), ("--seek", "@storm"), ("--from", "#9", "--to", "#3")])
@pytest.mark.usefixtures("planes")
def test_places_that_are_none_are_wrong_use(words: tuple[str, ...]) -> None:
    assert dispatch(["feeds", "replay", "planes", "--max", *words]) == 2
