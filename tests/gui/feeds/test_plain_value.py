"""The recording of a plain value, opened from the panel: the value at each moment is what is shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.feeds.test_feed_panel import click, panel_of, windows

from liven.liveobjects.channel.api.recipes import KINDS
from liven.liveobjects.feeds.description import AUTHOR, FeedDescription, TypeEntry, write_description
from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.liveobjects.feeds.record import VALUE, Record
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.liveobjects.feeds.view.value.plain_value import NOTHING, PlainValue, value_text
from liven.runtime.reference.model import OtherClass, Parameter, Plain, Reference
from liven.runtime.reference.xml import write

CHANNEL = "local/streams/thermometer"
START = 1_793_600_000_000_000


@pytest.fixture
def window(desk: Any, local_recipe: Any) -> Iterator[Any]:
    given = (
        Parameter("ValueClass", OtherClass("ValueClass", "liven:text")),
        Parameter("name", Plain("string", CHANNEL)),
    )
    recipe = write(Reference(KINDS["value"], given)).decode()
    feed = FeedFolder(desk.folders.state / "feeds" / "thermometer")
    types = {"text": TypeEntry("text")}
    write_description(feed.path, FeedDescription("Thermometer", recipe, types, numbering={CHANNEL: AUTHOR}))
    with LogWriter(feed.recorder("recorder")) as log:
        for number, words in enumerate(("19 °C", "20 °C", "21 °C"), 1):
            at, payload = START + number * 1_000_000, msgpack.packb(words)
            log.append(Record(at, at, "thermometer", CHANNEL, "a", "text", number, VALUE, payload))
        log.sync()
    made = desk.open(local_recipe("liven:text", "alone"))
    made.activateWindow()
    desk.wait(made.isActiveWindow)
    yield made


def test_scrubbing_shows_the_value_of_each_moment(desk: Any, window: Any) -> None:
    panel = panel_of(desk, window)
    click(panel, "Open recording")
    desk.wait(windows)
    made: Any = windows()[0]
    desk.wait(lambda: made.view.show is not None and made.view.page.stage.shown is not None)
    value = made.view.show.value
    assert value.text == NOTHING
    slider = made.view.page.bar.slider
    slider.setFocus()
    for shown in ("19 °C", "20 °C", "21 °C"):
        QTest.keyClick(slider, Qt.Key.Key_Right)
        desk.wait(lambda shown=shown: value.text == shown)
    QTest.keyClick(slider, Qt.Key.Key_Left)
    desk.wait(lambda: value.text == "20 °C")
    QTest.keyClick(slider, Qt.Key.Key_Home)
    desk.wait(lambda: value.text == NOTHING)
    made.close()


def test_of_many_values_at_once_few_are_painted(
    desk: Any, window: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LogWriter(FeedFolder(desk.folders.state / "feeds" / "thermometer").recorder("recorder")) as log:
        for number in range(4, 604):
            at, payload = START + number * 1_000_000, msgpack.packb(f"{number} °C")
            log.append(Record(at, at, "thermometer", CHANNEL, "a", "text", number, VALUE, payload))
    painted: list[Any] = []
    show = PlainValue.show

    def noted(self: PlainValue, value: tuple[Any, ...]) -> None:
        painted.append(value)
        show(self, value)

    monkeypatch.setattr(PlainValue, "show", noted)
    panel = panel_of(desk, window)
    click(panel, "Open recording")
    desk.wait(windows)
    made: Any = windows()[0]
    desk.wait(lambda: made.view.show is not None and made.view.page.stage.shown is not None)
    made.view.page.bar.burst(600)
    desk.wait(lambda: made.view.show.value.text == "600 °C")
    assert len(painted) < 60
    made.close()


def test_values_are_shown_as_people_read_them() -> None:
    assert value_text(()) == NOTHING
    assert value_text(("a\nb",)) == "a\nb"
    assert value_text((21.5,)) == "21.5"
    assert value_text(({"symbol": "XY", "bid": 2.5},)) == "XY\nbid 2.5"
    assert len(value_text(("x" * 100_000,))) < 5000
