"""The size budgets: the counts, and the breaches."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def budgets(
    script: Callable[[str], ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> ModuleType:
    made = script("tools/checks/budgets.py")
    monkeypatch.setattr(made, "ROOT", tmp_path)
    return made


def test_a_function_is_measured_without_its_docstring(budgets: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "one.py"
    path.write_text('def f():\n    """Says\n    much."""\n    return 1\n')
    (size,) = budgets.python_functions(path)
    assert (size.name, size.lines) == ("f", 2)


def test_c_functions_are_found_and_prototypes_are_not(budgets: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "one.c"
    path.write_text("int g(void);\n\nstatic int *f(int a,\n              int b) {\n    return 0;\n}\n")
    assert [(size.name, size.lines) for size in budgets.c_functions(path)] == [("f", 4)]


def test_a_long_function_is_a_breach_unless_excused(
    budgets: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    sizes = [budgets.Size("a.py", "f", 61), budgets.Size("b.py", "g", 3), budgets.Size("b.py", "h", 2)]
    sizes += [budgets.Size("c.py", f"s{n}", 2) for n in range(20)]
    named = ["a.py: f has 61 lines, 60 allowed"]
    assert budgets.judge("Python functions", sizes, budgets.PYTHON_FUNCTION, {}) == named
    assert budgets.judge("Python functions", sizes, budgets.PYTHON_FUNCTION, {"a.py": "why"}) == []
    assert "max   61" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "reason", "fault"),
    [
        ("gone.py", "why", "which is not there"),
        ("long.py", " ", "without a reason"),
        ("short.py", "why", "which keeps its budget"),
    ],
)
def test_an_excuse_that_excuses_nothing_is_a_breach(
    budgets: ModuleType, tmp_path: Path, name: str, reason: str, fault: str
) -> None:
    (tmp_path / "long.py").write_text("x = 1\n" * 601)
    (tmp_path / "short.py").write_text("x = 1\n")
    (found,) = budgets.excuse_faults(name, reason)
    assert fault in found


def test_an_excuse_for_a_long_file_holds(budgets: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "long.py").write_text("x = 1\n" * 601)
    assert budgets.excuse_faults("long.py", "a table") == []
