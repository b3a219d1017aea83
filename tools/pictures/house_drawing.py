"""Draw the rooms, their subpackages and the imports between them as `docs/pictures/house.svg`.

All is read from the code. A subpackage stands below those that import it; a line between two of them is drawn
only where no longer way leads there; arrows between rooms carry the number of imports. The C core and its
drivers have no imports that a tool could read: their folders stand below the Python of their room.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path

import grimp

from tools.checks.budgets import ROOMS

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "docs" / "pictures" / "house.svg"
STOREYS = (("app",), ("designer", "liveobjects"), ("runtime",), ("multicast", "types"))
SHARES = {"designer": 0.14, "multicast": 0.58}
WIDTH, MARGIN, GAP = 1180.0, 20.0, 12.0
BOX_HEIGHT, ROW_GAP, TITLE, STOREY_GAP = 24.0, 15.0, 32.0, 38.0
LETTER = 6.7
COLOURS = {
    "app": "#e8eefc",
    "designer": "#f3ecfb",
    "liveobjects": "#e6f5ec",
    "runtime": "#fdf3e1",
    "multicast": "#fbe9e7",
    "types": "#e9f3f8",
}
STYLE = """
text { font: 12px "Source Sans 3", "Source Sans Pro", "DejaVu Sans", sans-serif; fill: #1f2933; }
.title { font-size: 15px; font-weight: 600; }
.small { font-size: 11px; fill: #52606d; }
.c { fill: #f7f3ef; stroke: #9aa5b1; stroke-dasharray: 3 2; }
.box { fill: #ffffff; stroke: #9aa5b1; }
.inner { stroke: #9aa5b1; stroke-width: 1; fill: none; opacity: 0.55; }
.outer { stroke: #52606d; stroke-width: 1.6; fill: none; marker-end: url(#tip); }
"""

Edges = Mapping[str, set[str]]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of the drawing."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """The horizontal middle."""
        return self.x + self.width / 2


def part_of(module: str) -> str:
    """Return the room and the subpackage of `module`; modules of a room's root are parts of their own."""
    return ".".join(module.split(".")[1:3])


def parts_and_imports(graph: grimp.ImportGraph) -> tuple[Counter[str], dict[str, set[str]], Counter[str]]:
    """Return the modules in each part, the parts that each part imports, and the imports between rooms."""
    sizes = Counter(part_of(module) for module in graph.modules if module.count(".") > 1)
    imports: dict[str, set[str]] = {part: set() for part in sizes}
    rooms: Counter[str] = Counter()
    for importer in graph.modules:
        for imported in graph.find_modules_directly_imported_by(importer):
            if importer.count(".") < 2 or imported.count(".") < 2:
                continue
            source, target = part_of(importer), part_of(imported)
            if source.split(".")[0] != target.split(".")[0]:
                rooms[f"{source.split('.')[0]} {target.split('.')[0]}"] += 1
            elif source != target:
                imports[source].add(target)
    return sizes, imports, rooms


def levels(parts: Iterable[str], imports: Edges) -> list[list[str]]:
    """Return `parts` in rows: each part stands below all that import it, parts of one cycle in one row."""
    below = {part: _reached(part, imports) for part in parts}
    depth: dict[str, int] = {}

    def settle(part: str) -> int:
        if part not in depth:
            above = [one for one in below if part in below[one] and one not in below[part] and one != part]
            depth[part] = max((settle(one) + 1 for one in above), default=0)
        return depth[part]

    rows: list[list[str]] = []
    for part in sorted(below, key=lambda one: (settle(one), one)):
        while len(rows) <= depth[part]:
            rows.append([])
        rows[depth[part]].append(part)
    return rows


def _reached(part: str, imports: Edges) -> set[str]:
    found: set[str] = set()
    waiting = [part]
    while waiting:
        for one in imports.get(waiting.pop(), set()):
            if one not in found:
                found.add(one)
                waiting.append(one)
    return found


def shortest_edges(parts: Iterable[str], imports: Edges) -> list[tuple[str, str]]:
    """Return the imports that no longer way stands for."""
    parts = set(parts)
    below = {part: _reached(part, imports) for part in parts}
    return [
        (part, target)
        for part in sorted(parts)
        for target in sorted(imports[part] & parts)
        if not any(target in below[one] for one in imports[part] - {target} if part not in below[one])
    ]


def label(part: str, sizes: Mapping[str, int]) -> str:
    """Return the text of a box: the name, and how many modules it holds."""
    name = part.split(".")[1]
    return name if sizes[part] == 1 else f"{name} {sizes[part]}"


def _place_room(
    rows: list[list[str]], sizes: Mapping[str, int], x: float, y: float, width: float
) -> dict[str, Box]:
    """Place the boxes of a room, rows that are too long broken into several lines."""
    placed: dict[str, Box] = {}
    for row in rows:
        lines: list[list[str]] = [[]]
        for part in row:
            if _length([*lines[-1], part], sizes) > width - 2 * GAP and lines[-1]:
                lines.append([])
            lines[-1].append(part)
        for line in lines:
            at = x + (width - _length(line, sizes)) / 2
            for part in line:
                box = Box(at, y, _width(part, sizes), BOX_HEIGHT)
                placed[part] = box
                at += box.width + GAP
            y += BOX_HEIGHT + (8 if line is not lines[-1] else ROW_GAP)
    return placed


def _width(part: str, sizes: Mapping[str, int]) -> float:
    return 16 + LETTER * len(label(part, sizes))


def _length(line: list[str], sizes: Mapping[str, int]) -> float:
    return sum(_width(part, sizes) for part in line) + GAP * (len(line) - 1)


def c_folders() -> Counter[str]:
    """Return how many C files each folder of the core and of its drivers holds."""
    home = ROOT / "multicast"
    files = (path.relative_to(home) for name in ("core", "driver") for path in (home / name).rglob("*.c"))
    return Counter("multicast." + "/".join(path.parts[:2]) for path in files)


def draw(sizes: Counter[str], imports: Edges, rooms: Counter[str], c_parts: Counter[str]) -> str:
    """Return the drawing as SVG."""
    boxes: dict[str, Box] = {}
    frames: dict[str, Box] = {}
    y = MARGIN
    for storey in STOREYS:
        x, bottom = MARGIN, y
        for room in storey:
            share = SHARES.get(room, 1 - sum(SHARES.get(one, 0) for one in storey))
            width = (WIDTH - 2 * MARGIN - GAP * (len(storey) - 1)) * share
            parts = [part for part in sizes if part.startswith(f"{room}.")]
            rows = [*levels(parts, imports), [part for part in c_parts if part.startswith(f"{room}.")]]
            placed = _place_room(rows, sizes | c_parts, x, y + TITLE, width)
            boxes |= placed
            end = max((box.y + box.height for box in placed.values()), default=y + TITLE)
            frames[room] = Box(x, y, width, end + GAP - y)
            bottom = max(bottom, end + GAP)
            x += width + GAP
        for room in storey:
            frame = frames[room]
            frames[room] = Box(frame.x, frame.y, frame.width, bottom - frame.y)
        y = bottom + STOREY_GAP
    return "\n".join(
        [
            *_head(y),
            *_rooms(frames, sizes),
            *_inner({part: box for part, box in boxes.items() if part in sizes}, imports),
            *_boxes(boxes, sizes, c_parts),
            *_outer(frames, rooms),
            "</svg>\n",
        ]
    )


def _head(height: float) -> list[str]:
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {height:.0f}" role="img">',
        "<title>Rooms, subpackages and imports</title>",
        f"<style>{STYLE}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        'orient="auto">'
        '<path d="M0 0 L8 4 L0 8 z" fill="#52606d"/></marker></defs>',
        f'<rect width="{WIDTH:.0f}" height="{height:.0f}" fill="#ffffff"/>',
    ]


def _rooms(frames: Mapping[str, Box], sizes: Counter[str]) -> list[str]:
    lines = []
    for room, box in frames.items():
        count = sum(size for part, size in sizes.items() if part.startswith(f"{room}."))
        lines += [
            f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="8" '
            f'fill="{COLOURS[room]}"/>',
            f'<text class="title" x="{box.x + GAP:.1f}" y="{box.y + 21:.1f}">{room}'
            f'<tspan class="small" dx="8">{count} modules</tspan></text>',
        ]
    return lines


def _inner(boxes: Mapping[str, Box], imports: Edges) -> list[str]:
    lines = []
    for room in ROOMS:
        for source, target in shortest_edges(
            [part for part in boxes if part.startswith(f"{room}.")], imports
        ):
            one, other = boxes[source], boxes[target]
            if one.y >= other.y:
                continue  # parts of a cycle stand in one row, beside each other
            top, bottom = one.y + one.height, other.y
            bend = (bottom - top) / 2
            lines.append(
                f'<path class="inner" d="M{one.middle:.1f} {top:.1f} C{one.middle:.1f} {top + bend:.1f} '
                f'{other.middle:.1f} {bottom - bend:.1f} {other.middle:.1f} {bottom:.1f}"/>'
            )
    return lines


def _boxes(boxes: Mapping[str, Box], sizes: Counter[str], c_parts: Counter[str]) -> list[str]:
    return [
        f'<rect class="{"c" if part in c_parts else "box"}" x="{box.x:.1f}" y="{box.y:.1f}" '
        f'width="{box.width:.1f}" height="{box.height:.1f}" rx="5"/>'
        f'<text x="{box.middle:.1f}" y="{box.y + 16:.1f}" text-anchor="middle">'
        f"{escape(label(part, sizes | c_parts))}</text>"
        for part, box in boxes.items()
    ]


def _outer(frames: Mapping[str, Box], rooms: Counter[str]) -> list[str]:
    """Arrows between rooms of neighbouring storeys; longer ways are the same arrows one after the other."""
    lines = []
    for upper, lower in pairwise(STOREYS):
        for source in upper:
            for target in lower:
                count = rooms[f"{source} {target}"]
                if count:
                    one, other = frames[source], frames[target]
                    left, right = max(one.x, other.x), min(one.x + one.width, other.x + other.width)
                    x, says = (left + right) / 2, f"{count} imports"
                    top, bottom = one.y + one.height + 4, other.y - 4
                    lines += [
                        f'<path class="outer" d="M{x:.1f} {top:.1f} L{x:.1f} {bottom:.1f}"/>',
                        f'<text class="small" x="{x + 8:.1f}" y="{(top + bottom) / 2 + 4:.1f}">{says}</text>',
                    ]
    return lines


def main() -> int:
    """Write the drawing."""
    graph = grimp.build_graph(*(f"liven.{room}" for room in ROOMS), cache_dir=None)
    TARGET.write_text(draw(*parts_and_imports(graph), c_folders()), encoding="utf-8")
    print(TARGET.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
