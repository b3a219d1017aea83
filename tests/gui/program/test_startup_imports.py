"""What a program loads before its first window: what few need comes when it is asked for."""

from __future__ import annotations

import subprocess
import sys

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


def loaded(code: str) -> set[str]:
    """The modules that a process of its own has loaded after `code`."""
    answer = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(answer.stdout.split())


def test_the_program_starts_without_what_few_windows_need() -> None:
    modules = loaded("import liven.app.program.desktop_program, liven.liveobjects.channel.composition")
    assert modules & set(LATER) == set()
    for view in ("desktop", "image", "folder_view", "text", "chat"):
        assert f"liven.liveobjects.{view}.view" not in modules, "views come with what they show"
    assert "liven.app.doctor" not in modules


def test_a_session_learns_all_classes_and_loads_no_view() -> None:
    code = (
        "from liven.runtime.checking.type_knowledge import TypeKnowledge\n"
        "from liven.runtime.library.entry_points import learn_packages\n"
        "learn_packages(TypeKnowledge.stock(), print)"
    )
    modules = loaded(code)
    assert "liven.liveobjects.desktop.object" in modules
    assert {name for name in modules if name.startswith("PySide6") or name.endswith(".view")} == set()
