"""A bundle imports its own modules relatively; anything else is a fault with its line."""

from __future__ import annotations

import pytest

from liven.runtime.library.trial.relative_imports import faults


def told(**files: str) -> list[str]:
    return faults({name.replace("__", "/") + ".py": text.encode() for name, text in files.items()})


def test_relative_imports_and_those_of_others_are_right() -> None:
    assert (
        told(
            notes="from . import words\nimport json\nimport numpy\nfrom liven.types import ids\n",
            words="x = 1",
        )
        == []
    )


@pytest.mark.parametrize(
    "line", ["import words", "import words as w", "from words import x", "def f():\n  import words.more"]
)
def test_an_absolute_import_of_its_own_module_is_a_fault_with_its_line(line: str) -> None:
    (fault,) = told(notes=f"x = 1\n{line}\n", words="x = 1")
    assert fault.startswith("notes.py:")
    assert fault.endswith("imports its own module 'words' absolutely; write from . import words")


def test_a_package_is_a_module_of_its_own_too() -> None:
    assert told(notes="import parts.one", parts__one="x = 1") != []


def test_a_module_named_like_a_standard_one_claims_nothing() -> None:
    assert told(notes="import json", json="x = 1") == []


def test_invalid_python_is_a_fault_with_its_line() -> None:
    (fault,) = told(notes="x = 1\ndef")
    assert fault.startswith("notes.py:2 is not valid Python")
    assert faults({"notes.py": b"\0"}) != []
    assert faults({"notes.py": b"\xff\xfe\xff"}) != []
    assert faults({"data.bin": b"\0"}) == []


def test_python_too_deep_to_read_is_a_fault() -> None:
    assert told(notes="(" * 5000 + ")" * 5000) != []
