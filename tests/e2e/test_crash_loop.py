"""An object that ends the program at every opening is opened safely the third time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from liven.app.instance.client import send_files
from liven.runtime.reference.model import NAME, Attribute, Reference
from liven.runtime.reference.xml import write

pytestmark = pytest.mark.slow

PATIENCE = 60.0
ENDING = '''
"""A view that ends the program."""
import os
from liven.types.declare import ExportedUI, proxy

LIBRARY = "ABCDEF0123456789ABCDEF0123456780`1"


VIEW = "liven.liveobjects.counter.view:make"


@proxy(id="11112222333344445555666677778880", alias="example:ending", view=VIEW)
class Ending:
    UI: ExportedUI

    def __init__(self) -> None:
        os._exit(3)
'''


def liven(home: Path, *arguments: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "LIVEN_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.Popen([sys.executable, "-m", "liven.app.main", *arguments], env=environment)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of an installed class that ends the program when it is built."""
    module = tmp_path / "ending.py"
    module.write_text(ENDING)
    assert liven(tmp_path / "home", "library", "add", str(module)).wait(PATIENCE) == 0
    path = tmp_path / "ending.liveobject"
    path.write_bytes(write(Reference("example:ending", attributes=(Attribute(NAME, "Ending"),))))
    return path


def answers(program: subprocess.Popen[bytes], home: Path, file: Path) -> None:
    """Hand the file over again and again: each answer comes from the event loop, which would have built the
    object by then if it were going to."""
    end = time.monotonic() + PATIENCE
    given = 0
    while given < 20:
        assert time.monotonic() < end
        assert program.poll() is None, f"it ended with {program.returncode}"
        given += send_files(home / "run", [str(file)]) is not None
        time.sleep(0.05)


def end_in_order(program: subprocess.Popen[bytes]) -> None:
    program.send_signal(signal.SIGTERM)
    assert program.wait(PATIENCE) == 0


def test_after_two_crashes_the_program_stays_and_runs_nothing(tmp_path: Path, file: Path) -> None:
    home = tmp_path / "home"
    for _ in range(2):
        assert liven(home, "open", str(file)).wait(PATIENCE) == 3
    marks = home / "state" / "openings"
    assert len(list(marks.iterdir())) == 2
    third = liven(home, "open", str(file))
    answers(third, home, file)
    end_in_order(third)
    assert len(list(marks.iterdir())) == 2  # it is opened safely again next time


def test_safe_opening_can_be_asked_for(tmp_path: Path, file: Path) -> None:
    """Another start that asks for it is handed over with its wish."""
    home = tmp_path / "home"
    asked = liven(home, "open", "--safe", str(file))
    end = time.monotonic() + PATIENCE
    while send_files(home / "run", [str(file)], safe=True) is None:
        assert time.monotonic() < end
        assert asked.poll() is None, f"it ended with {asked.returncode}"
        time.sleep(0.05)
    assert liven(home, "open", "--safe", str(file)).wait(PATIENCE) == 0
    end_in_order(asked)
