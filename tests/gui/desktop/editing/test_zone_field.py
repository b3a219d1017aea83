"""Writing into a painted object: another answer of a vote, a message in a chat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from liven.liveobjects.chat.view.chat_face import SAY
from liven.liveobjects.desktop import commands
from liven.liveobjects.look.tokens import TYPE
from liven.liveobjects.vote.view.vote_face import ADD


def vote(put: Any, local_recipe: Callable[..., Any]) -> Any:
    view = put.put(local_recipe("liven:vote", "Boats"))
    view.model.ask("Which boat?")
    view.model.offer("Havørn")
    put.wait(lambda: ADD in put.zones())
    return view


def answers(view: Any) -> list[str]:
    return [one.text for one in view.model.editor.state.answers]


@pytest.mark.parametrize("zoom", [0.6, 1.0, 1.7])
def test_a_click_on_add_an_answer_writes_one_at_any_zoom(
    put: Any, local_recipe: Callable[..., Any], zoom: float
) -> None:
    view = vote(put, local_recipe)
    put.canvas.zoom_and_view.zoom(zoom)
    put.click(put.zones()[ADD])
    field = put.focus()
    assert isinstance(field, QLineEdit)
    assert put.seen(put.zones()[ADD]).toRect().topLeft() == field.geometry().topLeft()
    assert abs(field.font().pixelSize() - TYPE["body"].size * zoom) <= 1
    assert put.canvas.editing is None
    assert put.canvas.camera.zoom == zoom
    QTest.keyClicks(field, "Two small ones")
    put.key_in(Qt.Key.Key_Return)
    put.wait(lambda: answers(view) == ["Havørn", "Two small ones"])
    assert put.focus() is field, "one goes on adding"
    assert not field.text()
    put.wait(lambda: put.seen(put.zones()[ADD]).toRect().topLeft() == field.geometry().topLeft())


def test_esc_closes_the_field_and_keeps_what_was_begun(put: Any, local_recipe: Callable[..., Any]) -> None:
    view = vote(put, local_recipe)
    put.click(put.zones()[ADD])
    QTest.keyClicks(put.focus(), "Nobody")
    put.key_in(Qt.Key.Key_Escape)
    assert put.focus() is put.canvas
    assert put.canvas.zone_field.field is None
    put.click(put.zones()[ADD])
    assert put.focus().text() == "Nobody"
    assert answers(view) == ["Havørn"]


def test_a_refused_answer_stays_in_the_field(put: Any, local_recipe: Callable[..., Any]) -> None:
    view = vote(put, local_recipe)
    put.click(put.zones()[ADD])
    field = put.focus()
    QTest.keyClicks(field, "   ")
    put.key_in(Qt.Key.Key_Return)
    assert answers(view) == ["Havørn"]
    assert field.text() == "   "


def test_a_press_elsewhere_closes_the_field(put: Any, local_recipe: Callable[..., Any]) -> None:
    vote(put, local_recipe)
    put.click(put.zones()[ADD])
    QTest.mouseClick(
        put.canvas,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        put.point(700, 500).toPoint(),
    )
    assert put.canvas.zone_field.field is None


def test_the_field_goes_with_an_item_that_is_removed(put: Any, local_recipe: Callable[..., Any]) -> None:
    vote(put, local_recipe)
    put.click(put.zones()[ADD])
    put.canvas.do(commands.remove(put.canvas.state, [put.key]))
    assert put.canvas.zone_field.field is None


def test_a_click_in_a_chat_writes_a_message(put: Any, local_recipe: Callable[..., Any]) -> None:
    view = put.put(local_recipe("liven:chat-room", "Crew"))
    put.click(put.zones()[SAY])
    QTest.keyClicks(put.focus(), "The tent is ours")
    put.key_in(Qt.Key.Key_Return)
    put.wait(lambda: "The tent is ours" in view.summary())
    assert isinstance(put.focus(), QLineEdit)
    assert put.canvas.editing is None
