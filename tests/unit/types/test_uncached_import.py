"""A file that is changed and run twice within a second runs in its present form each time."""

from __future__ import annotations

import os
import sys
from importlib.util import module_from_spec
from pathlib import Path

import pytest

from liven.types.uncached_import import fresh_spec


def run(path: Path) -> object:
    spec = fresh_spec("written_twice", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)["X"]


def test_a_file_of_the_same_length_and_second_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "author.py"
    path.write_text("X = 1\n")
    os.utime(path, (1_000_000, 1_000_000))
    assert run(path) == 1
    path.write_text("X = 2\n")
    os.utime(path, (1_000_000, 1_000_000))
    assert run(path) == 2
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_not_python_has_no_spec(tmp_path: Path) -> None:
    assert fresh_spec("notes", tmp_path / "notes.txt") is None
