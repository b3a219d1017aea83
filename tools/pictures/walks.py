"""Draw three walks through the code: the files that run for a key press, a double-click and a drop.

A program of the demo does each of them while its calls are recorded, in a home of its own, with a real
engine. The drawings are `docs/pictures/walk-*.svg`: time goes down, a column is a room, a box is a run of
files of one subpackage, each named where it runs first. Imports do not count, nor does the engine's C.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path

from liven.app.demo.headless import ALONE, WRITE, DrivenProgram
from liven.app.demo.sample_picture import paint_lake
from liven.app.welcome_desktop.location import home_desktop
from liven.runtime.user_folders import UserFolders
from tools.checks.budgets import ROOT

PICTURES = ROOT / "docs" / "pictures"
PROGRAM = ROOT / "tools" / "walk_program.py"
MARKS = (
    "multicast/liven/multicast/socket_group.py",  # a payload is given to the engine
    "liveobjects/liven/liveobjects/channel/store/",  # it is written to disk
    "liveobjects/liven/liveobjects/text/view/editor.py",  # the note shows it
    "liveobjects/liven/liveobjects/desktop/view/items/item_views.py",  # the desktop shows a new item
    "liveobjects/liven/liveobjects/view/contract.py",  # a window shows an object
    "runtime/liven/runtime/reference/xml/reader.py",  # a recipe is read
    "runtime/liven/runtime/checking/checker.py",  # it is checked
    "runtime/liven/runtime/loader/",  # its objects are built
    "app/liven/app/instance/",  # a second start hands its file over
)
"""Where a gesture gets somewhere: the files on the way there are those that it passes."""
COLUMNS = ("app", "liveobjects", "runtime", "multicast")
COLOURS = {
    "app": "#e8eefc",
    "liveobjects": "#e6f5ec",
    "runtime": "#fdf3e1",
    "multicast": "#fbe9e7",
}
WATCHED = {"LIVEN_WALK_MARKS": " ".join(MARKS)}
WIDTH, MARGIN, GAP, LINE, HEAD = 1180.0, 16.0, 10.0, 15.0, 30.0
LETTER = 6.2
SETTLED = 1.0
"""Seconds in which the replies of one step have come, been drawn and been saved."""


@dataclass(frozen=True, slots=True)
class Step:
    """Files of one subpackage that ran first one after the other."""

    room: str
    part: str
    files: tuple[str, ...]


class Recorded(DrivenProgram):
    """A program of the demo that records its calls."""

    command = (str(PROGRAM),)

    def record(self, target: Path) -> list[str]:
        """End the record that `begin` started, and return its files."""
        time.sleep(SETTLED)
        self.ask(f"end {target}")
        return _read(target)

    def wait_for_windows(self, count: int) -> None:
        """Wait until so many windows show their objects."""
        while int(self.ask("windows")) < count:
            time.sleep(0.05)


def walks(home: Path) -> dict[str, list[str]]:
    """Do the three gestures and return the files of each."""
    folders = UserFolders.below(home)
    folders.config.mkdir(parents=True)
    program = Recorded("walks", home_desktop(folders), home, {**ALONE, **WATCHED})
    record, made = home / "record.json", {}
    picture = home / "lake.png"
    paint_lake(picture)
    try:
        program.ask(f"wait {WRITE}")
        program.tell(f"write {WRITE}: warm")
        time.sleep(SETTLED)
        program.tell("begin")
        program.tell("key A")
        made["key-press"] = program.record(record)
        program.tell("begin")
        program.tell(f"drop 600 560 {picture}")
        program.ask(f"wait {picture.name}")
        made["drop"] = program.record(record)
        program.tell("begin")
        made["hand-over"] = _second_start(home, record)
        program.wait_for_windows(2)
        made["double-click"] = made.pop("hand-over") + program.record(record)
        program.close()
    finally:
        program.kill()
    return made


def _second_start(home: Path, record: Path) -> list[str]:
    note = ROOT / "samples" / "desk" / "note.liveobject"
    environment = {**os.environ, "LIVEN_HOME": str(home), "QT_QPA_PLATFORM": "offscreen", **WATCHED}
    command = [sys.executable, str(PROGRAM), "--hand-over", str(record), str(note)]
    subprocess.run(command, env=environment, check=True)
    return _read(record)


def _read(record: Path) -> list[str]:
    """Return the files of a record; the program that is driven is not on the way."""
    files = json.loads(record.read_text(encoding="utf-8"))
    return [one for one in files if not one.startswith("app/liven/app/demo/")]


def steps(files: Sequence[str]) -> list[Step]:
    """Put files that ran one after the other, of one subpackage, together."""
    once = list(dict.fromkeys(files))
    parts = [(path.split("/")[0], "/".join(path.split("/")[3:-1]), path.split("/")[-1]) for path in once]
    return [
        Step(room, part or room, tuple(name.removesuffix(".py") for _, _, name in run))
        for (room, part), run in groupby(parts, key=lambda one: one[:2])
    ]


def wrapped(names: Sequence[str], width: float) -> list[str]:
    """Break a list of names into lines of at most `width`."""
    lines = [""]
    for name in names:
        longer = f"{lines[-1]} · {name}" if lines[-1] else name
        if len(longer) * LETTER > width and lines[-1]:
            lines.append(name)
        else:
            lines[-1] = longer
    return lines


def draw(title: str, files: Sequence[str]) -> str:
    """Return a walk as SVG."""
    column = (WIDTH - 2 * MARGIN - GAP * (len(COLUMNS) - 1)) / len(COLUMNS)
    left = {room: MARGIN + place * (column + GAP) for place, room in enumerate(COLUMNS)}
    body: list[str] = []
    y, before = MARGIN + HEAD + GAP, None
    for step in steps(files):
        lines = wrapped(step.files, column - 14)
        height = LINE * (len(lines) + 1) + 8
        x = left[step.room]
        if before is not None:
            bx, by = before
            body.append(f'<path class="way" d="M{bx:.0f} {by:.0f} L{x + column / 2:.0f} {y:.0f}"/>')
        body.append(
            f'<rect class="box" x="{x:.0f}" y="{y:.0f}" width="{column:.0f}" height="{height:.0f}" rx="5"/>'
        )
        body.append(f'<text class="part" x="{x + 7:.0f}" y="{y + LINE:.0f}">{escape(step.part)}</text>')
        body += [
            f'<text x="{x + 7:.0f}" y="{y + LINE * (number + 2):.0f}">{escape(line)}</text>'
            for number, line in enumerate(lines)
        ]
        before = (x + column / 2, y + height)
        y += height + GAP
    return "\n".join([*_frame(title, len(set(files)), left, column, y), *body, "</svg>\n"])


def _frame(title: str, count: int, left: dict[str, float], column: float, height: float) -> list[str]:
    lanes = [
        f'<rect x="{x:.0f}" y="{MARGIN:.0f}" width="{column:.0f}" height="{height - MARGIN:.0f}" rx="6" '
        f'fill="{COLOURS[room]}"/><text class="room" x="{x + 8:.0f}" y="{MARGIN + 20:.0f}">{room}</text>'
        for room, x in left.items()
    ]
    return [
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" '
        f'viewBox="0 0 {WIDTH:.0f} {height + MARGIN:.0f}">',
        f"<title>{escape(title)}: {count} files</title>",
        '<style>text { font: 11px "Source Sans 3", "DejaVu Sans", sans-serif; fill: #1f2933; } '
        ".room { font-size: 14px; font-weight: 600; } .part { font-weight: 600; } "
        ".box { fill: #ffffff; stroke: #9aa5b1; } .way { stroke: #52606d; opacity: 0.6; }</style>",
        f'<rect width="{WIDTH:.0f}" height="{height + MARGIN:.0f}" fill="#ffffff"/>',
        *lanes,
    ]


def main() -> int:
    """Record and draw the walks, and print how many files each has."""
    with tempfile.TemporaryDirectory(prefix="liven-walks-", ignore_cleanup_errors=True) as home:
        for name, files in walks(Path(home)).items():
            (PICTURES / f"walk-{name}.svg").write_text(draw(name.replace("-", " "), files), encoding="utf-8")
            rooms = {room: len({one for one in files if one.startswith(f"{room}/")}) for room in COLUMNS}
            print(json.dumps({"walk": name, "files": len(set(files)), **rooms}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
