"""The panel of feeds, by real clicks and keys."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton
from tests.gui.feeds.recorded import BOARD, board, monday, written

from liven.app.window.recordings.recording_window import RecordingWindow
from liven.liveobjects.feeds.description import FeedDescription, write_description
from liven.liveobjects.feeds.recording_list import ListedRecording
from liven.liveobjects.feeds.view.panel.feed_panel import FeedPanel
from liven.liveobjects.feeds.view.panel.recording_table import growth_text, size_text

PROGRAM = (sys.executable, str(Path(__file__).with_name("stand_in_liven.py")))


@pytest.fixture
def window(desk: Any) -> Iterator[Any]:
    written(monday(), desk.folders.state / "feeds", board())
    made = desk.open(board(), BOARD)
    made.activateWindow()
    desk.wait(made.isActiveWindow)
    yield made


def panel_of(desk: Any, window: Any) -> Any:
    """Press the keys of the panel, and wait until it has read the recordings."""
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(window, Qt.Key.Key_F, keys)
    panel = window.findChild(FeedPanel)
    desk.wait(lambda: panel.tree.topLevelItemCount() or "No recordings" in panel.words.text())
    return panel


def click(panel: Any, words: str) -> None:
    QTest.mouseClick(named(panel, words), Qt.MouseButton.LeftButton)


def named(panel: Any, words: str) -> QPushButton:
    found = [one for one in panel.findChildren(QPushButton) if one.text().replace("&", "") == words]
    assert len(found) == 1
    made: QPushButton = found[0]
    return made


def windows() -> list[RecordingWindow]:
    return [one for one in QApplication.topLevelWidgets() if isinstance(one, RecordingWindow)]


def row(panel: Any) -> list[str]:
    item = panel.tree.topLevelItem(0)
    return [item.text(column) for column in range(panel.tree.columnCount())]


def test_recordings_are_listed(desk: Any, window: Any) -> None:
    panel = panel_of(desk, window)
    title, state, events, size, growth, last = row(panel)
    assert (title, state, events, growth) == ("Lighthouse open day — lighthouse/ann", "stopped", "7", "")
    assert size.endswith(("kB", " B"))
    assert last.endswith("d ago")
    desk.wait(lambda: panel.bar.slider._bars.records == 7)


def test_without_a_recording_the_panel_says_how_to_begin(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "alone"))
    panel = panel_of(desk, window)
    assert "Record this object" in panel.words.text()
    assert not named(panel, "Record this object").isEnabled()  # its channel stays in this process
    assert not named(panel, "Ingest").isEnabled()


def test_return_opens_the_recording_in_a_window_that_the_panel_plays(desk: Any, window: Any) -> None:
    panel = panel_of(desk, window)
    panel.tree.setFocus()
    QTest.keyClick(panel.tree, Qt.Key.Key_Return)
    made: Any = windows()[0]
    desk.wait(lambda: made.view.show is not None and made.view.page.stage.shown is not None)
    assert made.windowTitle() == "Recording of Lighthouse open day — Liven"
    assert made.view.page.sentence.endswith("not live. The recording begins here. Esc closes.")
    desk.wait(lambda: panel.bar.is_driving)
    panel.bar.slider.setFocus()
    QTest.keyClick(panel.bar.slider, Qt.Key.Key_Right)
    desk.wait(lambda: made.view.show.model.editor.state.items)
    panel.tree.setFocus()
    QTest.keyClick(panel.tree, Qt.Key.Key_Return)
    assert windows() == [made]  # the same recording is not opened twice
    QTest.keyClick(made.view.page.bar.slider, Qt.Key.Key_Escape)
    desk.wait(lambda: panel.bar.slider.moment == panel.bar.slider._begin)


def test_space_in_the_panel_opens_the_recording_and_plays_it(desk: Any, window: Any) -> None:
    panel = panel_of(desk, window)
    desk.wait(lambda: panel.bar.slider._bars.records == 7)
    assert all(one.isEnabled() for one in panel.bar.findChildren(QToolButton))
    panel.bar.change_speed(20)
    panel.tree.setFocus()
    QTest.keyClick(panel.tree, Qt.Key.Key_Space)
    assert panel.bar.words.text() == "opening the recording …"
    desk.wait(lambda: windows() and windows()[0].view.show is not None)
    made: Any = windows()[0]
    desk.wait(lambda: made.view.show.playback.sequence == 7)
    assert not panel.bar.words.text()
    assert made.view.show.playback.speed == float("inf")


def test_a_click_on_the_slider_of_the_panel_opens_the_recording_at_that_moment(
    desk: Any, window: Any
) -> None:
    panel = panel_of(desk, window)
    desk.wait(lambda: panel.bar.slider._bars.records == 7)
    slider = panel.bar.slider
    place = QPoint(slider.width() // 2, slider.height() // 2)
    QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=place)
    wanted = slider.moment
    assert slider._begin < wanted < slider._end
    desk.wait(windows)
    made: Any = windows()[0]
    desk.wait(lambda: made.view.show is not None and made.view.show.playback.moment == wanted)


def test_return_presses_the_buttons_of_the_panel(desk: Any, window: Any) -> None:
    panel = panel_of(desk, window)
    opening = named(panel, "Open recording")
    opening.setFocus()
    QTest.keyClick(opening, Qt.Key.Key_Return)
    desk.wait(windows)


def test_a_feed_without_a_recipe_cannot_be_played_in_a_window(desk: Any, window: Any) -> None:
    write_description(desk.folders.state / "feeds" / "lighthouse", FeedDescription("Numbers"))
    panel = panel_of(desk, window)
    assert not any(one.isEnabled() for one in panel.bar.findChildren(QToolButton) if one.isVisible())


def test_the_recording_closes_with_the_window_of_its_panel(desk: Any, window: Any) -> None:
    panel = panel_of(desk, window)
    click(panel, "Open recording")
    desk.wait(windows)
    window.close()
    desk.wait(lambda: not windows())


def test_ingest_shows_its_end(desk: Any, window: Any) -> None:
    panel = panel_of(desk, window)
    panel._program = PROGRAM
    click(panel, "Ingest")
    assert not panel.progress.isHidden()
    desk.wait(lambda: panel.words.text() == "Lighthouse open day is ingested.")
    assert panel.progress.isHidden()


def test_a_broken_description_is_shown_with_advice(desk: Any, window: Any) -> None:
    (desk.folders.state / "feeds" / "lighthouse" / "feed.json").write_text("[]")
    panel = panel_of(desk, window)
    desk.wait(lambda: "⚠" in panel.words.text())
    assert "feed.json" in panel.words.text()
    assert row(panel)[1] == "⚠ error"
    assert not named(panel, "Open recording").isEnabled()


def test_the_panel_comes_back_with_the_window(desk: Any, window: Any) -> None:
    panel_of(desk, window)
    assert "feeds" in window.panels.shown()


@pytest.mark.parametrize(
    ("size", "words"), [(0, "0 B"), (1500, "1.5 kB"), (52_500_000, "52.5 MB"), (3e9, "3.0 GB")]
)
def test_sizes_are_for_people(size: float, words: str) -> None:
    assert size_text(size) == words


def test_growth_is_empty_when_it_stands_still() -> None:
    still = ListedRecording(Path("x"), None, "x")
    assert growth_text(still) == ""
    grows = ListedRecording(Path("x"), None, "x", records_per_second=12.34, bytes_per_second=2000)
    assert growth_text(grows) == "12.3 events, 2.0 kB a second"
