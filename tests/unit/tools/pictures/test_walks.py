"""The walks: files of one subpackage that follow one another are one box."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

FILES = [
    "app/liven/app/main.py",
    "liveobjects/liven/liveobjects/text/view/editor.py",
    "liveobjects/liven/liveobjects/text/view/text_view.py",
    "runtime/liven/runtime/objects/context.py",
    "liveobjects/liven/liveobjects/text/view/editor.py",
]


@pytest.fixture
def tool(script: Callable[[str], ModuleType], root: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return script("tools/pictures/walks.py")


def test_each_file_stands_once_where_it_is_passed_first(tool: ModuleType) -> None:
    assert [(one.room, one.part, one.files) for one in tool.steps(FILES)] == [
        ("app", "app", ("main",)),
        ("liveobjects", "text/view", ("editor", "text_view")),
        ("runtime", "objects", ("context",)),
    ]


def test_long_lists_of_files_are_broken_between_names(tool: ModuleType) -> None:
    assert tool.wrapped(["alpha", "beta", "gamma"], 14 * tool.LETTER) == ["alpha · beta", "gamma"]


def test_the_title_counts_the_files(tool: ModuleType) -> None:
    assert "<title>key press: 4 files</title>" in tool.draw("key press", FILES)
