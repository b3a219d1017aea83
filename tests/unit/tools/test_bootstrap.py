"""Builds of the environment: its steps, and one line of advice on machines that cannot build it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

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
        ("", {"PATH": "/nowhere", "CC": " "}, "no C compiler: 'cc' is not on the path"),
        (
            "bootstrap.sysconfig.get_path = lambda name: '/nowhere'",
            {},
            "the headers of this Python are missing (/nowhere/Python.h)",
        ),
        ("sys.modules['ensurepip'] = None", {}, "this Python cannot make virtual environments"),
        ("bootstrap.VENV = bootstrap.Path('/proc/liven')", {}, "cannot write to"),
    ],
)
def test_each_missing_thing_is_reported_in_one_line(
    root: Path, fault: str, environment: dict[str, str], complaint: str
) -> None:
    code, words = bootstrap(root, fault, **environment)
    assert code == 3
    assert words.startswith(f"liven: {complaint}")
    assert words.count("\n") == 1


def test_a_failed_installation_shows_the_end_of_its_log(root: Path, tmp_path: Path) -> None:
    fault = (
        f"bootstrap.VENV = bootstrap.Path({str(tmp_path)!r})\n"
        "bootstrap.LOCK = bootstrap.VENV / 'build.lock'\n"
        "bootstrap.PYTHON = bootstrap.Path(sys.executable)\n"
        "bootstrap.print = lambda *words, **how: None\n"
        "bootstrap.make_venv = lambda: None\n"
        "bootstrap.BUILD_TOOLS = ['--no-index', 'no-such-package-anywhere']"
    )
    code, words = bootstrap(root, fault)
    assert code == 3
    assert "no-such-package-anywhere" in words or "No module named pip" in words
    assert f"the whole log is {tmp_path}/build.log" in words.replace("The", "the")
    assert (tmp_path / ".unfinished").exists()


@pytest.fixture
def tool(script: Callable[[str], ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module, looking at a complete environment."""
    made = script("tools/bootstrap.py")
    monkeypatch.setattr(made, "VENV", tmp_path)
    monkeypatch.setattr(made, "PYTHON", Path(sys.executable))
    for name in [
        *made.WHOLE,
        *made.WHOLE_WITH_EXTRAS,
        "lib/python3.11/site-packages/liven/multicast/_core.so",
    ]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / ".state").write_text(json.dumps(made.wanted_state()))
    monkeypatch.setattr(made.subprocess, "run", lambda *_, **__: Answer(f"True {sys.version}"))
    return made


@dataclass
class Answer:
    """The answer of the environment's Python about itself."""

    words: str

    @property
    def stdout(self) -> bytes:
        return self.words.encode()


class Steps:
    """Record the steps of an installation instead of doing them."""

    def __init__(
        self, tool: ModuleType, monkeypatch: pytest.MonkeyPatch, extras: str = "spark,test,dev"
    ) -> None:
        self.made = False
        self.pips: list[tuple[str, ...]] = []
        monkeypatch.setattr(tool, "make_venv", self.make)
        monkeypatch.setattr(tool, "pip", lambda _why, _advice, *words: self.pips.append(words))
        tool.install(tool.wanted_state(extras), tool.found_state())

    def make(self) -> None:
        self.made = True


def test_a_complete_environment_is_left_alone(tool: ModuleType) -> None:
    assert tool.found_state() == tool.wanted_state()


