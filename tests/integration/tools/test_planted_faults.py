"""Every fault that the checks exist for is planted in a copy of the tree and caught."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOMS = ("app", "designer", "liveobjects", "runtime", "multicast", "types")
TOOLS = Path(sys.executable).parent


@pytest.fixture
def copy(root: Path, tmp_path: Path) -> Path:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        if (root / name).is_file():
            (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, tmp_path / "tree" / name)
    return tmp_path / "tree"


def run(copy: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a tool of this environment on the copy."""
    environment = {**os.environ, "PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)


def plant(copy: Path, module: str, text: str) -> None:
    path = copy / module
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def arrows(copy: Path) -> subprocess.CompletedProcess[str]:
    # Without the start-up hooks of site-packages (-S), the editable install does not lead back to the
    # tree that it was made from, and the copy's rooms are the ones looked at.
    paths = [*(str(copy / room) for room in ROOMS), sysconfig.get_path("purelib")]
    code = (
        f"import sys; sys.path[:0] = {paths!r}; sys.argv = ['lint-imports', '--no-cache']\n"
        "from importlinter.cli import lint_imports_command\n"
        "lint_imports_command()"
    )
    return run(copy, sys.executable, "-S", "-c", code)


def wheel(copy: Path) -> subprocess.CompletedProcess[str]:
    target = copy / "made"
    return run(
        copy,
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(target),
        ".",
    )


def test_the_copy_without_a_fault_passes(copy: Path) -> None:
    kept = arrows(copy)
    assert kept.returncode == 0, kept.stdout
    assert wheel(copy).returncode == 0
    compared = run(copy, sys.executable, "-m", "tools.checks.wheel_check", "made")
    assert compared.returncode == 0, compared.stdout


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("types/liven/types/explanation.py", "import liven.runtime.user_folders", "Arrows point down"),
        ("designer/liven/designer/__init__.py", "import liven.liveobjects", "Arrows point down"),
        ("runtime/liven/runtime/user_folders.py", "import liven.multicast", "The runtime knows no transport"),
        ("runtime/liven/runtime/user_folders.py", "import PySide6.QtCore", "Qt lives in app"),
        ("liveobjects/liven/liveobjects/__init__.py", "import pyqtgraph", "Qt lives in app"),
        ("runtime/liven/runtime/user_folders.py", "import pyspark", "Spark lives in"),
        ("types/liven/types/explanation.py", "import lxml.etree", "XML is read in one package"),
    ],
)
def test_a_forbidden_import_breaks_its_contract(copy: Path, module: str, line: str, contract: str) -> None:
    plant(copy, module, f"\n{line}\n")
    answer = arrows(copy)
    assert answer.returncode == 1, answer.stdout
    broken = [text for text in answer.stdout.splitlines() if " BROKEN" in text]
    assert any(text.startswith(contract) for text in broken), answer.stdout


def test_a_second_importer_of_the_core_is_refused(copy: Path) -> None:
    plant(copy, "app/liven/app/main.py", "\nfrom liven.multicast import _core\n")
    answer = run(copy, str(TOOLS / "ruff"), "check", "app")
    assert "TID251" in answer.stdout
    assert "Only liven.multicast.engine may import" in answer.stdout


def test_a_package_that_hides_the_standard_types_is_named(copy: Path) -> None:
    (copy / "types" / "__init__.py").touch()
    # Started elsewhere: at the root, Python itself would break, which is the point.
    answer = subprocess.run(
        [sys.executable, str(copy / "tools" / "checks" / "layout.py")],
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 1
    assert "types/__init__.py: no __init__.py may be here" in answer.stdout


def test_a_room_missing_from_the_wheel_is_named(copy: Path) -> None:
    build = copy / "pyproject.toml"
    lines = build.read_text(encoding="utf-8").splitlines(keepends=True)
    build.write_text(
        "".join(line for line in lines if not line.startswith('"liven/designer"')), encoding="utf-8"
    )
    assert wheel(copy).returncode == 0
    answer = run(copy, sys.executable, "-m", "tools.checks.wheel_check", "made")
    assert answer.returncode == 1
    assert "liven/designer/__init__.py: is in the tree but not in the wheel" in answer.stdout


@pytest.mark.parametrize("drift", ["double", "long", "const char *"])
def test_a_drifted_signature_stops_the_build(copy: Path, drift: str) -> None:
    declared = "int mcast_ranges_add("
    cdef = copy / "multicast" / "binding" / "core.cdef.h"
    text = cdef.read_text(encoding="utf-8")
    assert declared in text
    cdef.write_text(text.replace(declared, declared.replace("int", drift, 1)), encoding="utf-8")
    answer = wheel(copy)
    assert answer.returncode != 0
    assert "conflicting types" in answer.stdout + answer.stderr


def test_a_type_error_is_found_across_rooms(copy: Path) -> None:
    plant(
        copy,
        "app/liven/app/main.py",
        "\nfrom liven.runtime.user_folders import UserFolders\n\n"
        "WRONG: int = UserFolders.of_user({}).items()\n",
    )
    answer = run(copy, str(TOOLS / "mypy"), "--no-incremental", "app/liven/app/main.py")
    assert answer.returncode == 1
    assert "Incompatible types in assignment" in answer.stdout


def test_a_warning_in_c_stops_the_build(copy: Path) -> None:
    plant(
        copy,
        "multicast/core/base/version.c",
        "\nstatic int unused(double d) {\n    int i = d;\n    return i;\n}\n",
    )
    answer = wheel(copy)
    assert answer.returncode != 0
    assert "-Werror" in answer.stdout + answer.stderr
