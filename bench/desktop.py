"""The desktop as a person experiences it: first window, hand-over, a key press seen elsewhere, 1,000 items.

    python bench/desktop.py [--json]

Everything runs in programs of its own over the real engine on loopback, without a screen (raster
painting). The large desktop holds 600 notes of 500 characters, 300 images of a million pixels and 100
folders, each on a channel of its own; a first program makes them, so that the measured one finds them in
the log, as it does every day. Times are wall time and processor time: the machine may be busy with other
things.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent))

from desktop_figures.content import THINGS
from desktop_figures.process import Program, command, running, surroundings
from figure_report import Figure, report

from liven.app.palette.new_objects import desktop, note
from liven.runtime.reference.xml import write

KEYS = 40
FRAMES = 600
STARTS = 3
BOARDS = 60
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


def idle(home: Path, file: Path) -> Figure:
    """Yield the share of a core that a program with an open window and nothing to do takes."""
    with running(home, "--new-process", str(file)) as program:
        program.wait("painted")
        time.sleep(2)
        before = program.spent()
        time.sleep(5)
        return Figure("idle program, share of a core", (program.spent() - before) / 5 * 100, "%", 1)


def large_desktop(home: Path, file: Path) -> Iterator[Figure]:
    """Yield the figures of 1,000 items: the time until those in view are painted, the frames of panning, the
    memory."""
    with running(home, "--new-process", str(file)) as program:
        program.tell("fill")
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


def figures() -> Iterator[Figure]:
    """Yield all figures."""
    with tempfile.TemporaryDirectory(prefix="liven-bench-") as folder:
        home = Path(folder)
        files = []
        for number in range(5):
            files.append(home / f"note{number}.liveobject")
            files[-1].write_bytes(write(note(f"Note {number}")))
        large = home / "large.liveobject"
        large.write_bytes(write(desktop("Large")))
        yield from first_window(home, files[0])
        yield from hand_over(home, files[:4])
        yield key_press(home, files[4])
        yield idle(home, files[0])
        yield from large_desktop(home, large)
        yield gallery(home)


if __name__ == "__main__":
    sys.exit(report("desktop", figures()))
