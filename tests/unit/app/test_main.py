"""The command line: help, version, bad use, and commands found by name."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

from liven.app import main as front
from liven.app.cli.commands import COMMANDS
from liven.app.version import version


def test_every_command_in_the_table_can_be_loaded_and_explains_itself(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for entry in COMMANDS:
        with pytest.raises(SystemExit) as ended:
            front.main([entry.name, "--help"])
        assert ended.value.code == 0
        assert f"liven {entry.name}" in capsys.readouterr().out


def test_commands_are_grouped_by_room() -> None:
    names = [entry.name for entry in COMMANDS]
    assert len(set(names)) == len(names)
    rooms = [entry.room for entry in COMMANDS]
    assert len([1 for a, b in pairwise(rooms) if a != b]) == len(set(rooms)) - 1


@pytest.fixture
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)


def test_without_arguments_the_start_window_opens_where_there_is_a_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[list[str]] = []
    monkeypatch.setenv("DISPLAY", ":7")

    def hand_over(words: list[str]) -> int:
        asked.append(words)
        return 0

    monkeypatch.setattr("liven.app.open.hand_over.hand_over", hand_over)
    assert front.main([]) == 0
    assert asked == [[]]


@pytest.mark.usefixtures("no_screen")
def test_without_arguments_and_a_screen_the_commands_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert front.main([]) == 0
    shown = capsys.readouterr().out
    assert all(entry.name in shown and entry.help in shown for entry in COMMANDS)


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        front.main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"liven {version()}\n"


def test_an_unknown_command_is_bad_use_and_the_nearest_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        front.main(["docter"])
    assert ended.value.code == 2
    complaint = capsys.readouterr().err
    assert "there is no command 'docter'; did you mean 'doctor'?" in complaint
    assert "Traceback" not in complaint


def test_an_unknown_flag_is_bad_use(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        front.main(["doctor", "--jsn"])
    assert ended.value.code == 2
    assert "Try: liven doctor --help" in capsys.readouterr().err


@pytest.mark.parametrize(("raised", "code"), [(KeyboardInterrupt, 130), (BrokenPipeError, 0)])
def test_a_closed_pipe_ends_the_command_quietly(
    raised: type[BaseException], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(_arguments: argparse.Namespace) -> int:
        raise raised

    fake = SimpleNamespace(configure=lambda _parser: None, run=cut)
    monkeypatch.setattr("liven.app.cli.dispatch.import_module", lambda _name: fake)
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    assert front.main([COMMANDS[0].name]) == code


def test_an_unknown_command_is_reported_whatever_follows(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        front.main(["docter", "--json"])
    assert ended.value.code == 2
    assert "did you mean 'doctor'?" in capsys.readouterr().err


def test_two_dashes_end_the_options(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        front.main(["--", "doctor", "--help"])
    assert ended.value.code == 0


def test_an_abbreviated_option_is_bad_use() -> None:
    with pytest.raises(SystemExit) as ended:
        front.main(["doctor", "--jso"])
    assert ended.value.code == 2


@pytest.mark.parametrize("words", ["doctor --json", "--help", "--version", "doctor"])
@pytest.mark.parametrize(("target", "code"), [("/dev/full", 3), (None, 0)])
def test_an_output_that_cannot_be_written_gives_no_traceback(
    words: str, target: str | None, code: int
) -> None:
    redirect = f">{target}" if target else ">&-"
    answer = subprocess.run(
        ["sh", "-c", f'"$0" -m liven.app.main {words} {redirect}', sys.executable],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in answer.stderr
    assert answer.returncode in (code, 0), answer.stderr


@pytest.mark.usefixtures("no_screen")
def test_a_terminal_without_unicode_gets_substitutes() -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "liven.app.main"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0
    assert "usage: liven COMMAND ?" in answer.stdout


def test_a_missing_home_is_reported_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LIVEN_HOME", "~no-such-user-here")
    assert front.main(["doctor"]) == 3
    assert (
        capsys.readouterr().err == "liven: LIVEN_HOME='~no-such-user-here' names a user that does not exist\n"
    )


@pytest.mark.parametrize("place", ["/proc/nowhere/x.png", "/dev/null/x.png"])
def test_a_picture_that_cannot_be_saved_is_exit_code_three(
    place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert front.main(["demo", "--offscreen", "--picture", place]) == 3
    assert f"the picture cannot be saved as {place}" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        "check {}",
        "cp {} group",
        "fmt {}",
        "library add {}",
        "open {}",
        "open --new-process {}",
        "run {}",
        "show {}",
        "types list --module {}",
    ],
)
def test_a_missing_file_is_bad_use_for_every_command(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path))
    assert front.main([word.format(tmp_path / "nothing.py") for word in words.split()]) == 2
    said = capsys.readouterr()
    assert str(tmp_path / "nothing.py") in said.out + said.err


@pytest.mark.usefixtures("no_screen")
def test_help_loads_neither_qt_nor_the_rooms_of_the_commands() -> None:
    code = (
        "import sys; from liven.app.main import main; main([]); "
        "print(sorted(m for m in sys.modules if m.startswith(('PySide6', 'lxml', 'numpy', 'liven.'))))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.splitlines()[-1] == str(
        [
            "liven.app",
            "liven.app.backup",
            "liven.app.cli",
            "liven.app.cli.commands",
            "liven.app.cli.dispatch",
            "liven.app.main",
            "liven.app.version",
            "liven.runtime",
            "liven.runtime.exit_codes",
            "liven.runtime.files",
            "liven.runtime.user_folders",
        ]
    )
