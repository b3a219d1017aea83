"""Ghosts: the zones of a selected item, for the keyboard and for screen readers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QLineEdit

from liven.liveobjects.desktop.view.editing.ghosts import Ghost
from liven.liveobjects.vote.view.vote_face import ADD


def vote(put: Any, local_recipe: Callable[..., Any]) -> Any:
    view = put.put(local_recipe("liven:vote", "Boats"))
    view.model.ask("Which boat?")
    for answer in ("Havørn", "Two small ones"):
        view.model.offer(answer)
    put.wait(lambda: len(put.zones()) == 3)
    put.canvas.select({put.key})
    put.wait(lambda: len(put.canvas.ghosts.shown) == 3)
    return view


def test_a_screen_reader_hears_names_roles_and_the_chosen_answer(
    put: Any, local_recipe: Callable[..., Any]
) -> None:
    view = vote(put, local_recipe)
    first = view.model.editor.state.answers[0]
    put.view.press(first.key)
    put.wait(lambda: put.canvas.ghosts.shown[0].isChecked())
    found = [QAccessible.queryAccessibleInterface(ghost) for ghost in put.canvas.ghosts.shown]
    assert [one.text(QAccessible.Text.Name) for one in found] == ["Havørn: 1", "Two small ones: 0", ADD]
    role = QAccessible.Role
    assert [one.role() for one in found] == [role.RadioButton, role.RadioButton, role.Button]
    assert [one.state().checked for one in found[:2]] == [1, 0]
    areas = [put.seen(zone).toRect() for zone in put.zones().values()]
    assert [ghost.geometry() for ghost in put.canvas.ghosts.shown] == areas


def test_tab_and_space_vote_and_esc_goes_back(put: Any, local_recipe: Callable[..., Any]) -> None:
    view = vote(put, local_recipe)
    assert put.canvas.ghosts.enter()
    assert put.focus() is put.canvas.ghosts.shown[0]
    put.key_in(Qt.Key.Key_Tab)
    put.key_in(Qt.Key.Key_Space)
    put.wait(lambda: view.model.mine == view.model.editor.state.answers[1].key)
    put.key_in(Qt.Key.Key_Backtab)
    put.key_in(Qt.Key.Key_Return)
    put.wait(lambda: view.model.mine == view.model.editor.state.answers[0].key)
    assert isinstance(put.focus(), Ghost), "one goes on from there"
    put.key_in(Qt.Key.Key_Escape)
    assert put.focus() is put.canvas
    assert put.canvas.selected == {put.key}


def toggle(ghost: Ghost) -> None:
    """Do what a screen reader does by default with a choice."""
    acts = QAccessible.queryAccessibleInterface(ghost).actionInterface()
    assert acts.actionNames()[0] == acts.toggleAction()
    acts.doAction(acts.toggleAction())


@pytest.fixture
def screen_reader() -> Iterator[None]:
    """Let Qt believe that a screen reader is running."""
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


@pytest.mark.usefixtures("screen_reader")
def test_toggle_of_a_screen_reader_votes(put: Any, local_recipe: Callable[..., Any]) -> None:
    view = vote(put, local_recipe)
    for at in (0, 1):
        toggle(put.canvas.ghosts.shown[at])
        put.wait(lambda at=at: view.model.mine == view.model.editor.state.answers[at].key)
        put.wait(lambda at=at: [one.isChecked() for one in put.canvas.ghosts.shown[:2]] == [at == 0, at == 1])
    told = "Which boat? Havørn: 0. Two small ones: 1, your answer."
    put.wait(lambda: put.canvas.accessibleDescription().endswith(told))


def test_a_vote_that_was_taken_back_is_not_shown_as_chosen(
    put: Any, local_recipe: Callable[..., Any]
) -> None:
    view = vote(put, local_recipe)
    assert put.canvas.ghosts.enter()
    for chosen in (True, False):
        put.key_in(Qt.Key.Key_Space)
        put.wait(lambda chosen=chosen: bool(view.model.mine) is chosen)
        put.wait(lambda chosen=chosen: put.canvas.ghosts.shown[0].isChecked() is chosen)


def test_a_screen_reader_goes_through_the_zones_in_their_order(
    put: Any, local_recipe: Callable[..., Any]
) -> None:
    vote(put, local_recipe)
    found = [one for one in put.canvas.children() if isinstance(one, Ghost)]
    assert [one.zone.words for one in found] == ["Havørn: 0", "Two small ones: 0", ADD]


def test_tab_goes_round_and_the_field_opens_by_key(put: Any, local_recipe: Callable[..., Any]) -> None:
    vote(put, local_recipe)
    assert put.canvas.ghosts.enter()
    put.key_in(Qt.Key.Key_Backtab)
    assert put.focus() is put.canvas.ghosts.shown[2]
    put.key_in(Qt.Key.Key_Return)
    assert isinstance(put.focus(), QLineEdit)


def test_a_ghost_leaves_the_mouse_to_the_item(put: Any, local_recipe: Callable[..., Any]) -> None:
    view = vote(put, local_recipe)
    first = put.zones()["Havørn: 0"]
    at = put.seen(first).center().toPoint()
    assert put.canvas.childAt(at) is None
    put.click(first)
    put.wait(lambda: view.model.mine == view.model.editor.state.answers[0].key)


def test_ghosts_go_with_the_selection_and_follow_the_zoom(put: Any, local_recipe: Callable[..., Any]) -> None:
    vote(put, local_recipe)
    before = [ghost.geometry() for ghost in put.canvas.ghosts.shown]
    put.canvas.zoom_and_view.zoom(1.5)
    put.wait(lambda: [ghost.geometry() for ghost in put.canvas.ghosts.shown] != before)
    put.canvas.select(())
    put.wait(lambda: not put.canvas.ghosts.shown)
    QApplication.processEvents()
    assert not put.canvas.findChildren(Ghost, options=Qt.FindChildOption.FindDirectChildrenOnly)
