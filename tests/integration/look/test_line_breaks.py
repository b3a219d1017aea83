"""Lines break at the same words on every screen: without one, under X, with other resolutions, a larger
scale, and whatever hinting the system prefers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow
SCRIPT = Path(__file__).with_name("line_breaks.py")
PATIENCE = 120
FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
<match target="font"><edit name="hinting" mode="assign"><bool>true</bool></edit>
<edit name="hintstyle" mode="assign"><const>hintfull</const></edit>
<edit name="antialias" mode="assign"><bool>true</bool></edit></match></fontconfig>
"""


def asked(*words: str, **settings: str) -> dict[str, Any]:
    """Return the answer of a process with these settings."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *words],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.fixture(scope="module")
def wanted() -> Any:
    """Return the breaks without a screen."""
    return asked(QT_QPA_PLATFORM="offscreen")["breaks"]


@pytest.fixture
def display(request: pytest.FixtureRequest) -> Iterator[str]:
    """Start an X server of a resolution, and return its name."""
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb: not on this machine; apt install xvfb")
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x800x24", "-dpi", str(request.param)]
    server = subprocess.Popen(
        [*command, "-nolisten", "tcp"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert server.stdout is not None
    yield f":{server.stdout.readline().strip()}"
    server.terminate()
    server.wait(PATIENCE)
    server.stdout.close()


@pytest.mark.parametrize("dpi", [72, 120, 144])
def test_another_resolution_without_a_screen(wanted: Any, dpi: int) -> None:
    answer = asked(QT_QPA_PLATFORM="offscreen", QT_FONT_DPI=str(dpi))
    assert answer["dpi"] * answer["ratio"] == dpi
    assert answer["breaks"] == wanted


@pytest.mark.parametrize("factor", ["1.5", "2"])
def test_a_larger_scale(wanted: Any, factor: str) -> None:
    answer = asked(QT_QPA_PLATFORM="offscreen", QT_SCALE_FACTOR=factor)
    assert answer["ratio"] == float(factor)
    assert answer["breaks"] == wanted


@pytest.mark.parametrize("display", [96, 120, 144], indirect=True)
@pytest.mark.parametrize("factor", ["1", "1.5"])
def test_under_x(wanted: Any, display: str, factor: str) -> None:
    answer = asked(QT_QPA_PLATFORM="xcb", DISPLAY=display, QT_SCALE_FACTOR=factor)
    assert answer["platform"] == "xcb"
    assert answer["breaks"] == wanted


@pytest.mark.parametrize("display", [96], indirect=True)
def test_a_system_that_wants_full_hinting(wanted: Any, display: str, tmp_path: Path) -> None:
    (tmp_path / "fonts.conf").write_text(FONTS)
    answer = asked(QT_QPA_PLATFORM="xcb", DISPLAY=display, FONTCONFIG_FILE=str(tmp_path / "fonts.conf"))
    assert answer["breaks"] == wanted


def test_a_font_that_follows_the_system_would_break_elsewhere(wanted: Any, tmp_path: Path) -> None:
    """The comparison finds differences: the same letters, with the hinting of the system, do differ."""
    from liven.liveobjects.look.view.letters import _folder

    folder = _folder()
    assert folder is not None
    (tmp_path / "fonts.conf").write_text(FONTS)
    file = str(folder / "SourceSansPro-Regular.ttf")
    settings = {"QT_QPA_PLATFORM": "offscreen", "FONTCONFIG_FILE": str(tmp_path / "fonts.conf")}
    hinted = asked(file, "hinted", **settings)["breaks"]
    ours = asked(file, **settings)["breaks"]
    assert hinted != ours
    assert ours["board False"] == wanted["board False"]
