"""The demo: two programs that share a desktop, whose contents survive a restart."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from liven.app.demo import command
from liven.app.demo.headless import (
    WRITE,
    DemoError,
    DrivenProgram,
    _wait_until_displayed,
    run_headless,
    wait_for_text,
)
from liven.app.welcome_desktop.location import home_desktop
from liven.runtime.user_folders import UserFolders

pytestmark = pytest.mark.slow


def test_two_programs_share_a_desktop_whose_contents_survive_a_restart(tmp_path: Path) -> None:
    picture = QImage(str(run_headless(tmp_path / "pictures" / "demo.png")))
    assert picture.width() > 2 * 700
    assert picture.height() >= 700


def test_an_unexpected_text_fails_the_demo_with_that_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Silent:
        name = "left"

        def ask(self, line: str) -> str:
            return "nothing"

    monkeypatch.setattr("liven.app.demo.headless._PATIENCE", 0.0)
    with pytest.raises(DemoError, match="the left program shows 'nothing' and not 'words'"):
        wait_for_text(Silent(), "words")  # type: ignore[arg-type]


def test_an_item_that_is_never_displayed_completely_fails_the_demo_with_its_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Half:
        name = "right"

        def ask(self, line: str) -> str:
            return "lake.png"

    monkeypatch.setattr("liven.app.demo.headless._PATIENCE", 0.0)
    with pytest.raises(DemoError, match=r"the right program did not show lake\.png completely within 0 s"):
        _wait_until_displayed(Half())  # type: ignore[arg-type]


def test_a_failing_demo_exits_with_1_and_not_3(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: Path) -> Path:
        raise DemoError("the left program did not end")

    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setattr("liven.app.demo.headless.run_headless", fail)
    assert command.run(argparse.Namespace(offscreen=True, picture=None)) == 1
    assert "liven demo: the left program did not end" in capsys.readouterr().err


def test_without_a_display_the_command_prints_the_path_of_the_picture(tmp_path: Path) -> None:
    """Run as a process: the one of the tests has a Qt application already."""
    target = tmp_path / "demo.png"
    seen = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    bare = {name: value for name, value in os.environ.items() if name not in seen}
    answer = subprocess.run(
        [sys.executable, "-m", "liven.app.main", "demo", "--picture", str(target)],
        env={**bare, "LIVEN_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    assert "there is no display; running two programs without a display" in answer.stdout
    assert f"saved a picture: {target}" in answer.stdout
    assert target.read_bytes().startswith(b"\x89PNG")


def test_the_size_and_show_commands_resize_the_window_and_open_panels(tmp_path: Path) -> None:
    guest = DrivenProgram("only", home_desktop(UserFolders.below(tmp_path)), tmp_path)
    try:
        guest.ask(f"wait {WRITE}")
        assert guest.ask(f"picture {tmp_path / 'bare.png'}") == "saved"
        for order in ("size 1400 820", "show palette", "show inspector"):
            guest.tell(order)
        guest.ask(f"wait {WRITE}")
        assert guest.ask(f"picture {tmp_path / 'panels.png'}") == "saved"
        assert guest.close() == 0
    finally:
        guest.kill()
    sizes = [QImage(str(tmp_path / f"{name}.png")).size().toTuple() for name in ("bare", "panels")]
    assert sizes == [(760, 700), (1400, 820)]
