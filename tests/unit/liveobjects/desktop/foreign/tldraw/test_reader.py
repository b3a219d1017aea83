"""Boards of tldraw become parts of ours, from the files and the clipboard of the last years."""

from __future__ import annotations

import json
import struct
from base64 import b64encode
from typing import Any

import pytest

from liven.liveobjects.desktop.foreign.board import (
    Arrow,
    Board,
    ForeignError,
    Frame,
    Outline,
    Picture,
    Sheet,
    Stroke,
)
from liven.liveobjects.desktop.foreign.tldraw.reader import read_tldraw
from liven.liveobjects.desktop.foreign.tldraw.records import (
    clipboard_in,
    is_tldraw,
    records_in_clipboard,
    records_in_file,
)
from liven.liveobjects.desktop.state import Place, Style
from liven.liveobjects.text.document import Insert
from liven.liveobjects.text.papers import CLEAR

GIF = b"GIF89a" + bytes(20)


def shape(kind: str, key: str, parent: str = "page:p", **fields: Any) -> dict[str, Any]:
    props = fields.pop("props", {})
    plain = {"typeName": "shape", "type": kind, "id": key, "parentId": parent, "index": "a1"}
    return {**plain, "x": 0, "y": 0, "rotation": 0, "props": props, **fields}


def page(key: str = "page:p", name: str = "Page 1", index: str = "a1") -> dict[str, Any]:
    return {"typeName": "page", "id": key, "name": name, "index": index}


def file(*records: dict[str, Any]) -> dict[str, Any]:
    pages = [] if any(one.get("typeName") == "page" for one in records) else [page()]
    return {"tldrawFileFormatVersion": 1, "schema": {"schemaVersion": 2}, "records": [*pages, *records]}


def board(*records: dict[str, Any]) -> Board:
    return read_tldraw(records_in_file(file(*records)))


def rich(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"richText": {"type": "doc", "content": list(blocks)}}


def paragraph(*spans: dict[str, Any]) -> dict[str, Any]:
    return {"type": "paragraph", "content": list(spans)}


def words(text: str, *marks: dict[str, Any]) -> dict[str, Any]:
    return {"type": "text", "text": text, "marks": list(marks)}


def test_a_turned_box_turns_about_its_corner() -> None:
    props = {
        "w": 100,
        "h": 60,
        "geo": "rectangle",
        "color": "blue",
        "fill": "solid",
        "dash": "dashed",
        "text": "Hi",
    }
    [found] = board(shape("geo", "shape:a", x=200, y=100, rotation=1.5707963267948966, props=props)).parts
    assert isinstance(found, Outline)
    assert (found.outline, found.text, found.hue, found.fill, found.dashed) == (
        "box",
        "Hi",
        "blue",
        "tint",
        True,
    )
    middle = found.place.x + found.place.width / 2, found.place.y + found.place.height / 2
    assert middle == pytest.approx((200 - 30, 100 + 50))
    assert found.place.degrees == pytest.approx(90)


def test_what_lies_in_a_frame_or_group_is_placed_on_the_plane() -> None:
    frame = shape("frame", "shape:f", x=100, y=50, props={"w": 400, "h": 300, "name": "Plan"})
    group = shape("group", "shape:g", "shape:f", x=10, y=10)
    inner = shape("geo", "shape:a", "shape:g", x=5, y=5, props={"w": 20, "h": 10, "geo": "ellipse"})
    area, found = board(inner, group, frame).parts
    assert area == Frame("shape:f", Place(100, 50, 400, 300), "Plan")
    assert isinstance(found, Outline)
    assert found.place == Place(115, 65, 20, 10)
    assert (found.group, found.outline) == ("shape:g", "ellipse")


def test_a_note_has_the_nearest_paper_and_its_rich_text() -> None:
    text = rich(
        {"type": "heading", "attrs": {"level": 2}, "content": [words("Plan")]},
        paragraph(words("do "), words("this", {"type": "bold"}), words(" now", {"type": "italic"})),
        {"type": "bulletList", "content": [{"type": "listItem", "content": [paragraph(words("one"))]}]},
        paragraph(words("more", {"type": "link", "attrs": {"href": "https://example.org"}})),
    )
    note = shape("note", "shape:n", props={"color": "light-blue", "size": "m", "growY": 40, **text})
    [found] = board(note).parts
    assert isinstance(found, Sheet)
    assert (found.paper, found.place) == ("sky", Place(0, 0, 200, 240))
    assert found.words == (
        Insert("Plan", {}),
        Insert("\n", {"heading": 2}),
        Insert("do ", {}),
        Insert("this", {"bold": True}),
        Insert(" now", {"italic": True}),
        Insert("\n", {}),
        Insert("one", {}),
        Insert("\n", {"list": "bullet"}),
        Insert("more", {"link": "https://example.org"}),
    )


