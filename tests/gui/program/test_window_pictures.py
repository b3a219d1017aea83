"""The last picture of a window is kept while it is open, too: a program may be killed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from liven.app.program import window_pictures
from liven.app.trust.preview_cache import PreviewCache
from liven.liveobjects.channel.api.recording import RECORDING_SIGN
from liven.runtime.reference.xml import write


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window_pictures, "FIRST_MS", 10)
    monkeypatch.setattr(window_pictures, "NEXT_MS", 20)


def kept(desk: Any) -> list[Path]:
    return sorted((desk.folders.cache / "pictures").glob("*.png"))


def test_a_killed_program_leaves_the_picture_of_its_window(desk: Any, local_recipe: Any) -> None:
    thing = local_recipe("liven:desktop", "Table")
    window = desk.open(thing, "table")
    window.view.insert(write(local_recipe("liven:text", "note")).decode(), "Milk")
    desk.wait(window.contents_complete)
    widget = window.centralWidget()

    def shows_the_window() -> bool:
        found = PreviewCache(desk.folders.cache / "pictures").picture(thing)
        return found is not None and plain(found) == plain(widget.grab())

    desk.wait(shows_the_window)


def plain(picture: QPixmap) -> QImage:
    return picture.toImage().convertToFormat(QImage.Format.Format_RGB32)


def test_the_sign_of_a_recording_is_in_no_picture(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"), "table")
    desk.wait(window.contents_complete)
    widget = window.centralWidget()
    without = plain(window_pictures._picture(widget))
    sign = QLabel("● Recording: Ann", widget)
    sign.setObjectName(RECORDING_SIGN)
    sign.setAutoFillBackground(True)
    sign.setGeometry(300, 200, 160, 24)
    sign.show()
    assert plain(widget.grab()) != without
    assert plain(window_pictures._picture(widget)) == without
    assert plain(widget.grab()) != without  # it is shown again


def test_nothing_is_written_while_nothing_is_painted(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"), "table")
    desk.wait(lambda: kept(desk))
    [watch] = window.centralWidget().findChildren(window_pictures._Watch)
    desk.wait(lambda: not watch._timer.isActive())
    taken: list[bool] = []

    def keep() -> bool:
        taken.append(True)
        return True

    watch._keep = keep
    watch._take()
    assert (taken, watch._timer.isActive()) == ([], False)
    window.centralWidget().update()
    desk.wait(lambda: taken)


def test_a_picture_of_a_desktop_that_is_still_loading_is_not_kept(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"), "table")
    monkeypatch.setattr(type(window), "contents_complete", lambda _: False)
    assert desk.windows._pictures._keep(window, at_once=True) is False
    QTest.qWait(0)
