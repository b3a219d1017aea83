"""The program around its windows: start, end, handed-over files and crashes."""

from __future__ import annotations

import argparse
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton, QWidget

from liven.app.instance.spawn import half_of_screen, on_a_screen, other_half
from liven.app.open import command
from liven.app.program.desktop_program import _end_by_signal, _start_server, end_when_left, open_handed_over
from liven.app.window.pages.prompt_bar import PromptBar
from liven.app.window.saved.crash_restore import CrashedWindows, OpenWindow, OpenWindows
from liven.runtime.reference.xml import write


def test_a_program_that_receives_a_file_while_leaving_stays(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[Any] = []
    ended: list[bool] = []
    monkeypatch.setattr(desk.program, "farewell", left.append)
    end_when_left(desk.program, desk.windows, lambda: ended.append(True))
    window = desk.open(local_recipe("liven:text", "n"))
    left.pop()()
    assert ended == []
    window.close()
    end_when_left(desk.program, desk.windows, lambda: ended.append(True))
    left.pop()()
    assert ended == [True]


def test_after_a_signal_handed_over_files_are_not_opened(desk: Any, local_recipe: Any) -> None:
    """The program had accepted the file and was about to open it."""
    desk.open(local_recipe("liven:text", "n"))
    later: list[Any] = []
    file = str(desk.file("m", local_recipe("liven:text", "m")))
    assert open_handed_over(desk.windows, [file], later.append, tell=True) == []
    desk.windows.end()
    later.pop()()
    assert desk.windows.open_windows == []
    assert desk.emptied == 1


def test_a_program_stays_to_open_files_that_it_has_accepted(desk: Any, local_recipe: Any) -> None:
    """The other start has ended, because the file was accepted."""
    window = desk.open(local_recipe("liven:text", "n"))
    later: list[Any] = []
    ended: list[bool] = []
    file = str(desk.file("m", local_recipe("liven:text", "m")))
    assert open_handed_over(desk.windows, [file], later.append, tell=True) == []
    window.close()
    end_when_left(desk.program, desk.windows, lambda: ended.append(True))
    assert ended == []
    later.pop()()
    [opened] = desk.windows.open_windows
    opened.close()
    end_when_left(desk.program, desk.windows, lambda: ended.append(True))
    assert ended == [True]


def test_a_signal_closes_the_windows_even_if_the_terminal_is_gone(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The terminal of its start was closed."""

    def closed(_: str) -> int:
        raise OSError(5, "Input/output error")

    desk.open(local_recipe("liven:text", "n"))
    monkeypatch.setattr("sys.stderr", SimpleNamespace(write=closed))
    _end_by_signal(desk.windows, signal.SIGTERM)
    assert desk.windows.open_windows == []


def test_a_missing_socket_is_a_problem_and_the_program_runs(desk: Any) -> None:
    deep = desk.folder / ("x" * 120)
    folders = type(desk.folders).below(deep)
    bell, problem = _start_server(folders, desk.dispatcher, desk.windows)
    assert bell is None
    assert problem is not None
    assert "cannot receive files" in problem.what
    assert "LIVEN_HOME" in problem.advice


@pytest.mark.parametrize(
    ("place", "text", "said"),
    [
        ("person.toml", "key = 3", "no key of 32 hexadecimal digits; correct it or move it away"),
        ("config.toml", "[multicast", "cannot be read"),
        ("config.toml", "[multicast]\ncluster = 0", "multicast.cluster is 0; it must be a whole number"),
    ],
)
def test_for_an_icon_errors_are_shown_in_a_window(
    home: Path, qtbot: Any, monkeypatch: pytest.MonkeyPatch, place: str, text: str, said: str
) -> None:
    del qtbot
    (home / "config").mkdir(parents=True)
    (home / "config" / place).write_text(text)
    shown: list[str] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: shown.append(box.text()))
    parser = argparse.ArgumentParser()
    command.configure(parser)
    assert command.run(parser.parse_args(["--from-icon"])) == 3
    assert said in shown[0]
    assert shown[0].startswith("Liven cannot start.")


def crashed(desk: Any, *windows: OpenWindow) -> None:
    import os

    program = OpenWindows(desk.folders.state / "windows")
    program.write(windows)
    assert program._lock is not None
    os.close(program._lock)


def offered(desk: Any) -> list[str]:
    """Return the windows that another program would offer."""
    left = CrashedWindows(desk.folders.state / "windows")
    left.close()
    return [one.name for one in left.windows]


def lost(local_recipe: Any, *area: int) -> OpenWindow:
    left, top, width, height = area
    return OpenWindow("Lost", write(local_recipe("liven:text", "Lost")).decode(), (left, top, width, height))


def test_an_unanswered_offer_is_repeated_at_the_next_start(desk: Any, local_recipe: Any) -> None:
    """The first program crashes, too, or its window is closed without an answer."""
    crashed(desk, lost(local_recipe, 0, 0, 300, 300))
    window = desk.open(local_recipe("liven:text", "n"))
    desk.windows.offer_to_restore()
    assert len(window.findChildren(PromptBar)) == 1
    assert offered(desk) == []
    window.close()
    desk.wait(lambda: offered(desk) == ["Lost"])


def test_a_declined_offer_is_not_repeated(desk: Any, local_recipe: Any) -> None:
    crashed(desk, lost(local_recipe, 0, 0, 300, 300))
    window = desk.open(local_recipe("liven:text", "n"))
    desk.windows.offer_to_restore()
    [bar] = window.findChildren(PromptBar)
    desk.click(next(one for one in bar.findChildren(QPushButton) if one.text() == "Do not reopen"))
    desk.bot.wait(50)
    assert offered(desk) == []


@pytest.mark.parametrize(
    "area", [(90_000, 90_000, 400, 300), (-5000, 0, 400, 300), (0, 0, 50_000, 50_000), (10, 10, 0, -5)]
)
def test_a_window_from_an_unplugged_screen_opens_on_a_visible_one(
    desk: Any, local_recipe: Any, area: tuple[int, int, int, int]
) -> None:
    crashed(desk, lost(local_recipe, *area))
    window = desk.open(local_recipe("liven:text", "n"))
    desk.windows.offer_to_restore()
    [bar] = window.findChildren(PromptBar)
    desk.click(next(one for one in bar.findChildren(QPushButton) if one.text() == "Reopen"))
    restored = desk.windows.open_windows[1]
    screen = restored.screen().availableGeometry()
    seen = screen.intersected(restored.geometry())
    assert seen.width() >= 100
    assert seen.height() >= 60
    assert on_a_screen((10, 10, 400, 300)).getRect() == (10, 10, 400, 300)


def test_the_new_position_of_a_window_is_saved(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "n"))
    window.setGeometry(30, 40, 500, 350)

    def written() -> bool:
        [path] = (desk.folders.state / "windows").glob("*.json")
        return "[30, 40, 500, 350]" in path.read_text()

    desk.wait(written)


@pytest.mark.parametrize(("half", "other"), [("left", "right"), ("right", "left")])
def test_a_second_program_opens_on_the_free_half_of_the_screen(
    qapp: QApplication, half: str, other: str
) -> None:
    del qapp
    window = QWidget()
    window.setGeometry(half_of_screen(half))
    assert other_half(window) == other
