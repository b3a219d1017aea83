"""`liven bench` runs the measurements of a checkout."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from liven.app.bench import command
from liven.app.bench.subprocess_run import run_measurement
from liven.runtime.exit_codes import ENVIRONMENT

ROOT = Path(__file__).resolve().parents[4]


def parse(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    command.configure(parser)
    return parser.parse_args(words)


def make_checkout(place: Path, text: str) -> Path:
    bench = place / "bench"
    bench.mkdir(parents=True)
    (bench / "figure_report.py").write_text("")
    (bench / "core.py").write_text(text)
    return bench


def test_without_a_name_the_measurements_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.run(parse()) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in command.MEASUREMENTS)


def test_each_listed_measurement_exists() -> None:
    scripts = [script for script, _ in command.MEASUREMENTS.values()]
    assert [script for script in scripts if not (ROOT / "bench" / f"{script}.py").is_file()] == []


def test_the_checkout_of_the_sources_is_preferred_to_the_current_folder(tmp_path: Path) -> None:
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


def test_outside_a_checkout_the_message_says_where_measurements_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "__file__", str(tmp_path / "command.py"))
    monkeypatch.chdir(tmp_path)
    assert command.run(parse("core")) == ENVIRONMENT
    assert "inside a checkout" in capsys.readouterr().err


def test_an_unknown_measurement_is_bad_use() -> None:
    with pytest.raises(SystemExit) as ended:
        parse("nonsense")
    assert ended.value.code == 2


TOLD = """
import subprocess, sys, time
inner = subprocess.Popen([sys.executable, "-c", "import time; print('ready', flush=True); time.sleep(600)"])
try:
    time.sleep(600)
finally:
    inner.kill()
    inner.wait()
    print("cleaned up", flush=True)
"""
CALL = """
import argparse, sys
from liven.app.bench import command
command.__file__ = sys.argv[1]
parser = argparse.ArgumentParser()
command.configure(parser)
sys.exit(command.run(parser.parse_args(["core"])))
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_ctrl_c_ends_with_one_line_after_the_measurement_has_cleaned_up(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    make_checkout(tmp_path, TOLD)
    called = [sys.executable, "-c", CALL, str(tmp_path / "app" / "command.py")]
    with subprocess.Popen(
        called, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "ready\n"
        os.killpg(running.pid, number)  # as a terminal does
        out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (code, "cleaned up\n")
    assert err == "liven bench: core was interrupted, and tells no figures.\n"


def test_a_second_ctrl_c_kills_the_measurement(tmp_path: Path) -> None:
    text = "import time\ntry:\n    print('ready', flush=True)\n    time.sleep(600)\n"
    text += "finally:\n    print('busy', flush=True)\n    time.sleep(600)\n"
    make_checkout(tmp_path, text)
    called = [sys.executable, "-c", CALL, str(tmp_path / "app" / "command.py")]
    with subprocess.Popen(called, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        for line in ("ready\n", "busy\n"):
            assert running.stdout.readline() == line
            running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert err.startswith("liven bench: core was interrupted")


def test_ctrl_c_during_the_start_leaves_nothing_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "core.py"
    script.write_text("import time\ntime.sleep(600)\n")
    begun: list[int] = []

    class Hurried(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **more: Any) -> None:
            super().__init__(*arguments, **more)
            begun.append(self.pid)
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(subprocess, "Popen", Hurried)
    assert run_measurement(script, []) == (130, True)
    with pytest.raises(ProcessLookupError):
        os.killpg(begun[0], 0)
