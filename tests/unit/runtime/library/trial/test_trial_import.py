"""The first import in a child: it returns the declarations,
and contains everything that code does at import."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from liven.runtime.library.errors import CodeError
from liven.runtime.library.store import Installed
from liven.runtime.library.trial.trial_import import probe
from liven.runtime.sandbox import Protection

Install = Callable[..., Installed]
T = TypeVar("T")
SPOILED = "import json\njson.dump = lambda told, stream: stream.write('{}')"
"""Code that runs in the child may write whatever it likes where the answer goes."""


def refusal(installed: Installed, **limits: float) -> CodeError:
    with pytest.raises(CodeError) as caught:
        probe(installed, **limits)  # type: ignore[arg-type]  # seconds or memory
    return caught.value


def test_a_trial_import_returns_the_declarations(install: Install) -> None:
    post, box = probe(install(2))
    assert (post.kind, post.alias, post.id, post.lines) == ("interface", "Post", "", ("say({words: text})",))
    assert (box.kind, box.alias, box.module, box.name) == ("component", "example:box", "box.py", "Box")
    assert box.id == "11112222333344445555666677778888`2"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("raise ValueError('seven')", "importing it raised ValueError: seven"),
        ("import sys; sys.exit(0)", "importing it ends the program"),
        ("import os; os._exit(0)", r"ended the program \(exit code 0\)"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "crashed Python (SIGSEGV)"),
        ("import main", "imports its own module"),
        ("x = bytearray(1 << 40)", "MemoryError"),
        ("import os\nwhile True: os.write(2, b'x' * 65536)", "importing it raised OSError"),
        ("import os\nos.closerange(0, 65536)", "ended the program"),
        ("import os, signal; os.kill(os.getpid(), 40)", "crashed Python (signal 40)"),
        (SPOILED.format("5"), "corrupted the report of the child process: it is not a JSON object"),
        (SPOILED.format("[1]"), "it is not a JSON object"),
        (SPOILED.format("null"), "it is not a JSON object"),
        (SPOILED.format('{"problem": 1}'), "its problem is not a text"),
        (SPOILED.format('{"declares": [{}]}'), "fields other than kind, id"),
        (SPOILED.format("[' * 200000 + '"), "it is not JSON"),
        ("from liven.types.declare import proxy\n@proxy(id='')\nclass A: ...", "a proxy needs an id"),
    ],
)
def test_misbehaviour_at_import_is_described(install: Install, text: str, words: str) -> None:
    assert words.replace("\\", "") in refusal(install(1, main=text)).reason


@pytest.mark.slow
def test_endless_code_is_ended_with_its_child_processes(install: Install, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    text = (
        "import subprocess, sys, pathlib\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"pathlib.Path({str(note)!r}).write_text(str(child.pid))\n"
        "while True: pass\n"
    )
    error = refusal(install(1, main=text), seconds=3, patience=300)
    assert "took more than 3 seconds of processor time" in error.reason
    assert _is_gone(int(note.read_text()))


@pytest.mark.slow
def test_code_that_waits_too_long_is_ended(install: Install) -> None:
    error = refusal(install(1, main="import time; time.sleep(600)"), patience=1.5)
    assert "did not end within 1.5 s" in error.reason


@pytest.mark.slow
def test_time_in_which_the_child_does_not_compute_is_not_counted(install: Install) -> None:
    """As on a machine that is busy with other work."""
    assert probe(install(1, main="import time; time.sleep(3.2)"), seconds=3) == ()


def _is_gone(pid: int) -> bool:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        os.sched_yield()
        time.sleep(0.02)
    return False


@pytest.mark.slow
def test_the_traceback_is_kept_for_the_author(install: Install) -> None:
    error = refusal(install(1, main="def f():\n    raise ValueError('seven')\nf()"))
    assert "main.py" in error.detail
    assert "ValueError: seven" in error.detail
    assert len(error.detail.splitlines()) <= 7, "our own frames are left out"
    assert "/" not in error.detail


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["def f(:", "import main", "from liven.types.declare import proxy\n@proxy(id='')\nclass A: ..."]
)
def test_a_self_explanatory_error_has_no_traceback(install: Install, text: str) -> None:
    assert "liven/runtime" not in refusal(install(1, main=text)).detail


PROBE = """
import sys
from pathlib import Path
from liven.runtime.library.store import Store
from liven.runtime.library.trial.trial_import import probe
path = Path(sys.argv[1])
probe(Store(path.parents[1]).at(path))
"""


@pytest.mark.slow
@pytest.mark.skipif(bool(Protection.of_this_kernel().missing), reason="this kernel cannot confine a process")
def test_code_of_a_recipe_does_not_outlive_the_program_that_tries_it(install: Install) -> None:
    installed = install(main="import time; time.sleep(60)")
    (installed.path / "fetched-from").write_text("https://example.org/main.py")
    with subprocess.Popen([sys.executable, "-c", PROBE, str(installed.path)]) as program:
        children = Path(f"/proc/{program.pid}/task/{program.pid}/children")
        child = wait_for(lambda: children.read_text().split())[0]
        status = Path(f"/proc/{child}/status")
        wait_for(lambda: "NoNewPrivs:\t1" in status.read_text())  # it is confined by now
        program.kill()
    wait_for(lambda: not status.exists() or "State:\tZ" in status.read_text())


def wait_for(good: Callable[[], T]) -> T:
    limit = time.monotonic() + 30.0
    while not (found := good()):
        assert time.monotonic() < limit, "it did not come about"
        time.sleep(0.02)
    return found
