"""The samples of channels are valid and run; the Python code of the chapter works as described."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SAMPLES = sorted((ROOT / "samples" / "channels").glob("*.liveobject"))
CHAPTER = (ROOT / "docs" / "channels.md").read_text(encoding="utf-8")


def liven(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LIVEN_HOME": str(home)}
    command = [sys.executable, "-m", "liven.app.main", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


def test_the_chapter_names_every_sample_that_it_uses() -> None:
    named = set(re.findall(r"samples/channels/([\w-]+\.liveobject)", CHAPTER))
    assert named <= {path.name for path in SAMPLES}
    assert len(named) == 4


@pytest.mark.slow
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_each_sample_is_valid_and_runs(path: Path, tmp_path: Path) -> None:
    checked = liven(tmp_path, "check", str(path))
    assert checked.returncode == 0, checked.stdout + checked.stderr
    ran = liven(tmp_path, "run", str(path), "--log", "all", "--monitor", "--for", "4", "--service-idle", "1")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert f"{path.stem}: running" in ran.stdout
    if path.stem.endswith("tester"):
        assert "fault" not in ran.stdout
        assert 'out.sent {"count": 100}' in ran.stdout


def test_the_test_kit_works_as_the_chapter_shows() -> None:
    (piece,) = [one for one in re.findall(r"```python\n(.*?)```", CHAPTER, re.S) if "Processes()" in one]
    exec(compile(piece, "docs/channels.md", "exec"), {})


def test_the_counter_example_of_the_chapter_is_a_checkpointed_client(tmp_path: Path) -> None:
    (piece,) = [one for one in re.findall(r"```python\n(.*?)```", CHAPTER, re.S) if "class Counter" in one]
    module = tmp_path / "counter.py"
    module.write_text(
        "from __future__ import annotations\n" + piece.replace("…", "AB" * 16), encoding="utf-8"
    )
    shown = liven(tmp_path, "types", "show", "--module", str(module), "mine:counter")
    assert shown.returncode == 0, shown.stderr
    assert "endpoint channel" in shown.stdout
