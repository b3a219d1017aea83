"""High contrast in votes, chats and windows: every text is legible, also on bars."""

from __future__ import annotations

from collections import Counter as Counted
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter, QPalette
from PySide6.QtWidgets import QApplication

from liven.app.appearance.qt_palette import palette_of
from liven.liveobjects.chat.model import Line, Say
from liven.liveobjects.chat.object import ChatObject, ChatOperation, ChatState
from liven.liveobjects.look.tokens import HIGH_LIGHT
from liven.liveobjects.view.accessibility import HIGH_CONTRAST
from liven.liveobjects.vote.object import VoteObject, VoteOperation, VoteState
from liven.liveobjects.window.object import WindowObject

if TYPE_CHECKING:
    from tests.gui.objects.conftest import Room


@pytest.fixture
def strong(qapp: QApplication) -> Iterator[QApplication]:
    qapp.setProperty(HIGH_CONTRAST, True)
    qapp.setPalette(palette_of(HIGH_LIGHT))
    yield qapp
    qapp.setProperty(HIGH_CONTRAST, None)
    qapp.setPalette(QPalette())


def picture(view: Any, width: int, height: int) -> QImage:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    view.paint(painter, QRectF(image.rect()))
    painter.end()
    return image


def shares(image: QImage, top: int, bottom: int) -> Counted[str]:
    """Return the number of pixels of each colour in some rows."""
    return Counted(
        image.pixelColor(x, y).name() for y in range(top, bottom) for x in range(4, image.width() - 4)
    )


def test_the_caption_of_a_window_is_legible(room: Room, strong: Any) -> None:
    view = room.show(room.person("ann").build(WindowObject, caption="Caption"))
    caption = shares(picture(view, 300, 100), 2, 24)
    assert caption.most_common(1)[0][0] == "#ffffff", "the ground is paper"
    assert sum(count for name, count in caption.items() if name < "#808080") > 20, "with letters on it"


def test_a_chosen_answer_is_legible(room: Room, strong: Any) -> None:
    vote = room.shared("ann", VoteObject, VoteOperation, VoteState)
    view = room.show(vote)
    vote.instance.ask("Tea?")
    vote.instance.offer("yes")
    room.settle()
    [answer] = vote.instance.editor.state.answers
    before = shares(picture(view, 300, 100), 58, 90)
    vote.instance.choose(answer.key)
    room.settle()
    after = shares(picture(view, 300, 100), 58, 90)
    assert after != before
    assert after.most_common(1)[0][0] == "#ffffff", "the ground is paper, with letters on it"
    assert after["#000000"] < after["#ffffff"] / 4


def test_the_time_of_a_line_is_as_dark_as_its_text(room: Room, strong: Any) -> None:
    chat = room.shared("ann", ChatObject, ChatOperation, ChatState)
    chat.instance.editor.edit("Say", Say(Line("k", "p", "Ann", "#ffff00", 0, "hello")))
    room.settle()
    view = room.show(chat)
    panel = room.widget(view)
    written = panel.lines.toHtml()
    assert "#000000" in written
    assert "#808080" not in written
    assert "#ffff00" not in written
    strong.setProperty(HIGH_CONTRAST, None)
    strong.setPalette(QPalette())
    room.wait(lambda: "#808080" in panel.lines.toHtml())


def test_a_loading_object_does_not_look_empty(room: Room) -> None:
    """Neither in its painting nor, for a counter, in its widget."""
    from liven.liveobjects.counter.object import CounterObject
    from liven.liveobjects.image.object import ImageObject

    for kind in (VoteObject, ChatObject, CounterObject, ImageObject):
        waiting = room.show(room.person(f"w{kind.__name__}").build(kind))
        assert waiting.is_loading()
        waited = picture(waiting, 300, 100)
        model = getattr(waiting, "model", None) or waiting._model
        model.ready = True
        assert picture(waiting, 300, 100) != waited, kind.__name__
        model.ready = False
