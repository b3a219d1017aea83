"""The base of every test: no screen, folders of its own, and the state of the corpus in the summary."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, settings

from liven.runtime.files import _Umask

# Before Qt is imported anywhere. A test of real windows sets its own platform in a process of its own.
os.environ["QT_QPA_PLATFORM"] = "offscreen"

ROOT = Path(__file__).resolve().parent.parent


settings.register_profile("searching", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("repeatable", settings.get_profile("searching"), derandomize=True)


def pytest_configure(config: pytest.Config) -> None:
    """Choose the examples of laws, and enable interruptions in background runs.

    A run of every submission tries the same examples each time; a run that includes the slow tests
    searches for new ones. A slow machine fails no law. A shell starts background runs with SIGINT ignored,
    and all programs that the tests start would inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    settings.load_profile("repeatable" if "not slow" in config.option.markexpr else "searching")


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the repository's root."""
    return ROOT


@pytest.fixture(scope="session")
def script(root: Path) -> Callable[[str], ModuleType]:
    """Return a function that loads a script outside the import path, by its place in the tree."""

    def load(place: str) -> ModuleType:
        path = root / place
        spec = spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        sys.modules[path.stem] = module  # dataclasses look their module up
        spec.loader.exec_module(module)
        return module

    return load


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use user folders of the test's own, so that no test sees or touches the user's."""
    place = tmp_path / "home"
    monkeypatch.setenv("LIVEN_HOME", str(place))
    return place


@pytest.fixture(autouse=True)
def umask(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Restore the umask: a command that a test runs in this process makes it private."""
    monkeypatch.setattr(_Umask, "start", None)
    before = os.umask(0o022)
    yield
    os.umask(before)


def pytest_unconfigure() -> None:
    """Clear the clipboard: without a screen Qt keeps its content, and would free it only after Python has
    ended."""
    gui = sys.modules.get("PySide6.QtGui")
    if gui is not None and gui.QGuiApplication.instance() is not None:
        gui.QGuiApplication.clipboard().clear()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print whether the files of the original program were available."""
    corpus = os.environ.get("LIVEN_CORPUS")
    terminalreporter.write_line(f"corpus: {corpus}" if corpus else "corpus: absent (LIVEN_CORPUS is not set)")
