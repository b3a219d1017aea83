"""Titles of channels, written by a running program and read by others."""

from __future__ import annotations

import json
import os
import subprocess
import unicodedata
from pathlib import Path

import pytest

from liven.app.network.channel_titles import FOLDER, drop_titles, read_titles, with_titles, write_titles
from liven.app.network.rates import rows
from liven.app.top.table import screen
from liven.liveobjects.channel.process.titles import MOST, ChannelTitles
from liven.multicast.laggard import Lag, Laggard
from liven.multicast.published_stats import EngineStats

HEX = "home/f/0123456789ABCDEF0123456789ABCDEF"


def test_titles_are_readable_until_their_program_ends(tmp_path: Path) -> None:
    write_titles(tmp_path, {HEX: "Shopping"})
    assert read_titles(tmp_path) == {HEX: "Shopping"}
    assert (tmp_path / FOLDER).stat().st_mode & 0o777 == 0o700
    drop_titles(tmp_path)
    assert read_titles(tmp_path) == {}


def test_titles_of_a_crashed_program_are_removed(tmp_path: Path) -> None:
    with subprocess.Popen(["true"]) as ended:
        ended.wait()
    write_titles(tmp_path, {HEX: "Shopping"})
    left = tmp_path / FOLDER / f"{ended.pid}.json"
    (tmp_path / FOLDER / f"{os.getpid()}.json").rename(left)
    assert read_titles(tmp_path) == {}
    assert not left.exists()


@pytest.mark.parametrize("text", ["", "[", "7", "[1, 2]", "[" * 100_000])
def test_other_files_are_ignored(tmp_path: Path, text: str) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / f"{os.getpid()}.json").write_text(text)
    (tmp_path / FOLDER / "words.json").write_text(json.dumps({HEX: "x"}))
    assert read_titles(tmp_path) == {}


def test_groups_and_waits_have_readable_names() -> None:
    lag = Laggard(7, Lag.SILENT, HEX)
    shown = EngineStats("e", 1, 1.0, (HEX, f"{HEX}/presence", "chat:room"), {}, laggards=(lag,))
    told = with_titles(shown, {HEX: "Shopping\nlist " + "x" * 100})
    assert told.groups[0].startswith("Shopping list xxx")
    assert len(told.groups[0]) == 60
    assert told.groups[1].endswith("…: who is here")
    assert told.groups[2] == "chat:room"
    assert told.laggards[0].group == told.groups[0]


def test_a_title_is_the_path_to_the_channel() -> None:
    changes: list[int] = []
    called = ChannelTitles(lambda: changes.append(1))
    for _ in range(2):
        called.opened("c", ("Table", "Shopping", "Parameter[channel]", "from"))
    assert (called.names, len(changes)) == ({"c": "Table / Shopping"}, 1)
    called.opened("c", ("Parameter[channel]",))
    assert called.names == {"c": "Table / Shopping"}
    for number in range(MOST):
        called.opened(f"c{number}", ("x",))
    assert len(called.names) == MOST
    assert "c" not in called.names


@pytest.mark.parametrize("width", [40, 60, 100])
@pytest.mark.parametrize("name", ["買い物リスト" * 20, "🛒 shopping " * 9, "plain " * 30])
def test_wide_characters_fit_the_terminal(name: str, width: int) -> None:
    shown = EngineStats("e", 1, 1.0, (HEX, f"{HEX}/presence"), {}, laggards=(Laggard(7, Lag.SILENT, HEX),))
    table = rows([], [with_titles(shown, {HEX: name})])
    for line in screen(None, table, width, 24, "q ends"):
        columns = sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in line)
        assert columns <= width, line


def test_pipes_and_devices_are_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    os.mkfifo(tmp_path / FOLDER / f"{os.getpid()}.json")
    assert read_titles(tmp_path) == {}
