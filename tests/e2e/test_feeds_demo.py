"""`liven feeds demo` in an environment with nothing in it: recorded, ingested, queried, played again."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def demo(tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    picture = tmp_path / "demo.png"
    return subprocess.run(
        [sys.executable, "-P", "-m", "liven.app.main", "feeds", "demo", "--picture", str(picture), *words],
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


@pytest.mark.skipif(find_spec("pyspark") is None, reason="needs the extra `spark`")
def test_everything_happens_in_one_command(tmp_path: Path) -> None:
    told = demo(tmp_path)
    assert told.returncode == 0, told.stderr
    assert "[5/5]" in told.stdout
    assert "ingested 117522 records" in told.stdout
    assert "the state is the same" in told.stdout
    assert (tmp_path / "demo.png").read_bytes().startswith(b"\x89PNG")


def test_it_goes_on_without_spark_and_keeps_a_named_home(tmp_path: Path) -> None:
    told = demo(tmp_path, "--no-spark", "--home", str(tmp_path / "home"))
    assert told.returncode == 0, told.stderr
    assert "[4/4]" in told.stdout
    assert (tmp_path / "home" / "state" / "feeds" / "board" / "feed.json").is_file()
