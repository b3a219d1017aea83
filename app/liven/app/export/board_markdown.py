"""A desktop as a text in Markdown: what lies in a frame under the frame's name, all in reading order, and the
connectors as a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from liven.liveobjects.desktop.commands import in_reading_order
from liven.liveobjects.desktop.frames import is_frame, with_contents
from liven.liveobjects.desktop.state import Desktop, Item

_CONNECTIONS: Final = "Connections"
_LONGEST_NAME: Final = 60
_DEEPEST: Final = 6


def board_markdown(title: str, state: Desktop, keys: Iterable[str], body: Callable[[Item], str]) -> str:
    """Return the items with these keys as Markdown. `body` returns the Markdown of one item."""
    chosen = {key: state.items[key] for key in keys if key in state.items}
    bodies = {key: body(item).strip("\n") for key, item in chosen.items()}
    parts = [f"# {_line(title)}"] if title else []
    parts += _inside(state, chosen, bodies, "", 2)
    links = [
        f"- {_name(chosen[link.source], bodies)} → {_name(chosen[link.target], bodies)}"
        + (f": {_line(link.label)}" if link.label else "")
        for _, link in sorted(state.links.items())
        if link.source in chosen and link.target in chosen
    ]
    if links:
        parts += [f"## {_CONNECTIONS}", "\n".join(links)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _inside(
    state: Desktop, chosen: dict[str, Item], bodies: dict[str, str], frame: str, level: int
) -> list[str]:
    """Return the parts that lie in a frame, and in no smaller one; in none at all if `frame` is empty."""
    holders = _holders(state, chosen)
    here = [item for key, item in chosen.items() if holders[key] == frame]
    parts = [
        bodies[item.key] for item in in_reading_order(one for one in here if not is_frame(one.reference))
    ]
    for inner in in_reading_order(one for one in here if is_frame(one.reference)):
        parts.append(f"{'#' * min(level, _DEEPEST)} {_line(inner.label) or 'Frame'}")
        parts += _inside(state, chosen, bodies, inner.key, level + 1)
    return parts


def _holders(state: Desktop, chosen: dict[str, Item]) -> dict[str, str]:
    """Return the smallest frame around each item; empty for none."""
    frames = [item for item in chosen.values() if is_frame(item.reference)]
    frames.sort(key=lambda item: -item.place.width * item.place.height)
    found = dict.fromkeys(chosen, "")
    for frame in frames:  # smaller ones come later
        for key in with_contents(state, [frame.key]) - {frame.key}:
            if key in found:
                found[key] = frame.key
    return found


def _name(item: Item, bodies: dict[str, str]) -> str:
    first = item.label or bodies[item.key].partition("\n")[0].lstrip("#-*[]x 0123456789.")
    found = _line(first)
    return found if len(found) <= _LONGEST_NAME else found[: _LONGEST_NAME - 1] + "…"


def _line(text: str) -> str:
    return " ".join(text.split())
