"""The demo: two programs that find each other, and a desktop that is there again afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from liven.app import main as front
from liven.app.demo.rehearsal import RehearsalError, _until, rehearse

pytestmark = pytest.mark.slow


def test_two_programs_write_on_one_desktop_and_it_is_there_again(tmp_path: Path) -> None:
    picture = QImage(str(rehearse(tmp_path / "pictures" / "demo.png")))
    assert picture.width() > 2 * 700
    assert picture.height() >= 700


def test_a_program_that_shows_something_else_is_told_with_what_it_shows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Silent:
        name = "left"

        def ask(self, line: str) -> str:
            return "nothing"

    monkeypatch.setattr("liven.app.demo.rehearsal._PATIENCE", 0.0)
    with pytest.raises(RehearsalError, match="the left program shows 'nothing' and not 'words'"):
        _until(Silent(), "words")  # type: ignore[arg-type]


def test_the_command_says_where_the_picture_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "demo.png"
    assert front.main(["demo", "--offscreen", "--picture", str(target)]) == 0
    assert f"its picture is {target}" in capsys.readouterr().out
    assert target.read_bytes().startswith(b"\x89PNG")
