"""The desktop as a person feels it: first window, hand-over, a key press seen elsewhere, a thousand notes.

    python bench/desktop.py [--json]

Everything runs in programs of its own over the real engine on loopback, without a screen (raster painting).
The large desktop holds 1,000 notes of 500 characters, each on a channel of its own; those in view run. The
frame is given in time of the wall and in time of the processor: the machine may be busy with other things.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent))

from frame import Figure, report

from liven.app.desk.recipes import desktop, note
from liven.app.desk.seeds import desktop_seed, note_seed
from liven.liveobjects.desktop.state import Desktop, Item, Place
from liven.liveobjects.fold import PersistentMap
from liven.runtime.reference.xml import write

PROGRAM = Path(__file__).parent / "desktop_figures" / "program.py"
KEYS = 40
THINGS = 1000
FRAMES = 120
ACROSS = 40
STARTS = 3
WORDS = "It was written here, and it is read there. " * 12


class Program:
    """One program under measurement."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.begun = time.monotonic()
        environment = {**os.environ, "LIVEN_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
        self._process = subprocess.Popen(
            [sys.executable, str(PROGRAM), *arguments],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def wait(self, event: str) -> float:
        """The number that comes with the next of such events."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            name, _, number = line.partition(" ")
            if name == event:
                return float(number)
        raise RuntimeError(f"the program ended before it said {event!r}")

    def close(self) -> None:
        if self._process.poll() is None:
            self.tell("close")
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


@contextmanager
def running(home: Path, *arguments: str) -> Iterator[Program]:
    made = Program(home, *arguments)
    try:
        yield made
    finally:
        made.close()


def first_window(home: Path, file: Path) -> Iterator[Figure]:
    """From the start of the process to the first paint of the object; the quietest of several starts."""
    starts = []
    for _ in range(STARTS):
        with running(home, "--alone", str(file)) as program:
            marks = [program.begun, *(program.wait(one) for one in ("interpreter", "imports", "painted"))]
            steps = [after - before for before, after in pairwise(marks)]
            starts.append((marks[-1] - marks[0], *steps))
    whole, interpreter, imports, rest = min(starts)
    yield Figure("first window", whole, "s", 1.5)
    yield Figure("first window: interpreter", interpreter, "s")
    yield Figure("first window: imports", imports, "s")
    yield Figure("first window: engine, object, paint", rest, "s")


def hand_over(home: Path, files: list[Path]) -> Figure:
    """From the start of a second `liven open` to the paint of its window in the program that runs."""
    with running(home, str(files[0])) as program:
        program.wait("painted")
        times = []
        for file in files[1:]:
            begin = time.monotonic()
            command = [sys.executable, "-m", "liven.app.main", "open", str(file)]
            subprocess.run(command, env={**os.environ, "LIVEN_HOME": str(home)}, check=True)
            times.append(program.wait("painted") - begin)
        return Figure("hand-over to first paint", min(times) * 1000, "ms", 250)


def key_press(home: Path, file: Path) -> Figure:
    """From a key press in one program to the paint in the other."""
    with running(home, "--alone", str(file)) as here:
        here.wait("painted")
        with running(home, "--alone", str(file)) as there:
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


def large_desktop(home: Path, file: Path) -> Iterator[Figure]:
    """A thousand notes: how soon those in view are painted, how a frame of panning goes, what it takes."""
    with running(home, "--alone", str(file)) as program:
        program.tell("zoom")
        program.tell(f"ready {THINGS}")
        yield Figure(
            "1,000 notes: to the first complete paint", program.wait("ready") - program.begun, "s", 2
        )
        yield Figure("1,000 notes: that run", program.wait("running"), "notes")
        program.tell(f"pan {FRAMES}")
        yield Figure("1,000 notes: frame while panning, p95", program.wait("frame"), "ms", 16)
        spent = program.wait("spent")
        yield Figure("1,000 notes: frame while panning, p95 of the processor's time", spent, "ms", 16)
        yield Figure("1,000 notes: memory at most", program.wait("memory"), "MB", 600)


def many_notes(name: str) -> bytes:
    """The recipe of a desktop with a thousand notes."""
    seed = note_seed((WORDS[:500], {}))
    items = {}
    for at in range(THINGS):
        key = f"{at:04}"
        place = Place(at % ACROSS * 180.0, at // ACROSS * 140.0, 160.0, 120.0)
        items[key] = Item(key, f"Note {at}", place, write(note(key, f"{name} {key}", seed)).decode(), at)
    return write(desktop(name, name, desktop_seed(Desktop(PersistentMap(items)))))


def idle(home: Path, file: Path) -> Figure:
    """How much of a core a program takes that has a window open and nothing to do."""
    with running(home, "--alone", str(file)) as program:
        program.wait("painted")
        time.sleep(2)
        before = _cpu(program._process.pid)
        time.sleep(5)
        return Figure("idle program, part of a core", (_cpu(program._process.pid) - before) / 5 * 100, "%", 1)


def _cpu(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="liven-bench-") as folder:
        home = Path(folder)
        files = []
        for number in range(5):
            files.append(home / f"note{number}.liveobject")
            files[-1].write_bytes(write(note(f"Note {number}")))
        large = home / "large.liveobject"
        large.write_bytes(many_notes("large"))
        yield from first_window(home, files[0])
        yield hand_over(home, files[:4])
        yield key_press(home, files[4])
        yield idle(home, files[0])
        yield from large_desktop(home, large)


if __name__ == "__main__":
    sys.exit(report("desktop", figures()))
