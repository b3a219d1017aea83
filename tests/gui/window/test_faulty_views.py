"""Views that raise, and windows that restart or close during other work."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from liven.app.doctor import Finding, State
from liven.app.welcome_window import WelcomeWindow
from liven.liveobjects.text.view.text_view import TextView


def raises(*_: object) -> Any:
    raise RuntimeError("boom")


def running(desk: Any, name: str) -> list[Any]:
    return [one for one in desk.program.session.node.running.values() if one.path[:1] == (name,)]


@pytest.mark.parametrize("method", ["make_widget", "actions", "title"])
def test_a_view_that_raises_on_opening_is_reported_and_can_be_retried(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(TextView, method, raises)
        window = desk.windows.open_file(desk.file("n", local_recipe("liven:text", "n")))
        desk.wait(lambda: "nothing to show" in desk.words(window))
    assert "does not start: RuntimeError: boom" in desk.words(window)
    [problem] = list(desk.problems)
    assert problem.where == ("n",)
    assert "tell the object's author" in problem.advice
    window.restart()
    desk.wait(lambda: window.view is not None)


def test_a_view_whose_loading_state_raises_is_shown(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(TextView, "is_loading", raises)
        window = desk.windows.open_file(desk.file("n", local_recipe("liven:text", "n")))
        desk.wait(lambda: window.view is not None)
        window._loading_state.look()
    assert list(desk.problems) == []
    assert not window._message.isVisible()


def test_a_view_that_raises_on_closing_does_not_keep_the_program_alive(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = desk.open(local_recipe("liven:text", "n"))
    with monkeypatch.context() as broken:
        broken.setattr(TextView, "close", raises)
        window.close()
    assert desk.windows.open_windows == []
    assert desk.emptied == 1
    [problem] = list(desk.problems)
    assert "its view raised when it was closed: RuntimeError: boom" in problem.what
    desk.wait(lambda: not running(desk, "n"))


def test_restarting_twice_shows_the_object_once(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "n"))
    window.restart()
    window.restart()
    desk.wait(lambda: window.view is not None)
    desk.bot.wait(200)
    assert window.view is not None
    assert window.awaited is None
    window.close()
    desk.wait(lambda: not running(desk, "n"))


@pytest.fixture
def slow_doctor(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    go_on = threading.Event()

    def examine(*_: object) -> Iterator[Finding]:
        go_on.wait(60)
        yield Finding("Late", State.OK, "done")

    monkeypatch.setattr("liven.app.doctor.examine", examine)
    yield go_on
    go_on.set()


def machines() -> list[WelcomeWindow]:
    found = (one for one in QApplication.topLevelWidgets() if isinstance(one, WelcomeWindow))
    return [one for one in found if one.isVisible()]


def test_a_running_machine_check_ends_with_its_window(
    desk: Any, local_recipe: Any, slow_doctor: threading.Event
) -> None:
    """Its thread must not call a deleted widget."""
    desk.open(local_recipe("liven:text", "other"))
    window = desk.open(local_recipe("liven:text", "n"), "n")
    desk.press(window, "Check this computer…")
    desk.press(window, "Check this computer…")
    assert len(machines()) == 1
    window.close()
    del window
    desk.wait(lambda: not machines())
    slow_doctor.set()
    doctors = [one for one in threading.enumerate() if one.name == "doctor"]
    for one in doctors:
        one.join(60)
        assert not one.is_alive()
