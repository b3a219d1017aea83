"""The commands of the demo: their answers, their failures and their end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from liven.app.demo.headless import DemoError
from liven.app.feeds.demo.companions import Commands, end


@pytest.mark.slow
def test_a_command_answers_from_its_own_home(tmp_path: Path) -> None:
    assert str(tmp_path) in Commands(tmp_path).answer("feeds", "ls")


@pytest.mark.slow
def test_a_failure_is_said_with_the_words_of_the_command(tmp_path: Path) -> None:
    with pytest.raises(DemoError, match=r"liven feeds info nothing failed: .*there is no feed 'nothing'"):
        Commands(tmp_path).answer("feeds", "info", "nothing")


def test_a_command_that_does_not_end_by_itself_is_ended() -> None:
    waits = [sys.executable, "-c", "input()"]
    command = subprocess.Popen(waits, stdin=subprocess.PIPE, start_new_session=True)
    end(command)
    assert command.returncode is not None
    assert command.stdin is not None
    command.stdin.close()
