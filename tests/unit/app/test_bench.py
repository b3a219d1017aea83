"""`liven bench` finds the measurements of a checkout, and says so where there is none."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from liven.app.bench import command

ROOT = Path(__file__).resolve().parents[3]


def parse(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    command.configure(parser)
    return parser.parse_args(words)


def make_checkout(place: Path, text: str) -> Path:
    bench = place / "bench"
    bench.mkdir(parents=True)
    (bench / "frame.py").write_text("")
    (bench / "core.py").write_text(text)
    return bench


def test_without_a_name_it_lists_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.run(parse()) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in command.MEASUREMENTS)


def test_each_measurement_of_the_list_is_in_the_checkout() -> None:
    scripts = [script for script, _ in command.MEASUREMENTS.values()]
    assert [script for script in scripts if not (ROOT / "bench" / f"{script}.py").is_file()] == []


def test_the_checkout_of_the_sources_goes_before_the_one_called_from(tmp_path: Path) -> None:
    own = make_checkout(tmp_path / "own", "")
    other = make_checkout(tmp_path / "other", "")
    assert command.find_folder(own.parent / "app" / "x" / "command.py", other.parent) == own
    assert command.find_folder(Path("/nowhere/command.py"), other.parent / "deep" / "down") == other
    assert command.find_folder(Path("/nowhere/command.py"), Path("/")) is None


def test_arguments_and_exit_code_are_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_checkout(tmp_path, "import sys\nsys.exit(len(sys.argv) - 1)\n")
    monkeypatch.setattr(command, "__file__", str(tmp_path / "app" / "command.py"))
    assert command.run(parse("core", "--id", "A7", "--json")) == 3
    assert command.run(parse("core")) == 0


def test_outside_a_checkout_it_says_where_measurements_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "__file__", str(tmp_path / "command.py"))
    monkeypatch.chdir(tmp_path)
    assert command.run(parse("core")) == command.ENVIRONMENT
    assert "inside a checkout" in capsys.readouterr().err


def test_a_name_that_is_none_is_bad_use() -> None:
    with pytest.raises(SystemExit) as ended:
        parse("nonsense")
    assert ended.value.code == 2
