"""Machines on which the project cannot be built: each ends in one line that says what to do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SET_UP = """
import sys
sys.argv = ["bootstrap.py"]
sys.path.insert(0, {tools!r})
import bootstrap
{fault}
bootstrap.main()
"""


def bootstrap(root: Path, fault: str, **environment: str) -> tuple[int, str]:
    code = SET_UP.format(tools=str(root / "tools"), fault=fault)
    answer = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.stdout == ""
    return answer.returncode, answer.stderr


@pytest.mark.parametrize(
    ("fault", "environment", "complaint"),
    [
        ("sys.version_info = (3, 10, 4)", {}, "Python 3.10 is too old: 3.11 or newer is needed"),
        ("", {"CC": "no-such-compiler"}, "no C compiler: 'no-such-compiler' is not on the path"),
        ("", {"PATH": "/nowhere", "CC": "cc"}, "no C compiler: 'cc' is not on the path"),
        (
            "bootstrap.sysconfig.get_path = lambda name: '/nowhere'",
            {},
            "the headers of this Python are missing (/nowhere/Python.h)",
        ),
        ("sys.modules['ensurepip'] = None", {}, "this Python cannot make virtual environments"),
        ("bootstrap.VENV = bootstrap.Path('/proc/liven')", {}, "cannot write to"),
    ],
)
def test_what_is_missing_is_said_in_one_line(
    root: Path, fault: str, environment: dict[str, str], complaint: str
) -> None:
    code, words = bootstrap(root, fault, **environment)
    assert code == 3
    assert words.startswith(f"liven: {complaint}")
    assert words.count("\n") == 1


def test_a_failed_installation_shows_the_end_of_its_log(root: Path, tmp_path: Path) -> None:
    fault = (
        f"bootstrap.VENV = bootstrap.Path({str(tmp_path)!r}); bootstrap.LOG = bootstrap.VENV / 'build.log'\n"
        "bootstrap.PYTHON = bootstrap.Path(sys.executable)\n"
        "bootstrap.print = lambda *words, **how: None\n"
        "bootstrap.make_venv = lambda: None\n"
        "bootstrap.BUILD_TOOLS = ['--no-index', 'no-such-package-anywhere']"
    )
    code, words = bootstrap(root, fault)
    assert code == 3
    assert "no-such-package-anywhere" in words
    assert f"the whole log is {tmp_path}/build.log" in words
    assert not (tmp_path / ".everything").exists()
