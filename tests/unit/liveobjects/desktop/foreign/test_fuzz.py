"""Files of strangers: whatever they hold, reading ends in a board within bounds or in a reason."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liven.liveobjects.desktop.foreign.board import ForeignError
from liven.liveobjects.desktop.foreign.files import board_in, html_source, text_source
from liven.liveobjects.desktop.foreign.items import added
from liven.liveobjects.desktop.model import DesktopModel, check_state
from liven.liveobjects.desktop.state import Desktop

NUMBERS = st.one_of(st.integers(-(10**400), 10**400), st.floats(), st.integers(-500, 500))
KEYS = st.sampled_from(["a", "b", "c", "shape:a", "page:p"])
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, st.text(max_size=5), KEYS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=6,
)
POINTS = st.lists(st.lists(NUMBERS, min_size=1, max_size=3), max_size=4)
EXCALIDRAW = st.fixed_dictionaries(
    {
        "type": st.sampled_from(
            [
                "rectangle",
                "ellipse",
                "text",
                "arrow",
                "line",
                "freedraw",
                "image",
                "frame",
                "embeddable",
                "odd",
            ]
        ),
        "id": KEYS,
    },
    optional={
        **dict.fromkeys(["x", "y", "width", "height", "angle", "fontSize", "strokeWidth"], NUMBERS),
        **dict.fromkeys(
            ["text", "originalText", "containerId", "link", "name", "fileId"], st.text(max_size=9) | KEYS
        ),
        "points": POINTS | VALUES,
        "pressures": VALUES,
        "groupIds": VALUES,
        "startBinding": st.fixed_dictionaries({"elementId": KEYS}) | VALUES,
        "endBinding": st.fixed_dictionaries({"elementId": KEYS}) | VALUES,
        "strokeColor": st.sampled_from(["#1971c2", "red", ""]) | VALUES,
        "roundness": VALUES,
        "locked": VALUES,
    },
)
PROPS = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(["w", "h", "growY", "scale", "bend"], NUMBERS),
        **dict.fromkeys(["color", "size", "text", "url", "name", "geo", "assetId"], VALUES),
        "richText": VALUES,
        "segments": st.lists(st.dictionaries(st.sampled_from(["points", "path"]), VALUES), max_size=3),
        "points": VALUES,
        "start": VALUES,
        "end": VALUES,
    },
)
TLDRAW = st.fixed_dictionaries(
    {
        "typeName": st.sampled_from(["shape", "asset", "page", "binding"]),
        "id": KEYS,
        "type": st.sampled_from(
            ["geo", "note", "text", "arrow", "line", "draw", "image", "frame", "group", "bookmark", "odd"]
        ),
    },
    optional={
        "parentId": KEYS,
        "props": PROPS,
        **dict.fromkeys(["x", "y", "rotation"], NUMBERS),
        **dict.fromkeys(["fromId", "toId"], KEYS),
        "index": VALUES,
    },
)


def try_reading(data: bytes, name: str) -> None:
    try:
        board = board_in(data, name)
    except ForeignError as why:
        assert str(why)
        return
    command = added(Desktop(), board, name, 0, 0).command
    model, state = DesktopModel(), Desktop()
    undo: list[Any] = []
    for change in command.changes:
        undo = [*model.inverse(state, change), *undo]
        state = model.apply(state, change)
    check_state(state)
    for change in undo:
        state = model.apply(state, change)
    assert state == Desktop()


def read_excalidraw(elements: list[Any]) -> None:
    try_reading(json.dumps({"type": "excalidraw", "elements": elements}).encode(), "a.excalidraw")


def read_tldraw(records: list[Any]) -> None:
    whole = {"tldrawFileFormatVersion": 1, "records": records}
    try_reading(json.dumps(whole).encode(), "a.tldr")


@settings(max_examples=10)
@given(st.lists(EXCALIDRAW, max_size=6))
def test_boards_of_excalidraw(elements: list[Any]) -> None:
    read_excalidraw(elements)


@settings(max_examples=10)
@given(st.lists(TLDRAW, max_size=6))
def test_boards_of_tldraw(records: list[Any]) -> None:
    read_tldraw(records)


@pytest.mark.slow
@settings(max_examples=400)
@given(st.lists(EXCALIDRAW, max_size=6))
def test_many_boards_of_excalidraw(elements: list[Any]) -> None:
    read_excalidraw(elements)


@pytest.mark.slow
@settings(max_examples=400)
@given(st.lists(TLDRAW, max_size=6))
def test_many_boards_of_tldraw(records: list[Any]) -> None:
    read_tldraw(records)


@given(
    st.binary(max_size=300), st.sampled_from(["a.excalidraw", "a.tldr", "a.csv", "a.svg", "a.excalidraw.png"])
)
def test_any_bytes(data: bytes, name: str) -> None:
    try_reading(data, name)


@given(VALUES)
def test_any_json(value: Any) -> None:
    try_reading(json.dumps(value).encode(), "a.tldr")


@given(st.text(max_size=60))
def test_any_clipboard(text: str) -> None:
    for source in (
        text_source('{"type":"excalidraw/clipboard"' + text),
        text_source("<svg" + text),
        html_source(f"<div data-tldraw>{text}</div>"),
    ):
        try:
            if source is not None:
                source.read()
        except ForeignError as why:
            assert str(why)


def test_deep_nesting_is_refused() -> None:
    try_reading(b"[" * 200_000, "a.tldr")
