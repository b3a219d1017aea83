from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from liven.runtime.commands import check, library, new, run


def told(command: object, *words: str) -> int:
    parser = argparse.ArgumentParser()
    command.configure(parser)  # type: ignore[attr-defined]  # a module that is a command
    return int(command.run(parser.parse_args(words)))  # type: ignore[attr-defined]


def test_new_writes_the_files_and_prints_the_next_steps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "made").mkdir()
    assert told(new, "WeatherStation", "--in", str(tmp_path / "made")) == 0
    names = sorted(path.name for path in (tmp_path / "made").iterdir())
    assert names == ["test_weather_station.py", "weather_station.liveobject", "weather_station.py"]
    said = capsys.readouterr().out
    assert "liven run" in said
    assert "liven library add" in said
    assert "docs/author-guide-view.md" in said


def test_every_object_gets_an_id_of_its_own(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        assert told(new, "Clock", "--in", str(tmp_path / folder)) == 0
    assert (tmp_path / "a" / "clock.py").read_text() != (tmp_path / "b" / "clock.py").read_text()


def test_the_new_test_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told(new, "Kettle", "--in", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    spec = importlib.util.spec_from_file_location("test_kettle", tmp_path / "test_kettle.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        tests = [getattr(module, name) for name in vars(module) if name.startswith("test_")]
        assert len(tests) == 3
        for test in tests:
            test()
    finally:
        sys.modules.pop("kettle", None)


def test_the_new_object_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path / "home"))
    told(new, "Kettle", "--in", str(tmp_path))
    words = [str(tmp_path / "kettle.liveobject"), "--module", str(tmp_path / "kettle.py"), "--log", "all"]
    assert told(run, *words, "--for", "0.05") == 0
    assert 'kettle.data out.changed {"value": 0.0}' in capsys.readouterr().out


@pytest.mark.slow
def test_the_printed_steps_lead_to_a_running_object(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path / "home"))
    told(new, "Kettle", "--in", str(tmp_path))
    file = str(tmp_path / "kettle.liveobject")
    assert told(check, file) == 1
    assert "which the reference requires: liven library add PATH" in capsys.readouterr().out
    assert told(run, file, "--for", "0.05") == 1
    assert "`liven library add PATH` installs one" in capsys.readouterr().out
    assert told(library, "add", str(tmp_path / "kettle.py")) == 0
    assert told(check, file) == 0
    assert told(run, file, "--for", "0.05") == 0


@pytest.mark.slow
def test_the_written_files_pass_pytest_and_the_type_checker(tmp_path: Path) -> None:
    told(new, "Kettle", "--in", str(tmp_path))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "MYPYPATH": str(tmp_path)}
    for words in (
        ["-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        ["-m", "mypy", "--strict", "--no-error-summary", "kettle.py", "test_kettle.py"],
        ["-m", "ruff", "check", "--isolated", "."],
    ):
        done = subprocess.run(
            [sys.executable, *words],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "name", ["", "kettle", "1Kettle", "Ket tle", "../Kettle", "Kettle;", "Class", "K" * 80]
)
def test_a_name_that_is_not_a_class_name_is_bad_use(name: str, tmp_path: Path) -> None:
    assert told(new, name, "--in", str(tmp_path)) == 2
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Path.open

    def full(path: Path, *how: str, **more: str) -> object:
        if path.suffix == ".liveobject":
            raise OSError(28, "No space left on device")
        return opened(path, *how, **more)  # type: ignore[call-overload]  # as it is called there

    monkeypatch.setattr(Path, "open", full)
    assert told(new, "Kettle", "--in", str(tmp_path)) == 3
    err = capsys.readouterr().err
    assert err.startswith(f"{tmp_path}: No space left on device; ")
    assert err.endswith("; nothing was written\n")
    assert list(tmp_path.iterdir()) == []


def test_new_never_replaces_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kettle.liveobject").write_text("mine")
    assert told(new, "Kettle", "--in", str(tmp_path)) == 2
    assert "nothing was written" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["kettle.liveobject"]


def test_a_missing_folder_is_bad_use_and_is_not_created(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "no" / "where", tmp_path / "file", tmp_path / "file" / "below"):
        assert told(new, "Kettle", "--in", str(folder)) == 2
        assert capsys.readouterr().err == f"{folder}: no such folder; make it first, or name another\n"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_folder_that_takes_no_files_is_the_environments_fault(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(new, "Kettle", "--in", "/proc") == 3
    assert "/proc/kettle.py" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "module"),
    [("Kettle", "kettle"), ("WeatherStation", "weather_station"), ("HTTPFeed", "http_feed")],
)
def test_modules_are_named_after_their_class(name: str, module: str) -> None:
    assert new.module_name(name) == module
