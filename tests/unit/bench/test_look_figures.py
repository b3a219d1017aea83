"""The measurement of the look: its figures are numbers, and there is one of each part."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtWidgets import QApplication


@pytest.mark.slow
def test_every_part_of_the_look_is_measured(
    qapp: QApplication, script: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch, root: Path
) -> None:
    monkeypatch.syspath_prepend(str(root / "bench"))
    look = script("bench/look.py")
    monkeypatch.setattr(look, "ROUNDS", 1)
    figures = list(look.figures())
    assert {one.id.partition(":")[0] for one in figures} == {
        "letters",
        "signs",
        "shadows",
        "corners",
        "moves",
    }
    assert all(math.isfinite(one.value) for one in figures)
    assert all(one.value > 0 for one in figures if one.unit == "ms")
