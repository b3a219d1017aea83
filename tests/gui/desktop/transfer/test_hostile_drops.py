"""Every file of the hostile corpus is dropped on a desktop: it is refused, or becomes a card."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtWidgets import QApplication
from tests.gui.desktop.transfer.test_drop_and_paste import drop
from tests.hostile.libraries import LIBRARIES
from tests.hostile.recipes import RECIPES
from tests.hostile.special_files import SPECIAL

LONGEST = 6_000


def dropped(table: Any, path: Path) -> tuple[str, int]:
    """Drop a file; return everything that was said, and the number of new items. Remove them again."""
    said, before = len(table.said), set(table.canvas.state.items)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    drop(table, data)
    for _ in range(200):
        table.settle()
        if not table.canvas.drop_and_paste.is_reading and (
            len(table.said) > said or set(table.canvas.state.items) != before
        ):
            break
    table.canvas.grab()
    new = set(table.canvas.state.items) - before
    shown = " ".join(table.canvas.item_views.why_not_shown(key) for key in new)
    for key in new:
        table.canvas.item_views.remove(key)
    table.canvas.do(table.removing(new)) if new else None
    table.settle()
    assert set(table.canvas.state.items) == before
    return " ".join([*table.said[said:], shown]), len(new)


@pytest.fixture
def steady(table: Any) -> Any:
    """A desktop with one note, which must survive everything."""
    from liven.liveobjects.desktop import commands

    table.lay("", 0, 0)
    table.removing = lambda keys: commands.remove(table.canvas.state, keys)
    yield table
    [key] = table.canvas.state.items
    assert table.canvas.item_views.view(key) is not None
    assert table.canvas.grab().toImage().pixelColor(5, 5).isValid()
    table.bench.problems.clear()


@pytest.mark.slow
def test_every_recipe_is_refused_or_becomes_a_card(steady: Any, tmp_path: Path) -> None:
    for number, (name, one) in enumerate(RECIPES.items()):
        path = tmp_path / f"r{number:03}.liveobject"
        path.write_bytes(one.data)
        told, new = dropped(steady, path)
        assert told.strip(), f"{name}: nothing was said ({new} items)"
        assert len(told) < LONGEST, name
        assert path.read_bytes() == one.data


@pytest.mark.parametrize("name", SPECIAL)
def test_a_special_file_is_refused(steady: Any, tmp_path: Path, name: str) -> None:
    told, _ = dropped(steady, SPECIAL[name].make(tmp_path))
    assert told.strip()
    assert len(told) < LONGEST


@pytest.mark.slow
def test_every_library_is_refused(steady: Any, tmp_path: Path) -> None:
    for number, (name, one) in enumerate(LIBRARIES.items()):
        (tmp_path / str(number)).mkdir()
        told, _ = dropped(steady, one.make(tmp_path / str(number)))
        assert told.strip(), name
        assert len(told) < LONGEST, name
    QApplication.processEvents()