def test_a_note_of_older_files_has_plain_text() -> None:
    [found] = board(shape("note", "shape:n", props={"color": "black", "text": "plain"})).parts
    assert isinstance(found, Sheet)
    assert (found.paper, found.words) == ("sun", (Insert("plain", {}),))


def test_a_text_lies_on_the_plane() -> None:
    [found] = board(shape("text", "shape:t", x=7, props={"text": "Title", "size": "xl", "w": 90})).parts
    assert isinstance(found, Sheet)
    assert (found.paper, found.size, found.place.x) == (CLEAR, "huge", 7)


BOXES = (
    shape("geo", "shape:a", props={"w": 10, "h": 10}),
    shape("note", "shape:b", x=300, props={"text": "b"}),
)


def test_arrows_follow_the_bindings_of_today() -> None:
    props = {"bend": 20, "color": "red", "dash": "dotted", "arrowheadEnd": "dot", "text": "goes to"}
    arrow = shape("arrow", "shape:c", props=props)
    bindings = (
        {
            "typeName": "binding",
            "id": f"binding:{side}",
            "fromId": "shape:c",
            "toId": to,
            "props": {"terminal": side},
        }
        for side, to in (("start", "shape:a"), ("end", "shape:b"))
    )
    made = board(*BOXES, arrow, *bindings)
    style = Style("curve", "none", "dot", True, "orange")
    assert made.arrows == [Arrow("shape:a", "shape:b", "goes to", style)]
    assert len(made.parts) == 2


def test_arrows_follow_the_bindings_of_older_files() -> None:
    ends = {
        side: {"type": "binding", "boundShapeId": to}
        for side, to in (("start", "shape:b"), ("end", "shape:a"))
    }
    made = board(*BOXES, shape("arrow", "shape:c", props=ends))
    assert [(one.source, one.target) for one in made.arrows] == [("shape:b", "shape:a")]


def test_an_arrow_with_a_free_end_is_drawn_with_its_head_and_name() -> None:
    props = {"start": {"x": 0, "y": 0}, "end": {"x": 100, "y": 0}, "bend": 0, "text": "there"}
    made = board(shape("arrow", "shape:c", x=10, props={**props, "arrowheadEnd": "arrow"}))
    line, head, label = made.parts
    assert isinstance(line, Stroke)
    assert line.points == ((10, 0, 0.5), (110, 0, 0.5))
    assert isinstance(head, Stroke)
    assert head.points[1] == (110, 0, 0.5)
    assert isinstance(label, Sheet)
    assert label.words == (Insert("there", {}),)


def float_points(*points: tuple[float, float, float]) -> str:
    return b64encode(b"".join(struct.pack("<3e", *point) for point in points)).decode()


def differences(first: tuple[float, ...], *moved: tuple[float, ...]) -> str:
    count = len(first)
    data = struct.pack(f"<{count}f", *first) + b"".join(struct.pack(f"<{count}e", *by) for by in moved)
    return b64encode(data).decode()


@pytest.mark.parametrize(
    "segment",
    [
        {"type": "free", "points": [{"x": 0, "y": 0, "z": 0.25}, {"x": 8, "y": 4, "z": 0.75}]},
        {"type": "free", "points": float_points((0, 0, 0.25), (8, 4, 0.75))},
        {"type": "free", "path": differences((0, 0, 0.25), (8, 4, 0.5))},
    ],
)
def test_strokes_of_all_years_are_read(segment: dict[str, Any]) -> None:
    [found] = board(shape("draw", "shape:d", x=100, props={"segments": [segment], "isPen": True})).parts
    assert isinstance(found, Stroke)
    assert found.points == ((100, 0, 0.25), (108, 4, 0.75))


def test_a_stroke_without_pressure_and_with_a_scale() -> None:
    segment = {"type": "free", "path": differences((1, 1), (2, 2)), "dim": 2}
    props = {"segments": [segment], "scaleX": 2, "scaleY": -1, "isPen": False}
    [found] = board(shape("draw", "shape:d", props=props)).parts
    assert isinstance(found, Stroke)
    assert found.points == ((2, -1, 0.5), (6, -3, 0.5))


@pytest.mark.parametrize("field", ["points", "handles"])
def test_lines_have_their_corners_in_order(field: str) -> None:
    corners = {
        "b": {"id": "b", "index": "a2", "x": 50, "y": 50},
        "a": {"id": "a", "index": "a1", "x": 0, "y": 0},
    }
    [found] = board(shape("line", "shape:l", props={field: corners})).parts
    assert isinstance(found, Stroke)
    assert [point[:2] for point in found.points] == [(0, 0), (50, 50)]


