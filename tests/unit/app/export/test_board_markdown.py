"""A desktop as Markdown: reading order, frames as headings, connectors as a list."""

from __future__ import annotations

from liven.app.export.board_markdown import board_markdown
from liven.liveobjects.desktop.frames import frame_recipe
from liven.liveobjects.desktop.state import Desktop, Item, Link, Place
from liven.runtime.fold import PersistentMap


def desktop(items: list[Item], links: tuple[Link, ...] = ()) -> Desktop:
    return Desktop(
        PersistentMap({item.key: item for item in items}), PersistentMap({link.key: link for link in links})
    )


def note(key: str, x: float, y: float) -> Item:
    return Item(key, "", Place(x, y, 10, 10), "<Object/>")


def frame(key: str, name: str, x: float, y: float, side: float) -> Item:
    return Item(key, name, Place(x, y, side, side), frame_recipe())


def body(item: Item) -> str:
    return "" if item.label else f"text {item.key}\n"


def test_items_stand_in_reading_order_under_the_names_of_their_frames() -> None:
    state = desktop(
        [
            note("c", 5, 300),
            note("a", 500, 0),
            note("b", 120, 120),
            frame("f", "Outer\nframe", 100, 100, 150),
            frame("g", "Inner", 140, 140, 50),
            note("d", 150, 150),
        ]
    )
    made = board_markdown("Plan", state, state.items, body)
    assert made == ("# Plan\n\ntext a\n\ntext c\n\n## Outer frame\n\ntext b\n\n### Inner\n\ntext d\n")


def test_connectors_are_listed_by_the_names_of_their_ends() -> None:
    links = (Link("1", "a", "b", "leads to"), Link("2", "b", "f"), Link("3", "a", "x"))
    items = [note("a", 0, 0), note("b", 0, 50), frame("f", "Frame", 500, 0, 50), note("x", 0, 90)]
    made = board_markdown("", desktop(items, links), ["a", "b", "f"], body)
    assert made.endswith("## Connections\n\n- text a → text b: leads to\n- text b → Frame\n")
    assert "text x" not in made


def test_a_desktop_without_anything() -> None:
    assert board_markdown("Plan", Desktop(), (), body) == "# Plan\n"
