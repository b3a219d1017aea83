"""Make the pictures of the docs: every main screen, from programs driven like a person would, in a home made
for it, so that they are the same on every machine except for its fonts."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QColor, QImage, QPainter

from liven.app.demo.headless import ALONE, LAKE, WRITE, DemoError, DrivenProgram, run_headless
from liven.app.demo.sample_picture import paint_lake
from liven.app.doctor import Finding, State
from liven.app.qt_application import application
from liven.app.trust.dialog import UNREAD_MS, TrustQuestion
from liven.app.trust.question_row import code_row
from liven.app.welcome_desktop.location import home_desktop
from liven.app.welcome_window import WelcomeWindow
from liven.runtime.user_folders import UserFolders
from tools.pictures.animated_png import Frame, encode
from tools.pictures.driving import UNKNOWN, obey, prepare
from tools.pictures.png_compression import make_small
from tools.pictures.trust_example import ANN, QUESTION, REACH

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
FINDINGS = (
    Finding("Python", State.OK, "CPython 3.12.4 in .venv"),
    Finding("C core", State.OK, "version 0.1.0"),
    Finding("Window", State.OK, "opens: Qt platform wayland 6.11.3"),
    Finding("Multicast", State.OK, "a datagram returned over loopback"),
    Finding("Interfaces", State.OK, "lo 127.0.0.1 (multicast); wlan0 192.0.2.17 (multicast)"),
    Finding("Folders", State.OK, "writable: /home/you/.config/liven, /home/you/.local/share/liven"),
    Finding("Spark", State.OK, "pyspark with Java 21 (system)"),
    Finding("File association", State.MISSING, "no program opens .liveobject files"),
)
HIGH = {**ALONE, "LIVEN_CONTRAST": "high"}
RECORDED = (
    "size 1100 760",
    "press Zoom to fit",
    "press Record or stop recording",
    "rest 3",
    f"write {WRITE}: Doors at ten.",
    "rest 1",
    "choose 2 · Move me",
    "press Cut",
    "rest 1",
    f"write {WRITE}:  The boat is late.",
    "rest 3",
)
"""A desktop is recorded while somebody writes on it and removes something."""
PAST = (
    "press Record or stop recording",
    "rest 1",
    "press History",
    "rest 2",
    *(3 * ("press One second back", "rest 0.5")),
    "press What changed",
    "rest 2",
)
"""The same desktop before something was removed."""
SCENES: Mapping[str, tuple[Sequence[str], Mapping[str, str]]] = {
    "first-run": (("size 760 740", "press Zoom to fit"), ALONE),
    "panels": (("size 1400 820", "show inspector", "rest 2", "press Zoom to fit", "rest 1"), ALONE),
    "palette": (("size 1100 800", "press Zoom to fit", "show palette", "rest 2"), ALONE),
    "gallery": (
        ("size 1180 800", "gallery Team board, Look back, Way through, Meeting", "rest 8"),
        ALONE,
    ),
    "commands": (("press Command palette…", "find zoom"), ALONE),
    "keys": (("press Keys",), ALONE),
    "refused": (("size 900 680", f"drop 500 300 {ROOT}/samples/channels/talk.liveobject"), ALONE),
    "problems": (
        ("size 900 680", "press Problems panel", f"put 720 64 {UNKNOWN}", "rest 2", "show problems"),
        ALONE,
    ),
    "high-contrast": (("size 900 680", f"choose {WRITE}"), HIGH),
    "feeds": ((*RECORDED, "show feeds", "rest 3"), ALONE),
    "going-back": ((*RECORDED, *PAST), ALONE),
    "going-back-dark": (("dark", *RECORDED, *PAST), ALONE),
    "going-back-high": ((*RECORDED, *PAST), HIGH),
    "dark": (("dark", "size 900 680", f"choose {WRITE}"), ALONE),
}
"""The commands to one program before its picture is taken, and its environment."""


@contextmanager
def _guests(environment: Mapping[str, str], *names: str) -> Iterator[list[DrivenProgram]]:
    """Run programs on one first desktop, one after the other, in a home of their own."""
    with tempfile.TemporaryDirectory(prefix="liven-pictures-") as folder:
        home = Path(folder)
        prepare(home)
        paint_lake(home / f"{LAKE}.png")
        came: list[DrivenProgram] = []
        try:
            for name in names:
                came.append(DrivenProgram(name, home_desktop(UserFolders.below(home)), home, environment))
                came[-1].ask(f"wait {WRITE}")
            yield came
            for guest in came:
                guest.close()
        finally:
            for guest in came:
                guest.kill()


def _take(guest: DrivenProgram, target: Path) -> None:
    if guest.ask(f"picture {target}") != "saved":
        raise DemoError(f"{target} could not be saved")


def _scene(name: str) -> Callable[[Path], None]:
    def make(target: Path) -> None:
        orders, environment = SCENES[name]
        with _guests(environment, "only") as [guest]:
            obey(guest, orders)
            _take(guest, target)

    return make


def _people(target: Path) -> None:
    """Make the picture of another program of the same person, as this one shows it."""
    with _guests(ALONE, "left", "right") as [left, right]:
        left.tell("size 900 680")
        obey(right, ("size 700 500", f"write {WRITE}: I am writing here.", f"point {WRITE}", "rest 1"))
        left.tell("press Minimap")
        _take(left, target)


def _network(target: Path) -> None:
    """Make the picture of two programs that talk: one writes, the other shows its traffic."""
    with _guests(ALONE, "left", "right") as [left, right]:
        obey(left, ("size 1100 760", "show network"))
        for turn in range(12):
            obey(right, (f"write {WRITE}: {'Ada writes. ' if turn % 4 == 0 else 'on '}", "rest 0.5"))
        _take(left, target)


def _trust(target: Path) -> None:
    dialog = TrustQuestion(None, {QUESTION: code_row(QUESTION, REACH, ANN)})
    dialog.show()
    loop = QEventLoop()
    QTimer.singleShot(2 * UNREAD_MS, loop.quit)  # as it is when it can be answered
    loop.exec()
    dialog.grab().save(str(target), "PNG")
    dialog.close()


def _welcome(target: Path) -> None:
    qt = application()
    window = WelcomeWindow(lambda: iter(FINDINGS))
    window.show()
    loop = QEventLoop()
    window.finished.connect(loop.quit)
    window.check()
    loop.exec()
    qt.processEvents()
    window.grab().save(str(target), "PNG")
    window.close()


def _demo(target: Path) -> None:
    run_headless(target, prepare)


def _typing(target: Path) -> None:
    """One person types, then another: frame by frame, both programs side by side."""
    frames: list[Frame] = []
    with _guests(ALONE, "left", "right") as guests:
        left, right = guests
        for guest in guests:
            guest.tell("size 560 470")

        def shoot(milliseconds: int) -> None:
            for guest in guests:
                guest.ask(f"tell {WRITE}")
                _take(guest, target.with_name(f".{guest.name}.png"))
            frames.append(Frame(_beside(target, guests), milliseconds))

        shoot(900)
        for guest, words in ((left, "Milk, bread, and"), (right, " a ripe melon!")):
            for start in range(0, len(words), 2):
                guest.tell(f"write {WRITE}: {words[start : start + 2]}")
                time.sleep(0.15)  # the other program shows it a moment later, as people see it
                shoot(160)
            shoot(700)
        shoot(1800)
    target.write_bytes(encode(frames))
    for guest in guests:
        target.with_name(f".{guest.name}.png").unlink()


def _beside(target: Path, guests: Sequence[DrivenProgram]) -> QImage:
    """Return what two programs show, as one picture."""
    one, other = (QImage(str(target.with_name(f".{guest.name}.png"))) for guest in guests)
    whole = QImage(one.width() + 8 + other.width(), one.height(), QImage.Format.Format_RGB32)
    whole.fill(QColor("#c8ccd2"))
    painter = QPainter(whole)
    painter.drawImage(0, 0, one)
    painter.drawImage(one.width() + 8, 0, other)
    painter.end()
    return whole


MAKERS: Mapping[str, Callable[[Path], None]] = {
    "welcome": _welcome,
    "trust": _trust,
    "demo": _demo,
    "typing": _typing,
    "people": _people,
    "network": _network,
    **{name: _scene(name) for name in SCENES},
}


def main(wanted: Sequence[str]) -> int:
    """Make all pictures, or those that are named."""
    unknown = sorted(set(wanted) - set(MAKERS))
    if unknown:
        print(f"pictures: there is none called {', '.join(unknown)}; there are {', '.join(MAKERS)}")
        return 2
    application()
    for name in wanted or MAKERS:
        target = PICTURES / f"{name}.png"
        MAKERS[name](target)
        size = target.stat().st_size if name == "typing" else make_small(target)
        print(f"{target.relative_to(ROOT)}  {size / 1000:.0f} kB", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
