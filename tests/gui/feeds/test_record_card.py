"""Records on the stage of an earlier moment."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QLabel
from tests.unit.liveobjects.feeds.view.value.test_record_summary import QUAKE

from liven.liveobjects.feeds.view.value.plain_value import NOTHING, PlainValue
from liven.liveobjects.look.tokens import DAY, DUSK
from liven.liveobjects.look.view.light import LIGHT


def seen(value: PlainValue) -> list[str]:
    return [one.text() for one in value.widget.findChildren(QLabel) if one.isVisible() and one.text()]


def test_a_record_is_a_card_and_a_word_is_large(qtbot: Any) -> None:
    value = PlainValue()
    qtbot.addWidget(value.widget)
    value.widget.resize(QSize(900, 700))
    value.widget.show()
    assert seen(value) == [NOTHING]
    value.show((QUAKE,))
    shown = seen(value)
    assert shown[:4] == ["120 km S of Ambon", value._card.summary.moment, "4.7", "magnitude mb"]
    assert "6.250° S, 130.125° E" in shown
    value.show(({"x": 1},))
    assert seen(value) == ["X", "1"]  # nothing of the record before is left
    value.show(("a word",))
    assert seen(value) == ["a word"]
    value.show(())
    assert seen(value) == [NOTHING]


def test_the_card_has_the_colours_of_the_light(qtbot: Any, qapp: QApplication) -> None:
    value = PlainValue()
    qtbot.addWidget(value.widget)
    value.widget.resize(QSize(900, 700))
    value.show((QUAKE,))
    value.widget.show()
    try:
        for look in (DAY, DUSK):
            qapp.setProperty(LIGHT, look.name)
            value._card._colour()
            area = value._card.grab().toImage()
            assert area.pixelColor(area.width() // 2, 20).name() == look.card
    finally:
        qapp.setProperty(LIGHT, None)