def test_a_picture_comes_from_its_asset() -> None:
    src = "data:image/gif;base64," + b64encode(GIF).decode()
    asset = {"typeName": "asset", "id": "asset:1", "type": "image", "props": {"src": src, "name": "cat.gif"}}
    picture = shape("image", "shape:i", props={"assetId": "asset:1", "w": 50, "h": 40})
    [found] = board(picture, asset).parts
    assert found == Picture("shape:i", Place(0, 0, 50, 40), "cat.gif", GIF)


def test_a_picture_on_the_network_leaves_its_link_and_is_counted() -> None:
    asset = {"typeName": "asset", "id": "asset:1", "props": {"src": "https://example.org/cat.gif"}}
    made = board(shape("image", "shape:i", props={"assetId": "asset:1", "w": 50, "h": 40}), asset)
    [found] = made.parts
    assert isinstance(found, Sheet)
    assert found.words[0].look == {"link": "https://example.org/cat.gif"}
    assert made.left_out.total() == 1


def test_bookmarks_are_links() -> None:
    asset = {"typeName": "asset", "id": "asset:1", "props": {"title": "An example"}}
    mark = shape("bookmark", "shape:k", props={"url": "https://example.org", "assetId": "asset:1"})
    [found] = board(mark, asset).parts
    assert isinstance(found, Sheet)
    assert found.words == (Insert("An example", {"link": "https://example.org"}),)


def test_several_pages_go_side_by_side_in_frames() -> None:
    made = board(
        page("page:p", "First", "a1"),
        page("page:q", "Second", "a2"),
        page("page:r", "Empty", "a3"),
        shape("geo", "shape:a", "page:p", props={"w": 100, "h": 100}),
        shape("geo", "shape:b", "page:q", props={"w": 100, "h": 100}),
    )
    frames = [part for part in made.parts if isinstance(part, Frame)]
    assert [frame.name for frame in frames] == ["First", "Second"]
    first, second = (frame.place for frame in frames)
    assert second.x > first.x + first.width
    box = next(part for part in made.parts if part.key == "shape:b")
    assert second.x < box.place.x < second.x + second.width


def test_parts_are_stacked_as_in_tldraw() -> None:
    made = board(shape("geo", "shape:a", index="a2"), shape("geo", "shape:b", index="a1V"))
    assert [part.key for part in made.parts] == ["shape:b", "shape:a"]


def test_kinds_without_a_counterpart_are_counted() -> None:
    made = board(shape("video", "shape:v"), shape("hologram", "shape:h"))
    assert made.left_out == {"videos": 1, "things of an unknown kind": 1}


CONTENT = {
    "shapes": [shape("note", "shape:n", "page:gone", props={"text": "copied"})],
    "rootShapeIds": ["shape:n"],
    "assets": [],
    "schema": {},
}


@pytest.mark.parametrize("is_text", [True, False])
def test_the_clipboard_is_read(is_text: bool) -> None:
    data = json.dumps(CONTENT) if is_text else CONTENT
    whole = json.dumps({"type": "application/tldraw", "kind": "content", "data": data})
    packed = clipboard_in(f"<meta charset='utf-8'><div data-tldraw>{whole}</div>")
    assert packed is not None
    [found] = read_tldraw(records_in_clipboard(packed)).parts
    assert isinstance(found, Sheet)
    assert found.words == (Insert("copied", {}),)
    assert clipboard_in("<div>hello</div>") is None


def test_the_clipboard_of_another_kind_is_refused() -> None:
    with pytest.raises(ForeignError, match="copy again"):
        records_in_clipboard('{"type":"application/tldraw","kind":"text","data":"x"}')


def test_files_are_recognised() -> None:
    assert is_tldraw(file())
    assert is_tldraw({"document": {"store": {}, "schema": {}}, "session": {}})
    assert is_tldraw({"store": {}, "schema": {}})
    assert not is_tldraw({"type": "excalidraw"})
    assert not is_tldraw([1])


def test_a_snapshot_is_read_like_a_file() -> None:
    store = {"page:p": page(), "shape:a": BOXES[0]}
    made = read_tldraw(records_in_file({"document": {"store": store, "schema": {}}}))
    assert len(made.parts) == 1


def test_files_of_the_first_tldraw_say_what_to_do() -> None:
    with pytest.raises(ForeignError, match="before 2023"):
        records_in_file({"document": {"version": 15, "pages": {}}})


def test_groups_that_hold_each_other_end() -> None:
    made = read_tldraw(
        records_in_file(
            file(shape("group", "shape:a", "shape:b"), shape("group", "shape:b", "shape:a"), *BOXES)
        )
    )
    assert len(made.parts) == 2


def test_an_empty_board_is_refused() -> None:
    with pytest.raises(ForeignError, match="nothing on this board"):
        board()
