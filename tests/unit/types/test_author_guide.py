"""The author guide is true: its files are written, its commands typed, its snippets run."""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import shlex
import sys
from pathlib import Path
from types import ModuleType

import pytest

from liven.types import command


def _reader() -> ModuleType:
    spec = importlib.util.spec_from_file_location("guide", Path(__file__).with_name("guide.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["guide"] = module
    spec.loader.exec_module(module)
    return module


def typed(line: str) -> str:
    """Return the output of a command of the guide on either stream."""
    program, room, *arguments = shlex.split(line)
    assert (program, room) == ("liven", "types")
    parser = argparse.ArgumentParser(prog="liven types")
    command.configure(parser)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        command.run(parser.parse_args(arguments))
    return printed.getvalue()


def played(guide: Path, folder: Path) -> list[tuple[str, str, str]]:
    """Yield each command and snippet of the guide, with the output it shows and the real one."""
    found, names, last = [], dict[str, object](), ""
    for block in _reader().blocks(guide):
        if block.file:
            (folder / block.file).write_text(block.text, encoding="utf-8")
        elif block.kind == "console":
            found += [(line, shown, typed(line)) for line, shown in block.commands()]
        elif block.kind == "python":
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(block.text, "guide", "exec"), names)
            last = printed.getvalue()
        elif block.kind == "output":
            found.append(("snippet", block.text, last))
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forget_modules: None) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_the_guide_shows_what_is_printed(root: Path, folder: Path) -> None:
    parts = played(root / "docs" / "author-guide.md", folder)
    assert len(parts) >= 10
    for line, shown, printed in parts:
        assert printed == shown, f"{line}\n{printed}"
    assert (folder / "weather.py").is_file()


def test_every_fence_of_the_guide_is_one_that_is_run(root: Path) -> None:
    kinds = {block.kind for block in _reader().blocks(root / "docs" / "author-guide.md")}
    assert kinds == {"python", "console", "output"}


def test_a_guide_with_wrong_output_is_detected(folder: Path) -> None:
    guide = folder / "lie.md"
    guide.write_text("```console\n$ liven types subtype int32 int64\nnever\n```\n", encoding="utf-8")
    [(_, shown, printed)] = played(guide, folder)
    assert shown != printed
