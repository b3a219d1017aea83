"""The screens: a picture of each main one in each light, and its structure as JSON beside it.

    python -m tools.pictures.screens.scenes [NAME…] [--into FOLDER]

`make pictures` makes them anew. Look at each picture that changes; a test compares the structure.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from liven.app.demo.headless import ALONE, WRITE, DemoError, DrivenProgram
from liven.app.palette.new_objects import desktop
from liven.app.welcome_desktop.location import home_desktop
from liven.runtime.reference.xml import write
from liven.runtime.user_folders import UserFolders
from tools.pictures.driving import UNKNOWN, obey, prepare
from tools.pictures.png_compression import make_small

ROOT = Path(__file__).resolve().parents[3]
PICTURES = ROOT / "docs" / "pictures" / "screens"
BOTH = ("day", "dusk")
EMPTY = "Plans"


@dataclass(frozen=True, slots=True)
class Scene:
    """The way in which a program comes to show a screen."""

    orders: tuple[str, ...]
    lights: tuple[str, ...] = BOTH
    screen: str = ""
    """The name of the screen, if several scenes show it."""
    empty: bool = False
    """True for a desktop with nothing on it; else it is the first one."""


_BOARDS = "gallery Team board, Look back, Way through, Meeting"
SCENES: Mapping[str, Scene] = {
    "board": Scene(("size 1180 780", "press Zoom to fit", f"choose {WRITE}", "rest 0.5"), (*BOTH, "high")),
    "gallery": Scene(("light day", "size 1180 800", _BOARDS, "rest 6"), ("day",)),
    "gallery-at-dusk": Scene(("light dusk", "size 1180 800", _BOARDS, "rest 6"), ("dusk",), "gallery"),
    "insert": Scene(("size 1180 800", "press Zoom to fit", "show palette", "rest 2")),
    "empty": Scene(("size 1180 780",), empty=True),
    "problem": Scene(
        ("size 1180 780", "press Zoom to fit", f"put 720 64 {UNKNOWN}", "rest 2", "show problems", "rest 1")
    ),
    "trust": Scene(("size 1180 780", "press Zoom to fit", "trust", "rest 1.5")),
    "history": Scene(
        (
            "size 1180 780",
            "press Zoom to fit",
            f"write {WRITE}: Doors at ten.",
            "rest 6",
            "press History",
            "past?",
            "rest 2",
        )
    ),
}
"""The scenes by name. A light switches while the program shows the screen, save where pictures are kept by
light."""


class Photographed(DrivenProgram):
    """A driven program with a camera."""

    command = ("-m", "tools.pictures.screens.program")


def shoot(name: str, into: Path) -> list[str]:
    """Show a scene and save its pictures and structures. Return the names of the files, without endings."""
    scene = SCENES[name]
    with tempfile.TemporaryDirectory(prefix="liven-screens-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        prepare(home)
        file = home_desktop(UserFolders.below(home))
        if scene.empty:
            file = home / f"{EMPTY}.liveobject"
            file.write_bytes(write(desktop(EMPTY)))
        program = Photographed(name, file, home, {**ALONE, "PYTHONPATH": str(ROOT)})
        try:
            program.ask("ready" if scene.empty else f"wait {WRITE}")
            obey(program, scene.orders)
            made = [_take(program, scene.screen or name, light, into) for light in scene.lights]
            program.close()
        finally:
            program.kill()
    return made


def _take(program: DrivenProgram, screen: str, light: str, into: Path) -> str:
    program.tell(f"light {light}")
    name = f"{screen}-{light}"
    if program.ask(f"shoot {into / name}") != "saved":
        raise DemoError(f"{into / name} could not be saved")
    return name


def main() -> int:
    """Make all, or those that are named."""
    parser = argparse.ArgumentParser(description="Make the pictures of the screens, and their structure.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of {', '.join(SCENES)}")
    parser.add_argument("--into", type=Path, default=PICTURES, help="the folder (docs/pictures/screens)")
    arguments = parser.parse_args()
    unknown: Sequence[str] = sorted(set(arguments.names) - set(SCENES))
    if unknown:
        parser.error(f"there is none called {', '.join(unknown)}; there are {', '.join(SCENES)}")
    into = arguments.into.resolve()
    into.mkdir(parents=True, exist_ok=True)
    for name in arguments.names or SCENES:
        for made in shoot(name, into):
            size = make_small(into / f"{made}.png")
            print(f"{os.path.relpath(into / made, ROOT)}  {size / 1000:.0f} kB", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