def test_an_environment_counts_as_incomplete_before_it_is_removed(
    tool: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[dict[str, str]] = []

    def remove(_: object) -> int:
        found.append(tool.found_state())
        return 0

    monkeypatch.setattr(tool.subprocess, "call", remove)
    tool.make_venv()
    assert found == [{}]


@pytest.fixture
def program_only(tool: ModuleType) -> ModuleType:
    """The module, looking at an environment that holds the program and nothing for tests."""
    for name in tool.WHOLE_WITH_EXTRAS:
        (tool.VENV / name).unlink()
    (tool.VENV / ".state").write_text(json.dumps(tool.wanted_state("")))
    return tool


def test_an_environment_for_the_program_alone_needs_no_test_tools(program_only: ModuleType) -> None:
    assert program_only.found_state() == program_only.wanted_state("")


def test_the_extras_are_added_to_an_environment_for_the_program_alone(
    program_only: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = Steps(program_only, monkeypatch)
    assert not steps.made
    assert steps.pips == [
        tuple(program_only.BUILD_TOOLS),
        ("--no-build-isolation", "-e", f".[{program_only.EXTRAS}]"),
    ]


def test_the_program_alone_is_installed_without_extras_or_build_tools(
    tool: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tool.VENV / ".state").unlink()
    steps = Steps(tool, monkeypatch, extras="")
    assert steps.made
    assert steps.pips == [("-e", ".")]


@pytest.mark.parametrize(("words", "extras"), [(["program"], ""), ([], "spark,test,dev")])
def test_make_demo_asks_for_the_program_and_make_test_for_all(
    tool: ModuleType, monkeypatch: pytest.MonkeyPatch, words: list[str], extras: str
) -> None:
    (tool.VENV / ".state").unlink()
    wanted: list[dict[str, str]] = []
    monkeypatch.setattr(tool, "install", lambda state, _found: wanted.append(state))
    monkeypatch.setattr(tool, "LOCK", tool.VENV / "lock")
    monkeypatch.setattr(sys, "argv", ["bootstrap.py", *words])
    assert tool.main() == 0
    assert [state["extras"] for state in wanted] == [extras]


def test_make_demo_after_make_test_has_nothing_to_do(
    tool: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool, "install", lambda *_: pytest.fail("something was installed"))
    monkeypatch.setattr(tool, "LOCK", tool.VENV / "lock")
    monkeypatch.setattr(sys, "argv", ["bootstrap.py", "program"])
    assert tool.main() == 0


@pytest.mark.parametrize("lost", ["pyvenv.cfg", "bin/liven", "bin/mypy", ".state"])
def test_an_environment_with_something_missing_is_made_anew(
    tool: ModuleType, lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tool.VENV / lost).unlink()
    assert Steps(tool, monkeypatch).made


def test_an_interrupted_build_is_made_anew(tool: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    (tool.VENV / ".unfinished").touch()
    assert Steps(tool, monkeypatch).made
    assert not (tool.VENV / ".unfinished").exists()


def test_an_environment_made_for_another_folder_is_made_anew(
    tool: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool, "ROOT", tool.ROOT / "tools" / "..")
    assert Steps(tool, monkeypatch).made


def test_a_python_outside_of_any_environment_is_never_taken_for_one(
    tool: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool.subprocess, "run", lambda *_, **__: Answer(f"False {sys.version}"))
    assert Steps(tool, monkeypatch).made


def test_only_the_core_is_built_again_when_it_is_lost(
    tool: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tool.VENV / "lib/python3.11/site-packages/liven/multicast/_core.so").unlink()
    steps = Steps(tool, monkeypatch)
    assert not steps.made
    assert steps.pips == [("--no-build-isolation", "--no-deps", "-e", ".")]


def test_pip_may_not_install_outside_of_an_environment(
    tool: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[str, str] = {}

    real = subprocess.Popen

    def start(_command: object, env: dict[str, str], **_how: object) -> subprocess.Popen[bytes]:
        seen.update(env)
        return real(["true"])

    monkeypatch.setattr(tool.subprocess, "Popen", start)
    monkeypatch.setenv("PIP_TARGET", "/elsewhere")
    monkeypatch.setenv("PIP_INDEX_URL", "https://index.example")
    tool.pip("trying", "advice", "something")
    assert seen["PIP_REQUIRE_VIRTUALENV"] == "1"
    assert seen["PIP_INDEX_URL"] == "https://index.example"
    assert "PIP_TARGET" not in seen


def test_a_long_step_says_from_time_to_time_that_it_goes_on(
    tool: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
    said: list[str] = []

    def say(line: str, **_how: object) -> None:
        said.append(line)
        assert process.stdin is not None
        process.stdin.close()

    monkeypatch.setattr(tool, "print", say, raising=False)
    monkeypatch.setattr(tool, "SAID_EVERY", 0.01)
    assert tool.awaited(process) == 0
    assert said[0].endswith("s so far")


def test_an_interruption_is_reported_in_one_line(root: Path) -> None:
    code = (
        f"import runpy, sys; sys.path.insert(0, {str(root / 'tools')!r})\n"
        "import shutil; shutil.which = lambda name: (_ for _ in ()).throw(KeyboardInterrupt)\n"
        f"runpy.run_path({str(root / 'tools' / 'bootstrap.py')!r}, run_name='__main__')"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert answer.returncode == 130
    assert answer.stderr == "liven: interrupted; run make again\n"
