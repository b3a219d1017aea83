"""The desktop as a person experiences it: first window, hand-over, a key press seen elsewhere, 1,000 items.

    python bench/desktop.py [--only window,faces] [--json]

Everything runs in programs of its own over the real engine on loopback, without a screen (raster
painting). The large desktop holds 600 notes of 500 characters, 300 images of a million pixels and 100
folders, each on a channel of its own; a first program makes them, so that the measured one finds them in
the log, as it does every day. A board of 100 such things, all in view, is opened in the same way. The board
of 200 faces has notes, votes, counters, chats and folders. Times are wall time and processor time: the
machine may be busy with other things, so that the yardstick, a fixed piece of painting, is measured in the
same run.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent))

from desktop_figures.content import THINGS
from desktop_figures.process import Program, command, running, surroundings
from desktop_figures.yardstick import beside, measure
from figure_report import Figure, add_only, report

from liven.app.palette.new_objects import desktop, note
from liven.runtime.reference.xml import write

KEYS = 40
FRAMES = 600
STARTS = 3
BOARDS = 60
FACES = 200
FEW = 100
BUSIEST = 3
REST = 20
"""Seconds for which a program rests before it is measured, and during the measurement."""
MARKS = ("interpreter", "client", "imports", "application", "painted")
STEPS = ("interpreter", "imports of a hand-over", "imports of the rest", "Qt", "object, engine, paint")
HEAVY = ("PySide6", "lxml", "numpy", "pyqtgraph", "pycrdt")


def first_window(home: Path, file: Path) -> Iterator[Figure]:
    """Yield the time from the start of the process to the first paint of the object; the quietest of several
    starts."""
    whole, steps, engine, spent, modules = min(_start(home, file) for _ in range(STARTS))
    yield Figure("first window", whole, "s", 1.5)
    for name, step in zip(STEPS, steps, strict=True):
        yield Figure(f"first window: {name}", step, "s")
    yield Figure("first window: of this, engine and log", engine, "s")
    yield Figure("first window: processor time", spent, "s")
    yield Figure("first window: modules", modules, "modules")


def _start(home: Path, file: Path) -> tuple[float, list[float], float, float, float]:
    with running(home, "--new-process", str(file)) as program:
        marks = [program.begun, *(program.wait(one) for one in MARKS[:-1])]
        engine = program.wait("engine")
        marks.append(program.wait(MARKS[-1]))
        steps = [after - before for before, after in pairwise(marks)]
        return marks[-1] - marks[0], steps, engine, program.wait("spent"), program.wait("modules")


def hand_over(home: Path, files: list[Path]) -> Iterator[Figure]:
    """Yield the time from the start of a second `liven open` to the paint of its window in the running
    program."""
    with running(home, str(files[0])) as program:
        program.wait("painted")
        times, client, ours = [], [], []
        for file in files[1:]:
            before = program.spent()
            begun, used = command(home, "open", str(file))
            times.append(program.wait("painted") - begun)
            client.append(used)
            ours.append(program.spent() - before)
        yield Figure("hand-over to first paint", min(times) * 1000, "ms", 250)
        yield Figure("hand-over: processor time of the second start", min(client) * 1000, "ms")
        yield Figure("hand-over: processor time of the running program", min(ours) * 1000, "ms")
        yield from modules_of_hand_over(home, files[0])


def modules_of_hand_over(home: Path, file: Path) -> Iterator[Figure]:
    """Return the number of modules it loads, and the number of heavy ones."""
    code = "import sys\nfrom liven.app.main import main\nmain(['open', sys.argv[1]])\n"
    answer = subprocess.run(
        [sys.executable, "-c", code + "print(*sorted(sys.modules))", str(file)],
        env=surroundings(home),
        capture_output=True,
        text=True,
        check=True,
    )
    names = answer.stdout.split()
    heavy = [name for name in names if name.partition(".")[0] in HEAVY]
    yield Figure("hand-over: modules", len(names), "modules")
    yield Figure("hand-over: modules of Qt, lxml and the like", len(heavy), "modules", 0)


def key_press(home: Path, file: Path) -> Figure:
    """Yield the time from a key press in one program to the paint in the other."""
    with running(home, "--new-process", str(file)) as here:
        here.wait("painted")
        with running(home, "--new-process", str(file)) as there:
            there.wait("painted")
            there.tell("watch")
            there.wait("watching")
            time.sleep(1.5)
            times = []
            for _ in range(KEYS):
                here.tell("type")
                begin = here.wait("typed")
                times.append(there.wait("seen") - begin)
                time.sleep(0.02)
            return Figure("key press to remote repaint, p50", median(times[5:]) * 1000, "ms", 30)


def idle(home: Path, file: Path) -> Iterator[Figure]:
    """Yield the share of a core that a program takes which nobody uses. Its window shows the desktop of 100
    things, whose history it keeps."""
    with running(home, "--new-process", str(file)) as program:
        program.wait("painted")
        time.sleep(REST)
        before = program.threads()
        time.sleep(REST)
        after = program.threads()
    none = ("", 0.0)
    spent = [(now - before.get(number, none)[1], name) for number, (name, now) in after.items()]
    yield Figure("idle program, share of a core", sum(used for used, _ in spent) / REST * 100, "%", 0.2)
    for used, name in sorted(spent, reverse=True)[:BUSIEST]:
        yield Figure(f"idle program: of this, the thread {name}", used / REST * 100, "%")


def few_things(home: Path, file: Path) -> Iterator[Figure]:
    """Yield the time from the start of the process until a desktop of 100 things, all in view, is painted
    with all contents; the quietest of several starts."""
    with running(home, "--new-process", str(file)) as program:
        program.tell(f"fill {FEW}")
        program.wait("filled")
    ready, painted, things, spent, seen = min(_complete(home, file) for _ in range(STARTS))
    yield Figure(f"{FEW} things: to the first complete picture", ready, "s", 0.8)
    yield Figure(f"{FEW} things: of this, to the window, with the last picture", painted, "s")
    yield Figure(f"{FEW} things: of this, to their positions", things, "s")
    yield Figure(f"{FEW} things: processor time until then", spent, "s")
    yield Figure(f"{FEW} things: in view", seen, "things")


def _complete(home: Path, file: Path) -> tuple[float, float, float, float, float]:
    with running(home, "--new-process", str(file)) as program:
        program.tell(f"complete {FEW}")
        painted, things, ready = (program.wait(one) - program.begun for one in ("painted", "things", "ready"))
        return ready, painted, things, program.wait("spent"), program.wait("seen")


def crowded_board(home: Path, file: Path) -> Iterator[Figure]:
    """Yield the figures of 200 faces in a window with its islands."""
    with running(home, "--new-process", str(file)) as program:
        program.tell(f"crowd {FACES}")
        program.wait("crowded")
        program.tell("first")
        yield Figure(f"{FACES} faces: first paint at zoom 0.22, wall time", program.wait("first"), "ms")
        own = program.wait("first_own")
        yield Figure(f"{FACES} faces: first paint at zoom 0.22, processor time", own, "ms", 20)
        for count, what in ((1, "one"), (FACES, "all")):
            program.tell(f"drag {count}")
            wall, own = program.wait("drag"), program.wait("drag_own")
            target = 16 if count == 1 else None
            yield Figure(f"{FACES} faces: frame while {what} is dragged, p95", wall, "ms", target)
            yield Figure(f"{FACES} faces: the same, processor time", own, "ms", target)
        program.tell("enter")
        yield Figure(f"{FACES} faces: entering a note, processor time", program.wait("enter"), "ms", 5)
        yield Figure(f"{FACES} faces: until it is painted", program.wait("entered"), "ms")


def large_desktop(home: Path, file: Path) -> Iterator[Figure]:
    """Yield the figures of 1,000 items: the time until those in view are painted, the frames of panning, the
    memory."""
    with running(home, "--new-process", str(file)) as program:
        program.tell(f"fill {THINGS}")
        program.wait("filled")
    with running(home, "--new-process", str(file)) as program:
        program.tell(f"ready {THINGS}")
        yield from _opened(program)
        program.tell(f"pan {FRAMES}")
        yield from _panned(program)


def _opened(program: Program) -> Iterator[Figure]:
    painted = program.wait("painted") - program.begun
    things = program.wait("things") - program.begun
    yield Figure("1,000 items: to the first complete paint", program.wait("ready") - program.begun, "s", 2)
    yield Figure("1,000 items: of this, to the window", painted, "s")
    yield Figure("1,000 items: of this, to their positions", things, "s")
    yield Figure("1,000 items: processor time until then", program.wait("spent"), "s")
    yield Figure("1,000 items: in view", program.wait("seen"), "things")
    yield Figure("1,000 items: running then", program.wait("running"), "things")


def _panned(program: Program) -> Iterator[Figure]:
    yield Figure("1,000 items: frame while panning, p95", program.wait("frame"), "ms", 16)
    yield Figure("1,000 items: frame, p95 of processor time", program.wait("own"), "ms", 16)
    yield Figure("1,000 items: between frames, p95 of processor time", program.wait("between"), "ms")
    yield Figure("1,000 items: started on the way", program.wait("begun"), "things")
    yield Figure("1,000 items: stopped on the way", program.wait("ended"), "things")
    yield Figure("1,000 items: peak memory", program.wait("memory"), "MB", 600)


def gallery(home: Path) -> Figure:
    """Return the processor time until the gallery is painted with the pictures of the boards in view."""
    script = Path(__file__).parent / "desktop_figures" / "gallery.py"
    words = [sys.executable, str(script), str(BOARDS)]
    said = subprocess.run(words, env=surroundings(home), capture_output=True, text=True, check=True).stdout
    return Figure(f"gallery of {BOARDS} boards: first paint, processor time", float(said), "ms", 150)


def few(home: Path, file: Path) -> Iterator[Figure]:
    """Yield the figures of a desktop of 100 things: how fast it opens, and what it takes when it rests."""
    yield from few_things(home, file)
    yield from idle(home, file)


PARTS: dict[str, Callable[[Path, list[Path]], Iterator[Figure]]] = {
    "window": lambda home, files: first_window(home, files[0]),
    "hand-over": lambda home, files: hand_over(home, files[:4]),
    "key": lambda home, files: iter((key_press(home, files[4]),)),
    "faces": lambda home, _: crowded_board(home, _desktop(home, "Faces")),
    "few": lambda home, _: few(home, _desktop(home, "Few")),
    "large": lambda home, _: large_desktop(home, _desktop(home, "Large")),
    "gallery": lambda home, _: iter((gallery(home),)),
}
"""The parts of the measurement. Each is given a home and files of five notes."""


def _desktop(home: Path, name: str) -> Path:
    file = home / f"{name}.liveobject"
    file.write_bytes(write(desktop(name)))
    return file


def figures(only: Iterable[str] = PARTS) -> Iterator[Figure]:
    """Yield the figures of these parts."""
    with tempfile.TemporaryDirectory(prefix="liven-bench-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        files = [home / f"note{number}.liveobject" for number in range(5)]
        for number, file in enumerate(files):
            file.write_bytes(write(note(f"Note {number}")))
        yardstick = measure()
        yield Figure("yardstick: a fixed piece of painting, processor time", yardstick * 1000, "ms")
        for name in only:
            yield from beside(yardstick, PARTS[name](home, files))


def main() -> int:
    """Measure and print."""
    own = argparse.ArgumentParser(add_help=False)
    add_only(own, PARTS)
    arguments, _ = own.parse_known_args()
    return report("desktop", figures(arguments.only), own=own)


if __name__ == "__main__":
    sys.exit(main())
