from __future__ import annotations

import io
from contextlib import redirect_stderr
from types import SimpleNamespace

import pytest

from liven.app.cp.progress import ProgressLine


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr("liven.app.cp.progress.time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


def test_the_end_of_a_pass_is_printed_once(clock: list[float]) -> None:
    bar = ProgressLine("received")
    with redirect_stderr(Terminal()) as terminal:
        for done in (10, 10, 10):
            bar.show(done, 10)
        assert terminal.getvalue().count("\n") == 1
        bar.show(10, 20)
        bar.show(20, 20)
    assert terminal.getvalue().count("\n") == 2


def test_the_rate_starts_with_the_first_bytes(clock: list[float]) -> None:
    bar = ProgressLine("received")
    clock[0] += 50  # nobody had come
    with redirect_stderr(Terminal()) as terminal:
        bar.show(4_000_000, 10_000_000)  # of them from before
        clock[0] += 2
        bar.show(10_000_000, 10_000_000)
    assert terminal.getvalue().endswith("received 100 %       3.0 MB/s\n")


def test_bar_prints_nothing_when_output_is_not_a_terminal() -> None:
    with redirect_stderr(io.StringIO()) as plain:
        ProgressLine("sent").show(1, 1)
    assert plain.getvalue() == ""


def test_a_message_is_on_a_line_of_its_own(clock: list[float]) -> None:
    bar = ProgressLine("sent")
    with redirect_stderr(Terminal()) as terminal:
        bar.show(1, 10)
        bar.say("the others went on")
    assert terminal.getvalue().endswith(" MB/s\r\x1b[Kliven: the others went on\n")
