"""Boards of Excalidraw become parts of ours: positions, colours, texts, arrows, groups, pictures."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest

from liven.liveobjects.desktop.foreign.board import (
    MOST_PARTS,
    Arrow,
    Board,
    ForeignError,
    Frame,
    Outline,
    Picture,
    Sheet,
    Stroke,
    sentence_of,
)
from liven.liveobjects.desktop.foreign.excalidraw.reader import is_excalidraw, read_excalidraw
from liven.liveobjects.desktop.state import Place, Style
from liven.liveobjects.text.document import Insert
from liven.liveobjects.text.papers import CLEAR

DOT = b"\x89PNG\r\n\x1a\n" + bytes(40)


def element(kind: str, key: str, **fields: Any) -> dict[str, Any]:
    plain = {"x": 0, "y": 0, "width": 100, "height": 60, "angle": 0, "strokeColor": "#1e1e1e"}
    return {"type": kind, "id": key, **plain, "backgroundColor": "transparent", **fields}


def board(*elements: dict[str, Any], **more: Any) -> Board:
    return read_excalidraw({"type": "excalidraw", "version": 2, "elements": list(elements), **more})


def test_a_box_keeps_its_place_turn_colour_and_text() -> None:
    box = element("rectangle", "a", x=10, y=20, angle=1.5707963267948966, backgroundColor="#ffc9c9")
    label = element("text", "t", containerId="a", text="two\nlines", originalText="two lines", fontSize=20)
    made = board({**box, "fillStyle": "solid", "strokeStyle": "dashed"}, label)
    [found] = made.parts
    assert isinstance(found, Outline)
    assert found.place == Place(10, 20, 100, 60, 90)
    assert (found.outline, found.text, found.fill, found.dashed) == ("box", "two lines", "tint", True)
    assert found.paper == "rose"


@pytest.mark.parametrize(
    ("paint", "style", "fill"), [("#e03131", "solid", "solid"), ("#e03131", "hachure", "tint")]
)
def test_a_full_colour_fills_a_shape(paint: str, style: str, fill: str) -> None:
    [found] = board(element("rectangle", "a", backgroundColor=paint, fillStyle=style)).parts
    assert isinstance(found, Outline)
    assert (found.fill, found.hue) == (fill, "orange")


@pytest.mark.parametrize(("kind", "outline"), [("ellipse", "ellipse"), ("diamond", "diamond")])
def test_other_outlines(kind: str, outline: str) -> None:
    [found] = board(element(kind, "a")).parts
    assert isinstance(found, Outline)
    assert (found.outline, found.fill, found.hue, found.text) == (outline, "none", "", "")


def test_sizes_that_were_drawn_backwards_are_turned_round() -> None:
    [found] = board(element("rectangle", "a", x=100, y=100, width=-40, height=-30)).parts
    assert found.place == Place(60, 70, 40, 30)


def test_a_text_lies_on_the_plane_in_the_nearest_size() -> None:
    [found] = board(element("text", "t", text="Hello", fontSize=36, link="https://example.org")).parts
    assert isinstance(found, Sheet)
    assert found.words == (Insert("Hello", {"link": "https://example.org"}),)
    assert (found.paper, found.size) == (CLEAR, "huge")


def test_a_centred_text_keeps_its_middle() -> None:
    [found] = board(element("text", "t", x=100, width=50, text="abcdef", textAlign="center")).parts
    assert found.place.x + found.place.width / 2 == pytest.approx(125)


def test_an_arrow_between_two_things_becomes_a_connector_with_its_name_and_look() -> None:
    arrow = element(
        "arrow",
        "c",
        points=[[0, 0], [50, 50], [90, 10]],
        startBinding={"elementId": "a"},
        endBinding={"elementId": "b"},
        startArrowhead="dot",
        endArrowhead="triangle",
        strokeStyle="dotted",
        strokeColor="#1971c2",
        roundness={"type": 2},
    )
    label = element("text", "l", containerId="c", text="leads to")
    made = board(element("rectangle", "a"), arrow, label, element("ellipse", "b", x=300))
    assert made.arrows == [Arrow("a", "b", "leads to", Style("curve", "dot", "arrow", True, "blue"))]
    assert [part.key for part in made.parts] == ["a", "b"]


def test_an_elbow_arrow_has_corners() -> None:
    ends = {"startBinding": {"elementId": "a"}, "endBinding": {"elementId": "b"}, "endArrowhead": "arrow"}
    arrow = element("arrow", "c", points=[[0, 0], [9, 9]], elbowed=True, **ends)
    made = board(element("rectangle", "a"), element("rectangle", "b"), arrow)
    assert made.arrows[0].style.shape == "corners"


def test_an_arrow_to_a_text_in_a_box_leads_to_the_box() -> None:
    label = element("text", "t", containerId="b", text="inside")
    arrow = element("arrow", "c", startBinding={"elementId": "a"}, endBinding={"elementId": "t"})
    made = board(element("rectangle", "a"), element("rectangle", "b"), label, arrow)
    assert [(one.source, one.target) for one in made.arrows] == [("a", "b")]


def test_an_arrow_with_a_free_end_is_drawn_with_its_head() -> None:
    arrow = element("arrow", "c", x=5, points=[[0, 0], [100, 0]], startBinding={"elementId": "a"})
    made = board(element("rectangle", "a"), {**arrow, "endArrowhead": "arrow"})
    line, head = (part for part in made.parts if isinstance(part, Stroke))
    assert line.points == ((5, 0, 0.5), (105, 0, 0.5))
    assert head.points[1] == (105, 0, 0.5)
    assert max(x for x, _, _ in head.points) == 105
    assert not made.arrows


def test_a_stroke_keeps_its_pressure_unless_it_was_made_up() -> None:
    drawn = element("freedraw", "d", x=10, points=[[0, 0], [4, 4]], pressures=[0.2, 0.9])
    [pen] = board({**drawn, "simulatePressure": False}).parts
    [mouse] = board({**drawn, "simulatePressure": True}).parts
    assert isinstance(pen, Stroke)
    assert isinstance(mouse, Stroke)
    assert pen.points == ((10, 0, 0.2), (14, 4, 0.9))
    assert {force for _, _, force in mouse.points} == {0.5}


def test_a_rounded_line_is_drawn_as_a_curve_through_its_corners() -> None:
    corners = [[0, 0], [50, 80], [100, 0]]
    [found] = board(element("line", "a", points=corners, roundness={"type": 2})).parts
    assert isinstance(found, Stroke)
    assert len(found.points) > 10
    assert {(x, y) for x, y, _ in found.points} >= {(0, 0), (50, 80), (100, 0)}


def test_frames_groups_and_locks() -> None:
    frame = element("frame", "f", name="Plan", width=400, height=300)
    inner = element("rectangle", "a", groupIds=["small", "large"], locked=True, frameId="f")
    made = board(inner, frame)
    box, area = made.parts
    assert isinstance(area, Frame)
    assert area.name == "Plan"
    assert isinstance(box, Outline)
    assert (box.group, box.locked) == ("large", True)


def test_a_picture_comes_with_its_bytes() -> None:
    url = "data:image/png;base64," + b64encode(DOT).decode()
    files = {"f1": {"id": "f1", "mimeType": "image/png", "dataURL": url}}
    [found] = board(element("image", "i", fileId="f1"), files=files).parts
    assert isinstance(found, Picture)
    assert found.data == DOT


@pytest.mark.parametrize(
    "url", ["https://example.org/a.png", "data:image/png;base64,!!", "data:text/html,x", ""]
)
def test_a_picture_that_is_elsewhere_is_counted_and_not_fetched(url: str) -> None:
    made = board(element("image", "i", fileId="f1"), files={"f1": {"dataURL": url}})
    assert not made.parts
    assert (
        sentence_of(made.left_out)
        == "1 thing could not be taken over: pictures that are not in the file (1)."
    )


def test_an_embedded_page_leaves_its_link() -> None:
    made = board(element("embeddable", "e", link="https://example.org/video"))
    [found] = made.parts
    assert isinstance(found, Sheet)
    assert found.words == (Insert("https://example.org/video", {"link": "https://example.org/video"}),)
    assert made.left_out["embedded pages"] == 1


def test_what_was_deleted_stays_deleted() -> None:
    made = board(element("rectangle", "a", isDeleted=True), element("rectangle", "b"))
    assert [part.key for part in made.parts] == ["b"]


def test_values_that_make_no_sense_are_replaced_by_plain_ones() -> None:
    odd = {"x": float("nan"), "y": 1e300, "width": "wide", "height": None, "angle": [], "groupIds": [3]}
    made = board({**element("rectangle", "a"), **odd}, element("arrow", "b", points="none"))
    [found] = made.parts
    assert found.place == Place(0, 0, 1, 1)


def test_a_board_without_anything_is_refused() -> None:
    with pytest.raises(ForeignError, match="nothing on this board"):
        board()


def test_a_board_with_too_much_is_refused_at_once() -> None:
    with pytest.raises(ForeignError, match="Divide it"):
        board(*(element("rectangle", str(number)) for number in range(2 * MOST_PARTS + 1)))


def test_the_clipboard_has_the_same_form() -> None:
    assert is_excalidraw({"type": "excalidraw/clipboard", "elements": []})
    assert not is_excalidraw({"type": "something", "elements": []})
    assert not is_excalidraw([])
