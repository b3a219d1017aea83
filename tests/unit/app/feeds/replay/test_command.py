from __future__ import annotations

import argparse

import pytest

from liven.app.cli.dispatch import Parser
from liven.app.feeds.replay.command import configure, options_of, run
from liven.liveobjects.feeds.replay.errors import ReplayError
from liven.liveobjects.feeds.replay.options import Options
from liven.liveobjects.feeds.replay.pace import MAX
from liven.liveobjects.feeds.replay.remap import Remap
from liven.liveobjects.feeds.replay.selection import Selection


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
