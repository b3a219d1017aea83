"""A guard against Qt bindings that lose references of None, as PySide6 6.12.0 did on CPython 3.10 and
3.11."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QGraphicsRectItem

CALLS = 500
SLACK = 50


def void_calls() -> list[tuple[str, Callable[[], object]]]:
    item, plain, timer, action = QGraphicsRectItem(), QObject(), QTimer(), QAction()
    return [
        ("setPos", lambda: item.setPos(1.0, 1.0)),
        ("setObjectName", lambda: plain.setObjectName("x")),
        ("setInterval", lambda: timer.setInterval(5)),
        ("setText", lambda: action.setText("x")),
    ]


@pytest.mark.parametrize("name", ["setPos", "setObjectName", "setInterval", "setText"])
def test_calls_that_return_none_do_not_change_its_reference_count(name: str, qapp: object) -> None:
    call = dict(void_calls())[name]
    call()
    gc.collect()
    gc.disable()  # what other tests left would take its references of None along
    try:
        before = sys.getrefcount(None)
        for _ in range(CALLS):
            call()
        assert abs(sys.getrefcount(None) - before) < SLACK
    finally:
        gc.enable()
