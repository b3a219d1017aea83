"""The object that `liven new` writes can be installed, opened and used."""

from __future__ import annotations

import argparse
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QPushButton

from liven.runtime.commands import library, new


def told(command: ModuleType, *words: str) -> int:
    parser = argparse.ArgumentParser()
    command.configure(parser)
    return int(command.run(parser.parse_args(words)))


def painted(view: Any) -> QImage:
    image = QImage(QSize(200, 100), QImage.Format.Format_RGB32)
    image.fill(0)
    with QPainter(image) as painter:
        view.paint(painter, QRectF(image.rect()))
    return image


@pytest.mark.slow
def test_the_object_of_liven_new_shows_a_working_view(
    desk: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIVEN_HOME", str(desk.folder / "home"))
    assert told(new, "Kettle", "--in", str(tmp_path)) == 0
    assert told(library, "add", str(tmp_path / "kettle.py")) == 0
    window = desk.windows.open_file(tmp_path / "kettle.liveobject")
    desk.wait(lambda: window.view is not None or desk.words(window))
    button = window.centralWidget()
    assert isinstance(button, QPushButton), desk.words(window)
    desk.click(button)
    nothing = painted(window.view)
    assert button.text() == "0.0"
    desk.wait(lambda: button.text() != "0.0")
    assert painted(window.view) != nothing
    desk.click(button)
    assert button.text() == "0.0"
    assert painted(window.view) == nothing
    assert window._showing is not None
    model = window._showing.shown.model
    window.close()
    assert model.watchers == []
    assert list(desk.problems) == []


def test_a_window_on_an_object_without_a_view_links_the_author_guide(desk: Any, local_recipe: Any) -> None:
    [channel] = local_recipe("liven:text", "n").parameters
    window = desk.windows.open_file(desk.file("n", channel.value))
    desk.wait(lambda: "runs, but it has nothing to show" in desk.words(window))
    assert "“A lamp with a switch” in docs/author-guide-view.md" in desk.words(window)
