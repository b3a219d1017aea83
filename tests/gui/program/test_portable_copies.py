"""Portable copies: saved with all pictures, and opened where none of the original's channels is."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog

from liven.liveobjects.channel.api.recipes import LONGEST_REFERENCE
from liven.liveobjects.copying.portable_copy import unpacked


def pictures_on(canvas: Any) -> list[Any]:
    views = [canvas.item_views.view(key) for key in canvas.state.items]
    return [view.model.editor.confirmed.seen for view in views if hasattr(view, "image")]


def noise(path: Path) -> bytes:
    """Write a picture that is too large for a recipe, and return its bytes."""
    picture = QImage(random.Random(1).randbytes(700 * 700 * 4), 700, 700, QImage.Format.Format_RGB32)
    assert picture.save(str(path))
    return path.read_bytes()


@pytest.mark.slow
def test_a_copy_holds_large_pictures_and_opens_without_the_original(
    desk: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "start.csv"
    file.write_text("name\nEiger\n")
    window = desk.windows.open_file(file)
    desk.wait(lambda: window.view is not None and len(window.centralWidget().state.items) == 1)
    canvas = window.centralWidget()
    assert len(noise(tmp_path / "large.png")) > LONGEST_REFERENCE
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "large.png"))])
    canvas.drop_and_paste.add_files(data)
    desk.wait(lambda: [one for one in pictures_on(canvas) if one is not None])
    [original] = [one for one in pictures_on(canvas) if one is not None]
    saved = tmp_path / "copy.liveboard"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(saved), ""))
    desk.press(window, "Save with everything…")
    desk.wait(saved.exists)
    _, [picture] = unpacked(saved.read_bytes())
    assert picture.data == original.data
    references = {item.reference for item in canvas.state.items.values()}
    window.close()

    copy = desk.windows.open_file(saved)
    desk.wait(lambda: copy.view is not None and len(copy.centralWidget().state.items) == 2)
    desk.wait(lambda: [one for one in pictures_on(copy.centralWidget()) if one is not None])
    [restored] = [one for one in pictures_on(copy.centralWidget()) if one is not None]
    assert restored.data == original.data
    images = {
        item.reference for item in copy.centralWidget().state.items.values() if "image" in item.reference
    }
    assert not images & references, "on a channel of its own"
    assert copy.file is not None
    copy.close()


def test_a_damaged_copy_says_why(desk: Any, tmp_path: Path) -> None:
    path = tmp_path / "broken.liveboard"
    path.write_bytes(b"PK\x03\x04 and nothing else")
    window = desk.windows.open_file(path)
    desk.wait(lambda: "cannot be opened: it is cut off or damaged" in desk.words(window) or desk.problems)
    assert any("damaged" in str(problem) for problem in desk.problems) or "damaged" in desk.words(window)
    desk.problems.clear()
    window.close()
