"""Dropping objects whose classes were never loaded: the item is added, the code is asked about, and the item
shows the result."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from tests.gui.trust.sign_library import LIBRARY, SOURCE, recipe

from liven.app.trust.dialog import TrustQuestion
from liven.liveobjects.desktop.running_items import Running
from liven.runtime.library.fetching.bundle import from_module
from liven.runtime.library.store import Store
from liven.runtime.reference.model import Object, Reference, Requirement


def questions() -> list[TrustQuestion]:
    return [one for one in QApplication.allWidgets() if isinstance(one, TrustQuestion) and one.isVisible()]


def answer(desk: Any, words: str) -> None:
    desk.wait(questions)
    [dialog] = questions()
    [button] = [one for one in dialog.findChildren(QPushButton) if words in one.text().replace("&", "")]
    desk.wait(button.isEnabled)
    desk.click(button)


def drop(target: QWidget, path: Path) -> bool:
    """Drop a file; return True if it was accepted."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    at = QPoint(300, 200)
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(target, QDragEnterEvent(at, copy, data, left, none))
    dropped = QDropEvent(at.toPointF(), copy, data, left, none)
    QApplication.sendEvent(target, dropped)
    return dropped.isAccepted()


def installed(desk: Any, source: str = SOURCE) -> str:
    """Install a library as `liven library add` does in another program; return its hash."""
    bundle = from_module("sign.py", source.encode())
    Store(desk.folders.data / "libraries").add(bundle, lambda _: ())
    return bundle.sha256


def of_library(desk: Any, sha256: str = "") -> Object:
    """Return a recipe that names its library without a source."""
    return replace(recipe(desk.folder), requires=(Requirement(f"{LIBRARY}`1", 1, sha256),))


@pytest.fixture
def canvas(desk: Any, local_recipe: Any) -> Any:
    return desk.open(local_recipe("liven:desktop", "Table")).centralWidget()


def only(canvas: Any) -> str:
    [key] = canvas.state.items
    return str(key)


@pytest.mark.parametrize("pinned", [False, True])
def test_an_installed_but_unused_class_can_be_dropped(desk: Any, canvas: Any, pinned: bool) -> None:
    sha256 = installed(desk)
    assert drop(canvas, desk.file("sign", of_library(desk, sha256 if pinned else "")))
    desk.wait(lambda: canvas.item_views.view(only(canvas)) is not None)
    assert not questions()
    assert list(desk.problems) == []


@pytest.mark.parametrize("pinned", [False, True])
def test_dropping_a_class_that_is_not_installed_asks(desk: Any, canvas: Any, pinned: bool) -> None:
    assert drop(canvas, desk.file("sign", recipe(desk.folder, pinned=pinned)))
    answer(desk, "Run it")
    desk.wait(lambda: canvas.item_views.view(only(canvas)) is not None)


def test_declining_leaves_the_item_with_a_note(desk: Any, canvas: Any) -> None:
    assert drop(canvas, desk.file("sign", recipe(desk.folder)))
    answer(desk, "Do not run")
    desk.wait(lambda: canvas.item_views.is_declined(only(canvas)))
    canvas.editor.undo()
    assert canvas.state.items == {}


def test_the_item_names_a_library_that_cannot_be_found(desk: Any, canvas: Any) -> None:
    assert drop(canvas, desk.file("sign", of_library(desk)))
    desk.wait(lambda: LIBRARY in canvas.item_views.why_not_shown(only(canvas)))


def test_an_item_without_a_view_says_so(desk: Any, canvas: Any) -> None:
    installed(desk, SOURCE.replace("    UI: ExportedUI\n", "").replace(", view=VIEW", ""))
    assert drop(canvas, desk.file("sign", of_library(desk)))
    desk.wait(lambda: canvas.item_views.running_items.presence(only(canvas)) == Running(None))


def test_a_drop_without_a_library_is_refused(desk: Any, canvas: Any) -> None:
    assert not drop(canvas, desk.file("sign", Reference("example:sign")))
    assert canvas.state.items == {}


def test_a_nested_desktop_accepts_the_class_too(desk: Any, canvas: Any, local_recipe: Any) -> None:
    inner = desk.open(local_recipe("liven:desktop", "Inner"), "inner")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(desk.file("sign", recipe(desk.folder))))])
    assert inner.view.accepts_drop(data)
    assert inner.view.receive(data)
    answer(desk, "Run it")
    desk.wait(lambda: inner.centralWidget().item_views.view(only(inner.centralWidget())) is not None)


def test_an_empty_caption_window_accepts_the_class_and_asks(desk: Any) -> None:
    window = desk.open(Reference("liven:window"), "empty")
    assert drop(window.centralWidget(), desk.file("sign", recipe(desk.folder)))
    answer(desk, "Run it")
    desk.wait(lambda: window.view.inner is not None)


def test_an_object_without_a_view_says_so_in_a_caption_window(desk: Any) -> None:
    installed(desk, SOURCE.replace("    UI: ExportedUI\n", "").replace(", view=VIEW", ""))
    window = desk.open(Reference("liven:window"), "empty")
    drop(window.centralWidget(), desk.file("sign", of_library(desk)))
    words = window.centralWidget().findChildren(QLabel)
    desk.wait(lambda: any("has no user interface" in one.text() for one in words))
