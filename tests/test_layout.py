"""The layout guard on this tree, and on trees with each fault planted."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

ROOMS = ("app", "designer", "liveobjects", "runtime", "multicast", "types")


@pytest.fixture(scope="module")
def layout(script: Callable[[str], ModuleType]) -> ModuleType:
    return script("tools/checks/layout.py")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for room in ROOMS:
        package = tmp_path / room / "liven" / room
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        (tmp_path / room / "README.md").touch()
    for folder in ("tests", "bench", "samples", "tools"):
        (tmp_path / folder).mkdir()
    return tmp_path


def wheel(path: Path, names: list[str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "")
    return path


def test_this_tree_has_no_fault(layout: ModuleType, root: Path) -> None:
    assert layout.faults(root) == []


def test_a_tree_as_it_should_be_has_no_fault(layout: ModuleType, tree: Path) -> None:
    assert layout.faults(tree) == []


@pytest.mark.parametrize(
    "place",
    [
        "types/__init__.py",
        "types/liven/__init__.py",
        "app/liven/__init__.py",
        "runtime/__init__.py",
        "tests/__init__.py",
    ],
)
def test_a_planted_package_is_named(layout: ModuleType, tree: Path, place: str) -> None:
    (tree / place).touch()
    (fault,) = layout.faults(tree)
    assert fault.startswith(f"{place}: no __init__.py")


def test_a_package_deep_under_tests_is_named(layout: ModuleType, tree: Path) -> None:
    (tree / "tests" / "unit" / "types").mkdir(parents=True)
    (tree / "tests" / "unit" / "types" / "__init__.py").touch()
    assert layout.faults(tree) == ["tests/unit/types/__init__.py: no __init__.py may be here; delete it"]


@pytest.mark.parametrize("place", ["bench/types.py", "samples/queue.py", "tests/logging.py"])
def test_a_script_named_like_a_standard_module_is_named(layout: ModuleType, tree: Path, place: str) -> None:
    (tree / place).touch()
    assert layout.faults(tree) == [f"{place}: has the name of a standard module; rename it"]


def test_a_folder_named_like_a_standard_module_is_named(layout: ModuleType, tree: Path) -> None:
    (tree / "samples" / "calendar").mkdir()
    assert layout.faults(tree) == ["samples/calendar: has the name of a standard module; rename it"]


def test_a_room_without_its_page_is_named(layout: ModuleType, tree: Path) -> None:
    (tree / "designer" / "README.md").unlink()
    assert layout.faults(tree) == ["designer/README.md: is missing; each room has one"]


def test_modules_outside_of_a_package_are_named(layout: ModuleType, tree: Path) -> None:
    hidden = tree / "runtime" / "liven" / "runtime" / "hidden"
    hidden.mkdir()
    (hidden / "x.py").touch()
    assert layout.faults(tree) == [
        "runtime/liven/runtime/hidden: has modules but no __init__.py, so import-linter skips it; add one"
    ]


def test_a_wheel_that_holds_the_tree_is_accepted(layout: ModuleType, tree: Path, tmp_path: Path) -> None:
    names = [f"liven/{room}/__init__.py" for room in ROOMS]
    made = wheel(
        tmp_path / "w.whl", [*names, "liven/multicast/_core.cpython-311.so", "liven-1.dist-info/METADATA"]
    )
    assert layout.wheel_faults(tree, made) == []


def test_a_room_missing_from_the_wheel_is_named(layout: ModuleType, tree: Path, tmp_path: Path) -> None:
    names = [f"liven/{room}/__init__.py" for room in ROOMS if room != "designer"]
    made = wheel(tmp_path / "w.whl", [*names, "liven/multicast/_core.cpython-311.so"])
    assert layout.wheel_faults(tree, made) == [
        "liven/designer/__init__.py: is in the tree but not in the wheel"
    ]


def test_a_wheel_without_the_core_or_with_a_stray_file_is_refused(
    layout: ModuleType, tree: Path, tmp_path: Path
) -> None:
    names = [f"liven/{room}/__init__.py" for room in ROOMS]
    made = wheel(tmp_path / "w.whl", [*names, "liven/app/stray.py"])
    assert layout.wheel_faults(tree, made) == [
        "liven/multicast/_core: the compiled core is not in the wheel",
        "liven/app/stray.py: is in the wheel but not in the tree",
    ]


def test_python_starts_at_the_root_in_an_empty_environment(root: Path) -> None:
    rooms = "; ".join(f"import liven.{room}" for room in ROOMS)
    code = f"import enum, types; assert types.__file__.endswith('types.py'); {rooms}; print(types.__file__)"
    answer = subprocess.run(
        ["env", "-i", sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr
    assert str(root) not in answer.stdout
