"""Text from others is shown literally: markup in a label or tool tip could make Qt read files, even a pipe or
a device."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from liven.liveobjects.look.view.labels import plain_label, plain_tip

HOME = "liveobjects/liven/liveobjects/look/view/labels.py"


def calls(root: Path) -> Iterator[tuple[str, ast.Call, str]]:
    """Yield every call in the rooms with windows: its place and its name."""
    for room in ("app", "liveobjects", "designer"):
        for path in sorted((root / room / "liven").rglob("*.py")):
            place = path.relative_to(root).as_posix()
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    called = node.func
                    name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
                    yield f"{place}:{node.lineno}", node, name


def test_labels_are_created_only_by_plain_label(root: Path) -> None:
    made = [place for place, _, name in calls(root) if name == "QLabel" and not place.startswith(HOME)]
    assert made == [], "use plain_label() of liven.liveobjects.look.view.labels"


def test_tool_tips_are_constants_or_escaped(root: Path) -> None:
    def is_plain(node: ast.expr) -> bool:
        return isinstance(node, ast.Constant) or (
            isinstance(node, ast.Call) and getattr(node.func, "id", "") == "plain_tip"
        )

    tips = [(place, call.args[-1]) for place, call, name in calls(root) if name == "setToolTip"]
    assert len(tips) > 10
    assert [place for place, words in tips if not is_plain(words)] == [], "use plain_tip()"


@pytest.fixture
def markup(tmp_path: Path) -> str:
    picture = QImage(40, 40, QImage.Format.Format_RGB32)
    picture.fill(QColor("#ff0000"))
    assert picture.save(str(tmp_path / "red.png"))
    return f'Opening <img src="{tmp_path / "red.png"}">'


def reds(label: QLabel) -> int:
    label.resize(600, 80)
    image = label.grab().toImage()
    spots = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return sum(spot == QColor("#ff0000") for spot in spots)


def test_a_label_reads_no_file_that_its_text_names(qtbot: QtBot, markup: str) -> None:
    for label, there in ((QLabel(markup), True), (plain_label(markup), False)):
        qtbot.addWidget(label)
        assert (reds(label) > 0) == there
        assert label.text() == markup


def test_a_tool_tip_reads_no_file_that_its_text_names(qtbot: QtBot, markup: str) -> None:
    shown = QLabel(plain_tip(f"{markup}\nnext"))  # as Qt shows tool tips
    qtbot.addWidget(shown)
    assert reds(shown) == 0
    assert "&lt;img" in shown.text()
    assert plain_tip("1 > 0\nnext") == "1 > 0\nnext"


def test_an_object_named_like_markup_opens_and_closes(qtbot: QtBot, tmp_path: Path, markup: str) -> None:
    from liven.app.window.object_window import ObjectWindow

    window: Any = ObjectWindow(markup)
    qtbot.addWidget(window)
    window.show_loading(markup)
    assert [reds(one) for one in window.centralWidget().findChildren(QLabel) if markup in one.text()] == [0]
    window.show_words(markup)
    assert reds(window.centralWidget()) == 0


def test_titles_and_lists_show_no_hidden_characters(desk: Any, local_recipe: Any) -> None:
    """A right-to-left override would show "exe.jpg" for a name that ends in "gpj.exe"."""
    window = desk.open(local_recipe("liven:text", "invoice\u202egpj.exe"), "a\u2066b")
    assert window.windowTitle() == "invoicegpj.exe — Liven"
    assert plain_tip("a\u202eb") + plain_label("c\u200bd").text() == "abcd"
    assert "\u2066" not in "".join(one.text() for one in window.menus._recent.actions())
