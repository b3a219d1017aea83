"""The modules that a program loads for its first window: those that few windows need come later."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from liven.runtime.reference.xml import write

LATER = (
    "asyncio",
    "numpy",
    "pyqtgraph",
    "pyspark",
    "urllib.request",
    "http.client",
    "unittest",
    "email.mime",
)


OPEN_A_WINDOW = """
from PySide6.QtCore import QTimer
from liven.app.main import main
from liven.app.qt_application import application
from liven.app.window.object_window import ObjectWindow

def close_when_shown():
    for window in application().topLevelWidgets():
        if isinstance(window, ObjectWindow) and window.view is not None:
            window.close()

timer = QTimer(application(), interval=50)
timer.timeout.connect(close_when_shown)
timer.start()
assert main(["open", "--new-process", FILE]) == 0
"""


def loaded(code: str, **environment: str) -> set[str]:
    """Return the modules that a separate process has loaded after running `code`."""
    answer = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return set(answer.stdout.split())


def test_a_window_on_a_note_opens_without_numpy_and_pyqtgraph(tmp_path: Path, local_recipe: Any) -> None:
    file = tmp_path / "note.liveobject"
    file.write_bytes(write(local_recipe("liven:text", "Shopping")))
    code = OPEN_A_WINDOW.replace("FILE", repr(str(file)))
    modules = loaded(code, LIVEN_HOME=str(tmp_path / "home"), QT_QPA_PLATFORM="offscreen")
    assert "liven.liveobjects.text.view" in modules
    assert modules & {"numpy", "pyqtgraph"} == set()


def test_the_program_starts_without_modules_that_few_windows_need() -> None:
    modules = loaded("import liven.app.program.desktop_program, liven.liveobjects.channel.composition")
    assert modules & set(LATER) == set()
    for view in ("desktop", "image", "folder_view", "text", "chat"):
        assert f"liven.liveobjects.{view}.view" not in modules, "a view is loaded with the object it shows"
    assert "liven.app.doctor" not in modules


def test_a_session_knows_all_classes_and_loads_no_view() -> None:
    code = (
        "from liven.runtime.checking.type_knowledge import TypeKnowledge\n"
        "from liven.runtime.library.classes.entry_points import learn_packages\n"
        "learn_packages(TypeKnowledge.stock(), print)"
    )
    modules = loaded(code)
    assert "liven.liveobjects.desktop.object" in modules
    assert {name for name in modules if name.startswith("PySide6") or name.endswith(".view")} == set()
