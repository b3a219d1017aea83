"""Chapter 2 of the author guide is true: the test writes its files, types its commands and compares the
output.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from liven.runtime.commands import check, library, new, run, show

GUIDE = Path(__file__).parents[3] / "docs" / "author-guide-objects.md"
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"(?:#|<!--) (\S+\.(?:py|liveobject))")
_COMMANDS = {"run": run, "library": library, "new": new, "check": check, "show": show}


def typed(line: str) -> str:
    """Return the output of a command, which must succeed."""
    program, *words = shlex.split(line)
    if program == "python":
        done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout
    assert program == "liven"
    parser = argparse.ArgumentParser(prog=f"liven {words[0]}")
    _COMMANDS[words[0]].configure(parser)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert _COMMANDS[words[0]].run(parser.parse_args(words[1:])) == 0, printed.getvalue()
    return printed.getvalue()


def commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each command of a console block, with the output lines that the page shows."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, *shown = part.rstrip("\n").split("\n")
        yield command, shown


def agrees(shown: list[str], printed: str) -> bool:
    """True if the shown output is the printed one: `…` stands for anything in its line, and alone in a line
    for any number of lines."""
    anything = {"…": r"[\s\S]*"}
    lines = [anything.get(line, re.escape(line).replace("…", "[^\n]*")) for line in shown]
    return re.fullmatch("\n".join(lines), printed.rstrip("\n")) is not None


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.mark.parametrize(("program", "times"), [("liven", 5), ("python", 1)])
def test_the_chapter_shows_the_printed_output(folder: Path, program: str, times: int) -> None:
    typed_commands = 0
    for kind, text in _FENCE.findall(GUIDE.read_text(encoding="utf-8")):
        if kind == "console":
            for command, shown in commands(text):
                if not command.startswith(program):
                    continue
                printed = typed(command)
                assert agrees(shown, printed), f"{command}\n{printed}"
                typed_commands += 1
        else:
            named = _FILE.match(text)
            assert named is not None, f"a block that is no file: {text[:60]}"
            # an XML file begins with its element; the comment names it for the reader only
            content = text if kind == "python" else text.partition("\n")[2]
            (folder / named[1]).write_text(content, encoding="utf-8")
    assert typed_commands == times


def test_a_wrong_page_is_reported() -> None:
    assert agrees(["…  a: running", "…"], "    0.001  a: running\nmore\n")
    assert not agrees(["…  a: running"], "    0.001  a: ended\n")
    assert not agrees(["…  a: ended"], "    0.001  a: running\n    0.002  a: ended\n")
    assert not agrees(["a [1]"], "a 1\n")
