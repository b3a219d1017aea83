"""Makes the pictures of the docs, the same on every machine: what they show of it is made up."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QEventLoop

from liven.app.demo.rehearsal import WRITE, Guest, RehearsalError, rehearse
from liven.app.doctor import Finding, State
from liven.app.lesson.place import home_desktop
from liven.app.shell import application
from liven.app.trust.dialog import TrustQuestion
from liven.app.trust.reach import Reach
from liven.app.welcome import WelcomeWindow
from liven.runtime.folders import Folders
from liven.runtime.library.trust import Question

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
FINDINGS = (
    Finding("Python", State.OK, "CPython 3.12.4 in .venv"),
    Finding("C core", State.OK, "version 0.1.0"),
    Finding("Window", State.OK, "opens: Qt platform wayland 6.11.3"),
    Finding("Multicast", State.OK, "a datagram went round on loopback"),
    Finding("Interfaces", State.OK, "lo 127.0.0.1 (multicast); wlan0 192.0.2.17 (multicast)"),
    Finding("Folders", State.OK, "writable: /home/you/.config/liven, /home/you/.local/share/liven"),
    Finding("Spark", State.OK, "pyspark with Java 21 (system)"),
    Finding("File association", State.MISSING, "no program is registered for .liveobject files"),
)


QUESTION = Question(
    "3F2504E04F8911D39A0C0305E82C3301", 2, "5d41402a" * 8, "", "https://example.org/map.zip", "City"
)
REACH = Reach(("home/maps/city",), ("example.org", "tiles.example.org"), ())


def _trust(target: Path) -> Path:
    dialog = TrustQuestion(None, QUESTION, REACH)
    dialog.show()
    application().processEvents()
    dialog.grab().save(str(target), "PNG")
    dialog.close()
    return target


def _panels(target: Path) -> Path:
    """One's own desktop, with what can be laid on it at the left and what runs at the right."""
    with tempfile.TemporaryDirectory(prefix="liven-pictures-") as folder:
        home = Path(folder)
        guest = Guest("only", home_desktop(Folders.below(home)), home)
        try:
            guest.ask(f"wait {WRITE}")
            for order in ("size 1400 820", "show palette", "show inspector"):
                guest.tell(order)
            guest.ask(f"wait {WRITE}")
            time.sleep(2)  # the inspector counts what passes in a second
            if guest.ask(f"picture {target}") != "saved":
                raise RehearsalError(f"{target} could not be saved")
            guest.close()
        finally:
            guest.kill()
    return target


def main() -> int:
    """Makes them all."""
    qt = application()
    window = WelcomeWindow(lambda: iter(FINDINGS))
    window.show()
    loop = QEventLoop()
    window.finished.connect(loop.quit)
    window.check()
    loop.exec()
    qt.processEvents()
    window.grab().save(str(PICTURES / "welcome.png"), "PNG")
    window.close()
    print(PICTURES / "welcome.png")
    print(_trust(PICTURES / "trust.png"))
    print(rehearse(PICTURES / "demo.png"))
    print(_panels(PICTURES / "panels.png"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
